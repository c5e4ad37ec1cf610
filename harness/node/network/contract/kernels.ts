import { spawnSync } from 'node:child_process';
import { parseIP } from '../../../api/ip-prefix.ts';
import { ToolError } from '../../../contracts/node/network-tools.ts';
import { seededRandom } from '../../../sim/index.ts';
import { openConnection } from '../stack/connection.ts';
import { MachineNetwork } from '../stack/machine-network.ts';
import { wordsOf } from '../tools/iptables/save-restore.ts';
import type { Reach } from './scripts.ts';

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
    'd=$(mktemp -d); trap "rm -r $d" EXIT; mkdir -p /run/netns; mount -t tmpfs none /run/netns; ip link set lo up',
    ...commands.map(
      (command) => `(${command}) >$d/out 2>$d/err; echo $?; base64 -w0 $d/out; echo; base64 -w0 $d/err; echo`,
    ),
  ];
  const { stdout, status, stderr } = spawnSync(
    'unshare',
    ['--net', '--mount', 'sh', '-c', script.join('\n')],
    { encoding: 'utf8' },
  );
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
  return spawnSync('unshare', ['--net', '--mount', 'true']).status === 0
    ? undefined
    : 'no namespace may be made here';
}

/** What became of each probe: from which address it was seen, or the error. */
export async function reachOnTheFake({ commands, probes }: Reach): Promise<readonly string[]> {
  const network = new MachineNetwork({ node: 'node-1', now: () => 0, random: seededRandom(1) });
  for (const command of commands) await network.tools.run(wordsOf(command));
  for (const namespace of network.named.values()) namespace.sockets.listen({ protocol: 'tcp', port: 80 }, {});
  return probes.map(({ from, to, port }) => {
    const { connection, fate } = openConnection(network.called(from), { ip: parseIP(to), port });
    if (connection) return `seen from ${connection.seenFrom.ip.text}`;
    return fate.kind === 'rejected' ? fate.error : 'nothing';
  });
}

/** For so long a probe waits for an answer from the real one. */
const PATIENCE_MS = 700;

/** The same, through the kernel of this machine. */
export function reachOnTheReal({ commands, probes }: Reach): readonly string[] {
  const names = [...new Set(commands.flatMap((command) => /^ip netns add (.+)$/.exec(command)?.[1] ?? []))];
  const server = `require('net').createServer((s) => { s.on('error', () => {}); s.end(s.remoteAddress.replace('::ffff:', '')); }).listen(80, '0.0.0.0', () => console.log('up'))`;
  const client = `const [to, port] = process.argv.slice(1); let said = '';
    const s = require('net').connect({ host: to, port: Number(port) });
    const tell = (what) => { console.log(what); process.exit(0); };
    s.on('data', (d) => { said += d; }).on('end', () => tell('seen from ' + said)).on('error', (e) => tell(e.code));
    setTimeout(() => tell('nothing'), ${PATIENCE_MS});`;
  const script = [
    'set -e; mkdir -p /run/netns; mount -t tmpfs none /run/netns; d=$(mktemp -d)',
    `trap 'kill $(cat $d/pids) 2>/dev/null; rm -r $d' EXIT`,
    ...commands.map((command) => `${command} >/dev/null`),
    ...names.map((name) => `ip netns exec ${name} "$NODE" -e "$SERVER" >$d/${name} & echo $! >>$d/pids`),
    ...names.map((name) => `until grep -q up $d/${name}; do sleep 0.02; done`),
    ...probes.map(({ from, to, port }) => `ip netns exec ${from} "$NODE" -e "$CLIENT" ${to} ${port}`),
  ].join('\n');
  const env = { ...process.env, NODE: process.execPath, SERVER: server, CLIENT: client };
  const { stdout, stderr, status } = spawnSync('unshare', ['--net', '--mount', 'bash', '-c', script], {
    encoding: 'utf8',
    env,
  });
  if (status !== 0) throw new Error(`Failed to run in a namespace of its own: ${stderr}`);
  return stdout.trim().split('\n');
}
