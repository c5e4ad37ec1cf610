import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

/** Output and exit code of a command. */
export interface Output {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Returns the version of the kubectl on the PATH, `v1.32.4`; undefined if kubectl is missing. */
export function kubectlVersion(): string | undefined {
  const { status, stdout } = spawnSync('kubectl', ['version', '--client', '-o', 'json'], {
    encoding: 'utf8',
  });
  return status === 0 ? /v\d+\.\d+\.\d+/.exec(stdout)?.[0] : undefined;
}

interface ShellOptions {
  /** The working directory. */
  readonly cwd: string;
  /** The whole environment except the PATH. */
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a command in a shell to its end, without a time limit. */
export function shell(command: string, { cwd, env }: ShellOptions): Promise<Output> {
  const child = spawn('sh', ['-c', command], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return output(child);
}

async function output(child: ChildProcess): Promise<Output> {
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    // A process that was killed by a signal has no exit code.
    child.once('close', (status) => resolve(status ?? -1));
  });
  return { code, out, err };
}
