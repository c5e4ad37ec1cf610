import { NetworkError } from '../../contracts/node/index.ts';
import type { LocalClock, Random } from '../../sim/index.ts';
import { rootedFiles } from '../files/rooted-files.ts';
import { sendDatagram } from '../network/datagram.ts';
import { nodeNetwork } from '../network/node-network.ts';
import type { NetworkNamespace } from '../network/stack/namespace.ts';
import { whileAlive } from '../while-alive.ts';
import {
  type ContainerName,
  noInput,
  type Process,
  type ProcessEntry,
  type Program,
  type RunOptions,
  type Signal,
  type Stdin,
  signals,
} from './program.ts';

/** The environment that the processes of one container share. */
export interface Space {
  /** Creates the clock of one process, which is severed when the process exits. */
  newClock(): LocalClock;
  readonly hostname: string;
  readonly container?: ContainerName | undefined;
  readonly random: Random;
  readonly namespace: NetworkNamespace;
  readonly files: Process['files'];
  readonly tasks: Set<Task>;
  /** The processes that see each other. */
  readonly processes: ProcessTable;
  newPid(): number;
  /** Finds an executable. */
  lookUp(command: string): Program | undefined;
  /** Finds an executable below another root directory. */
  lookUpIn(root: string, command: string): Program | undefined;
  /** Receives each change of the usage. The kernel may kill processes in response. */
  charge(more: Usage): void;
}

/** The processes of a namespace. */
export interface ProcessTable {
  add(task: Task): void;
  delete(task: Task): void;
  list(): readonly ProcessEntry[];
}

/** The resource usage of processes. */
export interface Usage {
  readonly pids: number;
  readonly memoryBytes: number;
  readonly cpuMilli: number;
  /** CPU time spent in a single portion, in ms. @defaultValue 0 */
  readonly cpuMs?: number;
}

/** The input and output of a process. */
export interface TaskStreams {
  /** @defaultValue no input */
  readonly stdin?: Stdin;
  /** @defaultValue false */
  readonly tty?: boolean;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/** Options of {@link Task}. */
interface TaskOptions extends TaskStreams {
  readonly program: Program;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /**
   * Whether it is the first process of its container. It ignores unhandled signals, and all other processes of the
   * container die with it.
   */
  readonly init: boolean;
}

/** The exit code of a shell for a missing command. */
const NOT_FOUND = 127;
/** The exit code of a killed process. */
export const KILLED = 128 + signals.SIGKILL;

/** A process. It runs from its construction until its program returns or it is killed. */
export class Task {
  /** Resolves with its exit code. */
  readonly ended: Promise<number>;
  readonly init: boolean;
  /** Its number on the machine. */
  readonly pid: number;
  #space: Space;
  readonly #options: TaskOptions;
  readonly #clock: LocalClock;
  readonly #handlers = new Map<Signal, () => void>();
  readonly #closing = new Set<() => void>();
  readonly #children = new Set<Task>();
  readonly #end: (code: number) => void;
  #alive = true;
  #memoryBytes = 0;
  #cpuMilli = 0;
  #argv: readonly string[];
  #files: Process['files'];

