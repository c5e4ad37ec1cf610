import { parseIP } from '../../api/ip-prefix.ts';
import { seededRandom } from '../../sim/index.ts';
import type { Server } from '../programs/program.ts';
import { type Opened, openConnection } from './stack/connection.ts';
import { MachineNetwork } from './stack/machine-network.ts';
import type { NetworkNamespace } from './stack/namespace.ts';
import { runTool } from './tools/index.ts';
import { wordsOf } from './tools/iptables/save-restore.ts';
import { Refusal } from './tools/words.ts';

/** The network of one machine, with a shell for commands and a clock that the test sets. */
export class Bench {
  nowMs = 0;
  readonly network = new MachineNetwork({
    node: 'node-1',
    now: () => this.nowMs,
    random: seededRandom(1),
  });

  /** Runs commands, and returns the output of the last one. @throws Refusal when a command fails */
  run(...commands: readonly string[]): string {
    return commands.reduce((_, command) => runTool(this.network, wordsOf(command)), '');
  }

  /** Returns the JSON output of a command, parsed. */
  show<T = Record<string, unknown>>(command: string): readonly T[] {
    return JSON.parse(this.run(command));
  }

  /** Returns the error message of a command that fails. */
  refusal(command: string, stdin = ''): string {
    try {
      runTool(this.network, wordsOf(command), stdin);
    } catch (error) {
      if (error instanceof Refusal) return error.message;
      throw error;
    }
    return 'it was not refused';
  }

  /** Returns the namespace of a pod, or the machine's own for `''`. */
  at(name: string): NetworkNamespace {
    return name === '' ? this.network.host : this.network.called(name);
  }

  /** Listens in a namespace. */
  listen(name: string, port = 80, protocol: 'tcp' | 'udp' = 'tcp', server: Server = {}): () => void {
    return this.at(name).sockets.listen({ protocol, port }, server);
  }

  /** Tries to open a connection. */
  open(from: string, to: string, port = 80, protocol: 'tcp' | 'udp' = 'tcp'): Opened {
    return openConnection(this.at(from), { ip: parseIP(to), port, protocol });
  }

  /** Returns the source address that the server sees, or the reason why the connection fails. */
  reach(from: string, to: string, port = 80): string {
    const { connection, fate } = this.open(from, to, port);
    connection?.close();
    if (connection) return `seen from ${connection.seenFrom.ip.text}`;
    return 'why' in fate ? fate.why : fate.kind;
  }
}

/**
 * Creates two pods, `a` (10.244.1.2) and `b` (10.244.1.3), on a bridge with the address 10.244.1.1. Both listen on port
 * 80.
 */
export function twoPods(): Bench {
  const bench = new Bench();
  bench.run(
    'sysctl -w net.ipv4.ip_forward=1',
    'ip link add cni0 type bridge',
    'ip link set cni0 up',
    'ip addr add 10.244.1.1/24 dev cni0',
  );
  for (const [i, pod] of ['a', 'b'].entries()) {
    bench.run(
      `ip netns add ${pod}`,
      `ip link add veth-${pod} type veth peer name eth0 netns ${pod}`,
      `ip link set veth-${pod} master cni0`,
      `ip link set veth-${pod} up`,
      `ip -n ${pod} link set lo up`,
      `ip -n ${pod} addr add 10.244.1.${i + 2}/24 dev eth0`,
      `ip -n ${pod} link set eth0 up`,
      `ip -n ${pod} route add default via 10.244.1.1`,
    );
    bench.listen(pod);
  }
  return bench;
}
