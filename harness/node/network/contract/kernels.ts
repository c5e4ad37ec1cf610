import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { parseIP } from '../../../api/ip-prefix.ts';
import { ToolError } from '../../../contracts/node/network-tools.ts';
import { seededRandom } from '../../../sim/index.ts';
import { openConnection } from '../stack/connection.ts';
import { MachineNetwork } from '../stack/machine-network.ts';
import { wordsOf } from '../tools/iptables/save-restore.ts';
import type { Reach } from './reaches.ts';

const execute = promisify(execFile);

/** The outcome of a command. */
export interface Outcome {
  readonly command: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands on the simulated kernel. */
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

/**
 * Linux reports the operational state of a link a moment after a change, at most once a second.
 *
 * Upstream: torvalds/linux@v6.12 net/core/link_watch.c linkwatch_schedule_work
 */
const LINKS_TOLD_AFTER_S = 1.2;

/**
 * Runs commands on the kernel of this machine, in new namespaces that are removed afterwards.
 *
 * @param options - `patient`: waits before each command that shows something, until link states are up to date
 */
export async function onTheReal(
  commands: readonly string[],
  { patient = false }: { readonly patient?: boolean } = {},
): Promise<readonly Outcome[]> {
  const before = (command: string): string =>
    patient && / show\b/.test(command) ? `sleep ${LINKS_TOLD_AFTER_S}; ` : '';
  const script = [
    'd=$(mktemp -d); trap "rm -r $d" EXIT; mkdir -p /run/netns; mount -t tmpfs none /run/netns; ip link set lo up',
    ...commands.map(
      (command) =>
        `${before(command)}(${command}) >$d/out 2>$d/err; echo $?; base64 -w0 $d/out; echo; base64 -w0 $d/err; echo`,
    ),
  ];
  const lines = (await inOwnNamespace(script.join('\n'))).split('\n');
  const text = (line: string | undefined): string => Buffer.from(line ?? '', 'base64').toString('utf8');
  return commands.map((command, i) => ({
    command,
    exitCode: Number(lines[3 * i]),
    stdout: text(lines[3 * i + 1]),
    stderr: text(lines[3 * i + 2]),
  }));
}

/**
 * Returns the reason why this machine cannot create namespaces or lacks one of these programs; undefined if it can run
 * the tests.
 */
export function whyNotReal(...programs: readonly string[]): string | undefined {
  const missing = programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
  if (missing.length > 0) return `${missing.join(' and ')} not installed`;
  if (!SETNS[process.arch]) return `setns(2) is not known for ${process.arch}`;
  return spawnSync('unshare', ['--net', '--mount', 'true']).status === 0
    ? undefined
    : 'creating namespaces is not permitted here';
}

/** Returns the outcome of each probe: the source address that the server saw, or the error. */
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

/** How long a probe on the real kernel waits for an answer. */
const PATIENCE_MS = 300;

/** The number of the system call setns(2), by architecture. */
const SETNS: Partial<Record<NodeJS.Architecture, number>> = { x64: 308, arm64: 268 };

/**
 * A program that listens in all namespaces, and connects from one after the other. It is written in perl because Node
 * cannot change its namespace, and one process per namespace would be slow.
 */
const PROBER = `use strict; use Socket; use IO::Handle; use Errno;
my ($names, @probes) = @ARGV; my @servers;
sub enter { open my $file, '<', "/run/netns/$_[0]" or die $!; syscall($ENV{SETNS}, fileno $file, 0x40000000) == 0 or die $! }
sub tcp { socket my $socket, PF_INET, SOCK_STREAM, 0 or die $!; return $socket }
for my $name (split /,/, $names) {
  enter $name; my $server = tcp; setsockopt $server, SOL_SOCKET, SO_REUSEADDR, 1;
  bind $server, sockaddr_in(80, INADDR_ANY) or die $!; listen $server, 9; push @servers, $server;
}
while (my ($from, $to, $port) = splice @probes, 0, 3) {
  enter $from; my $client = tcp; $client->blocking(0); my ($seen, $said, $left) = ('', 'nothing', $ENV{PATIENCE_S});
  connect $client, sockaddr_in($port, inet_aton $to) or $!{EINPROGRESS} or ($said) = grep { $!{$_} } keys %!;
  until ($said ne 'nothing' or $left <= 0) {
    my ($read, $write) = ('', ''); vec($read, fileno $_, 1) = 1 for @servers; vec($write, fileno $client, 1) = 1 unless $seen eq 'connected';
    my ($found, $rest) = select $read, $write, undef, 0.02; $left -= 0.02 unless $found;
    if (vec $write, fileno $client, 1) {
      $! = unpack 'i', getsockopt $client, SOL_SOCKET, SO_ERROR;
      if ($! + 0) { ($said) = grep { $!{$_} } keys %!; } else { $seen = 'connected'; }
    }
    for my $server (grep { vec $read, fileno $_, 1 } @servers) { my (undef, $ip) = sockaddr_in(accept my $socket, $server); $said = 'seen from ' . inet_ntoa $ip }
  }
  print "$said\n";
}`;

/** Returns the outcome of each probe on the kernel of this machine. */
export async function reachOnTheReal({ commands, probes }: Reach): Promise<readonly string[]> {
  const names = [...new Set(commands.flatMap((command) => /^ip netns add (.+)$/.exec(command)?.[1] ?? []))];
  const script = [
    'set -e; mkdir -p /run/netns; mount -t tmpfs none /run/netns',
    ...commands.map((command) => `${command} >/dev/null`),
    `perl -e "$PROBER" ${names.join(',')} ${probes.map(({ from, to, port }) => `${from} ${to} ${port}`).join(' ')}`,
  ].join('\n');
  const stdout = await inOwnNamespace(script, {
    PROBER,
    SETNS: String(SETNS[process.arch]),
    PATIENCE_S: String(PATIENCE_MS / 1_000),
  });
  return stdout.trim().split('\n');
}

/** Runs a script in new namespaces that are removed afterwards. @throws Error when the script fails */
async function inOwnNamespace(script: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout } = await execute('unshare', ['--net', '--mount', 'sh', '-c', script], {
    env: { ...process.env, ...env },
  }).catch(({ stderr }) => {
    throw new Error(`Failed to run in a new namespace: ${stderr}`);
  });
  return stdout;
}
