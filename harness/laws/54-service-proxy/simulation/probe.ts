import { parseIP } from '../../../api/ip-prefix.ts';
import { type Opened, openConnection } from '../../../node/network/stack/connection.ts';
import type { NetworkNamespace } from '../../../node/network/stack/namespace.ts';
import type { Place, ProxyNetwork } from './network.ts';

/** The target of a connection: an address, a port and a protocol. */
export interface Frontend {
  readonly ip: string;
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
}

/** The outcome of a connection attempt. */
export interface Outcome {
  /** The address that accepted it; undefined when none did. */
  readonly reached: string | undefined;
  /** The source address that the endpoint saw. */
  readonly seenFrom: string | undefined;
  /** Whether the client was rejected immediately. */
  readonly isRefused: boolean;
}

/** A connection attempt: its origin and its target. */
interface Probe {
  readonly network: {
    readonly from: Readonly<Partial<Record<Place, NetworkNamespace>>>;
    readonly netfilter: ProxyNetwork['netfilter'];
  };
  readonly place: Place;
  readonly frontend: Frontend;
}

/** Tries once. Random choices of rules come from the machine's random source. */
export function connect({ network, place, frontend: { ip, port, protocol } }: Probe): Outcome {
  const opened = openConnection(network.from[place] as NetworkNamespace, { ip: parseIP(ip), port, protocol });
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

/** Tries both outcomes at each random rule, as a new client. */
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

/** The precision of probabilities: 2^-PRECISION_BITS. */
const PRECISION_BITS = 10;

/** Returns the probability of each address for a new client. @param places the maximum number of random rules */
export function chances(probe: Probe): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  let rest = 1;
  // For each rule in turn: the threshold below which it sends the client elsewhere.
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

/** Tries with another random source. The machine's connection tracking entries for it are deleted. */
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