  constructor(space: Space, options: TaskOptions) {
    this.#space = space;
    this.#options = options;
    this.init = options.init;
    this.pid = space.newPid();
    this.#argv = options.argv;
    this.#files = this.#filesOf(space);
    this.#clock = space.newClock();
    let end: (code: number) => void = () => {};
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.#end = end;
    space.tasks.add(this);
    space.processes.add(this);
    space.charge({ pids: 1, memoryBytes: 0, cpuMilli: 0 });
    const life = (async () => options.program(this.#process()))();
    life.then(
      (code) => this.exit(code),
      (error) => {
        if (this.#alive) options.stderr(`${error instanceof Error ? error.message : String(error)}\n`);
        this.exit(1);
      },
    );
  }

  get alive(): boolean {
    return this.#alive;
  }

  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  /** Its current command line. */
  get argv(): readonly string[] {
    return this.#argv;
  }

  /** The name of its executable. */
  get name(): string {
    const [path = ''] = this.#argv;
    return path.slice(path.lastIndexOf('/') + 1);
  }

  /** Runs the handler for a signal, or the kernel's default action. */
  signal(signal: Signal): void {
    if (!this.#alive) return;
    const handle = this.#handlers.get(signal);
    if (signal === 'SIGKILL') this.exit(KILLED);
    else if (handle) handle();
    else if (!this.init && signal !== 'SIGWINCH') this.exit(128 + signals[signal]);
  }

  /** Handles Ctrl-C on its terminal. Its children receive the signal first, because they are in the foreground. */
  interrupt(): void {
    for (const child of [...this.#children]) child.interrupt();
    this.signal('SIGINT');
  }

  /** Ends the process and releases its resources; does nothing if it has ended. */
  exit(code: number): void {
    if (!this.#alive) return;
    this.#release();
    if (this.init) for (const task of [...this.#space.tasks]) task.exit(KILLED);
    this.#end(code & 0xff);
  }

  /** Ends the process without an exit code, because its machine has lost its power. */
  lose(): void {
    if (!this.#alive) return;
    this.#release();
  }

  #release(): void {
    this.#alive = false;
    this.#space.charge({ pids: -1, memoryBytes: -this.#memoryBytes, cpuMilli: -this.#cpuMilli });
    this.#memoryBytes = 0;
    this.#cpuMilli = 0;
    this.#clock.sever();
    this.#space.tasks.delete(this);
    this.#space.processes.delete(this);
    for (const close of this.#closing) close();
  }

  #process(): Process {
    const { argv, env, stdin = noInput, tty = false, stdout, stderr } = this.#options;
    const space = this.#space;
    const files = (): Process['files'] => this.#files;
    const process: Process = {
      argv,
      env,
      hostname: space.hostname,
      container: space.container,
      clock: this.#clock,
      random: space.random,
      network: nodeNetwork({ clock: this.#clock, namespace: () => space.namespace }),
      get files() {
        return files();
      },
      stdin: whileAlive(stdin, () => this.#alive),
      tty,
      stdout: (text) => void (this.#alive && stdout(text)),
      stderr: (text) => void (this.#alive && stderr(text)),
      exit: (code) => this.exit(code),
      onSignal: (signal, handle) => void this.#handlers.set(signal, handle),
      onEnd: (callback) => void this.#closing.add(callback),
      listen: (port, server) => {
        if (!this.#alive) throw new NetworkError('ECONNRESET', 'the process has ended');
        const close = space.namespace.sockets.listen({ protocol: 'tcp', port }, server);
        this.#closing.add(close);
        return close;
      },
      listenUdp: (port, receive) => {
        if (!this.#alive) throw new NetworkError('ECONNRESET', 'the process has ended');
        const close = space.namespace.sockets.listen({ protocol: 'udp', port }, { receive });
        this.#closing.add(close);
        return close;
      },
      sendDatagram: (payload, to) =>
        sendDatagram(payload, to, { clock: this.#clock, namespace: space.namespace }),
      useMemory: (bytes) => this.#use(bytes, this.#cpuMilli),
      useCpu: (milli) => this.#use(this.#memoryBytes, milli),
      spendCpu: (ms) => {
        if (this.#alive) space.charge({ pids: 0, memoryBytes: 0, cpuMilli: 0, cpuMs: ms });
      },
      exec: (words, options = {}) => this.#exec(process, words, options),
      chroot: (root, words) => this.#chroot(process, root, words),
      processes: () => this.#space.processes.list(),
      run: (words, options = {}) => this.#run(words, options),
    };
    return process;
  }

  async #exec(
    process: Process,
    argv: readonly string[],
    options: Pick<RunOptions, 'env' | 'stdin'>,
  ): Promise<number> {
    const program = this.#lookUp(argv);
    if (!program) return NOT_FOUND;
    this.#argv = argv;
    return program({ ...process, ...options, argv });
  }

  async #chroot(process: Process, root: string, argv: readonly string[]): Promise<number | undefined> {
    const space = this.#space;
    const lookUp = (command: string): Program | undefined => space.lookUpIn(root, command);
    if (!lookUp(argv[0] ?? '')) return undefined;
    this.#space = { ...space, files: rootedFiles(space.files, root), lookUp, lookUpIn: () => undefined };
    this.#files = this.#filesOf(this.#space);
    return this.#exec(process, argv, {});
  }

  #filesOf({ files }: Space): Process['files'] {
    return whileAlive(files, () => this.#alive);
  }

  #lookUp([command = '']: readonly string[]): Program | undefined {
    const program = this.#space.lookUp(command);
    if (!program) this.#options.stderr(`${command}: not found\n`);
    return program;
  }

  #use(memoryBytes: number, cpuMilli: number): void {
    if (!this.#alive) return;
    const more = { memoryBytes: memoryBytes - this.#memoryBytes, cpuMilli: cpuMilli - this.#cpuMilli };
    this.#memoryBytes = memoryBytes;
    this.#cpuMilli = cpuMilli;
    this.#space.charge({ pids: 0, ...more });
  }

  /** Runs a child, which dies with its parent. */
  async #run(argv: readonly string[], options: RunOptions): Promise<number> {
    const program = this.#lookUp(argv);
    if (!program) return NOT_FOUND;
    if (!this.#alive) return new Promise(() => {});
    const { env, stdin = noInput, tty = false, stdout, stderr } = this.#options;
    const child = new Task(this.#space, {
      env,
      stdin,
      tty,
      stdout,
      stderr,
      ...options,
      program,
      argv,
      init: false,
    });
    const kill = (): void => child.exit(KILLED);
    this.#closing.add(kill);
    this.#children.add(child);
    const code = await child.ended;
    this.#closing.delete(kill);
    this.#children.delete(child);
    return code;
  }
}
