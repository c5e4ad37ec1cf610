import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { CniError, type CniPlugin, type NetworkTools, ToolError } from '../contracts/node/index.ts';
import { realClock } from '../mount/real-clock.ts';
import { cniCodes } from '../node/cni/skel.ts';
import { RealFiles } from '../node/files/real-files.ts';
import { seededRandom } from '../sim/index.ts';

/** Exit code and output of a program. */
interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a network plugin as a program, so that a container runtime can call it. The plugin works on the files and with
 * the tools of this machine, and reads the environment and the standard input of this process. Its output goes to
 * standard output, and the process exits with its code.
 *
 *     await runAsProgram(hostLocal);
 */
export async function runAsProgram(plugin: CniPlugin): Promise<void> {
  const env = Object.fromEntries(
    Object.entries(process.env).map(([name, value]) => [name, value ?? ''] as const),
  );
  const { code, stdout, stderr } = await plugin({
    env,
    // Do not read a terminal, because it never ends. VERSION needs no input.
    stdin: process.stdin.isTTY ? '' : await text(process.stdin),
    files: new RealFiles(),
    tools: realTools,
    clock: realClock,
    random: seededRandom(process.pid),
    run: (type, io) => runPlugin(type, io, env.CNI_PATH ?? ''),
  });
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code;
}

/** Runs the programs of this machine. */
const realTools: NetworkTools = {
  async run(argv, stdin = '') {
    const { code, stdout, stderr } = await ended(argv, { stdin });
    if (code !== 0) throw new ToolError({ command: argv.join(' '), exitCode: code, stderr });
    return stdout;
  },
};

/**
 * Runs a plugin by its type.
 *
 * @throws CniError when no folder of `CNI_PATH` has the plugin
 */
async function runPlugin(
  type: string,
  { env, stdin }: { readonly env: Readonly<Record<string, string>>; readonly stdin: string },
  path: string,
): Promise<Ended> {
  const files = new RealFiles();
  for (const folder of path.split(':')) {
    const file = `${folder}/${type}`;
    if ((await files.stat(file))?.type === 'file') return ended([file], { stdin, env });
  }
  throw new CniError(
    cniCodes.internal,
    `failed to find plugin "${type}" in path [${path.split(':').join(' ')}]`,
  );
}

async function ended(
  [command = '', ...words]: readonly string[],
  { stdin, env }: { readonly stdin: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Ended> {
  const child = spawn(command, words, env ? { env } : {});
  child.stdin.end(stdin);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: Number(code), stdout, stderr };
}
