import { parseIP } from '../../api/ip-prefix.ts';
import { type Opened, openConnection } from '../../node/network/stack/connection.ts';
import type { Place, ProxyNetwork } from './network.ts';

/** What is asked for: an address, a port and a protocol. */
export interface Frontend {
  readonly ip: string;
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
}

/** What became of a try to connect. */
export interface Outcome {
  /** The address that took it; undefined when nothing did. */
  readonly reached: string | undefined;
  /** From which address it came, to what took it. */
  readonly seenFrom: string | undefined;
  /** Whether the client was told at once that there is nothing. */
  readonly isRefused: boolean;
}

/** A try to connect: from where, and to what. */
interface Probe {
  readonly network: ProxyNetwork;
  readonly place: Place;
  readonly frontend: Frontend;
}

/** Tries once. Whatever rules leave to chance is thrown by the machine's own dice. */
export function connect({ network, place, frontend: { ip, port, protocol } }: Probe): Outcome {
  const opened = openConnection(network.from[place], { ip: parseIP(ip), port, protocol });
  const outcome = outcomeOf(opened, protocol);
  opened.connection?.close();
  return outcome;
}

function outcomeOf({ connection, fate }: Opened, protocol: 'tcp' | 'udp'): Outcome {
  const answers = connection && (protocol === 'tcp' || connection.answer().fate.kind === 'delivered');
  if (!answers) return { reached: undefined, seenFrom: undefined, isRefused: fate.kind === 'rejected' };
  const { namespace, seenFrom } = connection;
  const [address] = namespace.links.get('eth0')?.addresses ?? [];
  return { reached: address?.ip.text, seenFrom: seenFrom.ip.text, isRefused: false };
}

/** Tries all that may happen: at each rule that is left to chance both ways. As a client that has never been there. */
export function connectEachWay(probe: Probe): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  const tryWays = (turns: readonly boolean[]): void => {
    let thrown = 0;
    const outcome = withDice(probe, () => (turns[thrown++] === false ? 1 : 0));
    outcomes.push(outcome);
    for (let i = turns.length; i < thrown; i++) {
      const straight = Array.from({ length: i - turns.length }, () => true);
      tryWays([...turns, ...straight, false]);
    }
  };
  tryWays([]);
  return outcomes;
}

/** How finely chances are measured: to 1 in 2^this. */
const PRECISION_BITS = 10;

/** How probable each address is, for a client that has never been there. @param places how many may decide at most */
export function chances(probe: Probe): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  let rest = 1;
  // At each rule in turn: below which number does it send the client elsewhere?
  for (let skipped = 0; ; skipped++) {
    let thrown = 0;
    const at = (number: number): Outcome => {
      thrown = 0;
      return withDice(probe, () => (thrown++ < skipped ? 1 : number));
    };
    const low = at(0);
    if (low.reached === undefined) return found;
    const isLast = thrown <= skipped;
    let [min, max] = [0, 1];
    for (let i = 0; !isLast && i < PRECISION_BITS; i++) {
      const middle = (min + max) / 2;
      if (at(middle).reached === low.reached) min = middle;
      else max = middle;
    }
    const chance = isLast ? rest : rest * min;
    found.set(low.reached, (found.get(low.reached) ?? 0) + chance);
    rest -= chance;
    if (isLast) return found;
  }
}

/** Tries with other dice. What the machine remembers of it is forgotten. */
function withDice(probe: Probe, float: () => number): Outcome {
  const { netfilter } = probe.network;
  const before = new Map([...netfilter.recent].map(([list, seen]) => [list, new Map(seen)]));
  const known = new Set(netfilter.conntrack.connections);
  netfilter.recent.clear();
  netfilter.dice = { float: () => Math.min(float(), 1 - 2 ** -32) };
  try {
    return connect(probe);
  } finally {
    netfilter.dice = undefined;
    netfilter.conntrack.forget((connection) => !known.has(connection));
    netfilter.recent.clear();
    for (const [list, seen] of before) netfilter.recent.set(list, seen);
  }
}
