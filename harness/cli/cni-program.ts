import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { CniError, type CniPlugin, type NetworkTools, ToolError } from '../contracts/node/index.ts';
import { realClock } from '../mount/real-clock.ts';
import { cniCodes } from '../node/cni/skel.ts';
import { RealFiles } from '../node/files/index.ts';
import { seededRandom } from '../sim/index.ts';

/** How a program ended, and what it wrote. */
interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a network plugin as the program that it is: on the files and with the tools of this machine, with the environment of this
 * process and its standard input. What it prints goes to standard output, and the process ends with its code. A container runtime
 * can call it.
 *
 *     await runAsProgram(hostLocal);
 */
export async function runAsProgram(plugin: CniPlugin): Promise<void> {
  const env = Object.fromEntries(
    Object.entries(process.env).map(([name, value]) => [name, value ?? ''] as const),
  );
  const { code, stdout, stderr } = await plugin({
    env,
    // VERSION needs no input; a terminal never ends.
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

/** The programs of this machine. */
const realTools: NetworkTools = {
  async run(argv, stdin = '') {
    const { code, stdout, stderr } = await ended(argv, { stdin });
    if (code !== 0) throw new ToolError({ command: argv.join(' '), exitCode: code, stderr });
    return stdout;
  },
};

/** @throws CniError when no folder of `CNI_PATH` has it */
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
