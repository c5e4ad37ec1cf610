import { spawnSync } from 'node:child_process';
import { ToolError } from '../../../contracts/node/network-tools.ts';
import { seededRandom } from '../../../sim/index.ts';
import { MachineNetwork } from '../stack/machine-network.ts';
import { wordsOf } from '../tools/iptables/save-restore.ts';

/** What a command came to. */
export interface Outcome {
  readonly command: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands on the kernel here. */
export async function onTheFake(commands: readonly string[]): Promise<readonly Outcome[]> {
  const network = new MachineNetwork({ node: 'node-1', now: () => 0, random: seededRandom(1) });
  await network.tools.run(['ip', 'link', 'set', 'lo', 'up']);
  const outcomes: Outcome[] = [];
  for (const command of commands) outcomes.push(await outcomeOf(network, command));
  return outcomes;
}

async function outcomeOf({ tools }: MachineNetwork, command: string): Promise<Outcome> {
  try {
    return { command, exitCode: 0, stdout: await tools.run(wordsOf(command)), stderr: '' };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { command, exitCode: error.exitCode, stdout: '', stderr: error.stderr };
  }
}

/** Runs commands on the kernel of this machine, in a namespace of their own, of which nothing is left. */
export function onTheReal(commands: readonly string[]): readonly Outcome[] {
  const script = [
    'mkdir -p /run/netns; mount -t tmpfs none /run/netns; ip link set lo up',
    ...commands.map((command) => `(${command}) >/run/netns/.out 2>/run/netns/.err; echo $?; base64 -w0 /run/netns/.out; echo; base64 -w0 /run/netns/.err; echo`),
  ];
  const { stdout, status, stderr } = spawnSync('unshare', ['--net', '--mount', 'sh', '-c', script.join('\n')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Failed to run in a namespace of its own: ${stderr}`);
  const lines = stdout.split('\n');
  const text = (line: string | undefined): string => Buffer.from(line ?? '', 'base64').toString('utf8');
  return commands.map((command, i) => ({
    command,
    exitCode: Number(lines[3 * i]),
    stdout: text(lines[3 * i + 1]),
    stderr: text(lines[3 * i + 2]),
  }));
}

/** Whether this machine lets us make namespaces, and has these programs. The reason, if not. */
export function whyNotReal(...programs: readonly string[]): string | undefined {
  const missing = programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
  if (missing.length > 0) return `${missing.join(' and ')} not installed`;
  return spawnSync('unshare', ['--net', '--mount', 'true']).status === 0 ? undefined : 'no namespace may be made here';
}
