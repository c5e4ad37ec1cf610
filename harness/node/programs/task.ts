import { NetworkError } from '../../contracts/node/index.ts';
import type { LocalClock, Random } from '../../sim/index.ts';
import { sendDatagram } from '../network/datagram.ts';
import { nodeNetwork } from '../network/node-network.ts';
import type { NetworkNamespace } from '../network/stack/namespace.ts';
import { whileAlive } from '../while-alive.ts';
import {
  noInput,
  type Process,
  type Program,
  type RunOptions,
  type Signal,
  type Stdin,
  signals,
} from './program.ts';

/** Where processes run: what those of one container share. */
export interface Space {
  /** Makes the clock of one process; it is severed at its end. */
  newClock(): LocalClock;
  readonly hostname: string;
  readonly random: Random;
  readonly namespace: NetworkNamespace;
  readonly files: Process['files'];
  readonly tasks: Set<Task>;
  /** Finds an executable. */
  lookUp(command: string): Program | undefined;
  /** Told of all that its processes use more or less: the kernel may kill for it. */
  charge(more: Usage): void;
}

/** What processes use. */
export interface Usage {
  readonly pids: number;
  readonly memoryBytes: number;
  readonly cpuMilli: number;
  /** How long a CPU was used just now, besides. @defaultValue 0 */
  readonly cpuMs?: number;
}

/** What a process reads from and writes to. */
export interface TaskStreams {
  /** @defaultValue nothing */
  readonly stdin?: Stdin;
  /** @defaultValue false */
  readonly tty?: boolean;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/** What a process is started with. */
export interface TaskOptions extends TaskStreams {
  readonly program: Program;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The first process of its container: it ignores signals that it does not handle, and all others die with it. */
  readonly init: boolean;
}

/** What a shell says when there is no such command. */
const NOT_FOUND = 127;
/** What a process that is killed exits with. */
export const KILLED = 128 + signals.SIGKILL;

/** One process: it runs from here on, until its program returns or it is killed. */
export class Task {
  /** Resolves with its exit code when it has ended. */
  readonly ended: Promise<number>;
  readonly init: boolean;
  readonly #space: Space;
  readonly #options: TaskOptions;
  readonly #clock: LocalClock;
  readonly #handlers = new Map<Signal, () => void>();
  readonly #closing = new Set<() => void>();
  readonly #children = new Set<Task>();
  readonly #end: (code: number) => void;
  #alive = true;
  #memoryBytes = 0;
  #cpuMilli = 0;

  constructor(space: Space, options: TaskOptions) {
    this.#space = space;
    this.#options = options;
    this.init = options.init;
    this.#clock = space.newClock();
    let end: (code: number) => void = () => {};
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.#end = end;
    space.tasks.add(this);
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

  /** Does what the process has said for this signal, or what the kernel does if it has said nothing. */
  signal(signal: Signal): void {
    if (!this.#alive) return;
    const handle = this.#handlers.get(signal);
    if (signal === 'SIGKILL') this.exit(KILLED);
    else if (handle) handle();
    else if (!this.init && signal !== 'SIGWINCH') this.exit(128 + signals[signal]);
  }

  /** What Ctrl-C on its terminal does: its children are told first, as they are in the foreground. */
  interrupt(): void {
    for (const child of [...this.#children]) child.interrupt();
    this.signal('SIGINT');
  }

  /** Ends it, with all that it holds. The second time does nothing. */
  exit(code: number): void {
    if (!this.#alive) return;
    this.#release();
    if (this.init) for (const task of [...this.#space.tasks]) task.exit(KILLED);
    this.#end(code & 0xff);
  }

  /** Ends the process because its machine lost its power: nothing is told of the end. */
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
    for (const close of this.#closing) close();
  }

  #process(): Process {
    const { argv, env, stdin = noInput, tty = false, stdout, stderr } = this.#options;
    const space = this.#space;
    const process: Process = {
      argv,
      env,
      hostname: space.hostname,
      clock: this.#clock,
      random: space.random,
      network: nodeNetwork({ clock: this.#clock, namespace: () => space.namespace }),
      files: whileAlive(space.files, () => this.#alive),
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
    return program ? program({ ...process, ...options, argv }) : NOT_FOUND;
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

  /** A child: it dies with its parent. */
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
