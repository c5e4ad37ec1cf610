import { type ChildProcess, spawn } from 'node:child_process';
import packageJson from '../../package.json' with { type: 'json' };
import { Printed } from './printed.fixture.ts';

interface TypedOptions {
  /** The workbook's folder. */
  readonly root: string;
  /** The folder that relative file names refer to. */
  readonly cwd: string;
}

/** Runs an npm script as npm does, and reads its output. */
export class Typed extends Printed {
  readonly #child: ChildProcess;
  /** Resolves with the exit code once all output has been read. */
  readonly ended: Promise<number | null>;

  constructor({ root, cwd }: TypedOptions, script: 'cluster' | 'apiserver', ...words: readonly string[]) {
    super();
    const [node, ...args] = packageJson.scripts[script].split(' ');
    if (node !== 'node') throw new Error(`Failed to run ${script}: its command is not node.`);
    this.#child = spawn(process.execPath, [...args, ...words], {
      cwd: root,
      env: { PATH: process.env.PATH, INIT_CWD: cwd },
      detached: true,
    });
    const guard = endedWithUs(this.#child);
    this.ended = new Promise((resolve) => void this.#child.once('close', resolve));
    this.ended.then(() => guard.kill());
    this.#child.stdout?.on('data', (data) => this.print('out', String(data)));
    this.#child.stderr?.on('data', (data) => this.print('err', String(data)));
  }

  /** Ends it as Ctrl-C does, or another signal: a terminal sends it to every process of the group. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    const { pid, exitCode } = this.#child;
    if (pid !== undefined && exitCode === null) process.kill(-pid, signal);
    return this.ended;
  }
}

/** Ends a process and its children when this process ends or is killed, so that an interrupted run leaves no cluster behind. */
function endedWithUs({ pid }: ChildProcess): ChildProcess {
  const guard = spawn('sh', ['-c', 'cat > /dev/null; kill -9 "-$0"', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  return guard;
}
