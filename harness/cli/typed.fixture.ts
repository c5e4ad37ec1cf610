import { type ChildProcess, spawn } from 'node:child_process';
import packageJson from '../../package.json' with { type: 'json' };

interface TypedOptions {
  /** The workbook's folder. */
  readonly root: string;
  /** The folder from which files are named. */
  readonly cwd: string;
}

/** Runs the command that package.json gives a script as npm does, and reads what it prints. */
export class Typed {
  readonly #child: ChildProcess;
  /** Resolves with its exit code, when all that it printed has been read. */
  readonly ended: Promise<number | null>;
  out = '';
  err = '';
  #wake: () => void = () => {};

  constructor({ root, cwd }: TypedOptions, script: 'cluster' | 'apiserver', ...words: readonly string[]) {
    const [node, ...args] = packageJson.scripts[script].split(' ');
    if (node !== 'node') throw new Error(`Failed to run ${script}: it is no command of node.`);
    this.#child = spawn(process.execPath, [...args, ...words], {
      cwd: root,
      env: { PATH: process.env.PATH, INIT_CWD: cwd },
      detached: true,
    });
    const guard = endedWithUs(this.#child);
    this.ended = new Promise((resolve) => void this.#child.once('close', resolve));
    this.ended.then(() => guard.kill());
    this.#child.stdout?.on('data', (data) => {
      this.out += data;
      this.#wake();
    });
    this.#child.stderr?.on('data', (data) => {
      this.err += data;
      this.#wake();
    });
  }

  /** Waits until it has printed this. @throws Error when it ends before */
  async says(text: string): Promise<void> {
    while (!this.out.includes(text)) await this.printsMore();
  }

  /** Waits until it has printed this to stderr. @throws Error when it ends before */
  async complains(text: string): Promise<void> {
    while (!this.err.includes(text)) await this.printsMore();
  }

  /** Waits until it prints something. @throws Error when it ends before */
  async printsMore(): Promise<void> {
    const more = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    const ended = this.ended.then(() => {
      throw new Error(`It ended: ${this.out}${this.err}`);
    });
    ended.catch(() => {});
    await Promise.race([more, ended]);
  }

  /** Ends it as Ctrl-C does, of which a terminal tells each process of the group. */
  async stop(): Promise<number | null> {
    const { pid, exitCode } = this.#child;
    if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGINT');
    return this.ended;
  }
}

/** Has a process and its children end when this one does, also when this one is killed: a run that is broken off leaves no cluster behind. */
function endedWithUs({ pid }: ChildProcess): ChildProcess {
  const guard = spawn('sh', ['-c', 'cat > /dev/null; kill -9 "-$0"', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  return guard;
}
