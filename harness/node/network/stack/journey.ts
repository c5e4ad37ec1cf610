import type { NetworkNamespace } from './namespace.ts';
import { formatPacket, type Packet } from './packet.ts';

/** One step of a packet on its way. */
export interface Hop {
  /** The machine; `internet` beyond them all. */
  readonly node: string;
  /** The namespace: `web-0`; empty for that of the machine. */
  readonly namespace: string;
  /** What was done there: `route default via 10.244.1.1 dev eth0`. */
  readonly what: string;
  /** As it left. */
  readonly packet: Packet;
}

/** What became of a packet. */
export type Fate =
  | { readonly kind: 'delivered' }
  /** It got nowhere, and its sender is not told: it waits in vain. */
  | { readonly kind: 'lost'; readonly why: string }
  /** It got nowhere, and its sender is told. `afterMs`: after so long. */
  | {
      readonly kind: 'rejected';
      readonly error: NetworkErrno;
      readonly why: string;
      readonly afterMs: number;
      /** What is sent back to tell it, and from where. Absent where the sender's own namespace noticed. */
      readonly refusal?: { readonly from: NetworkNamespace; readonly packet: Packet };
    };

/** What the sender of a packet may be told. */
export type NetworkErrno = 'ECONNREFUSED' | 'EHOSTUNREACH' | 'ENETUNREACH' | 'EPERM';

/** The way of one packet. */
export class Journey {
  readonly hops: Hop[] = [];
  fate: Fate = { kind: 'lost', why: 'it was never sent' };

  /** @param where the namespace that does something with it */
  step(where: { readonly node: string; readonly label: string }, what: string, packet: Packet): void {
    this.hops.push({ node: where.node, namespace: where.label, what, packet });
  }

  /** Where it was last: `namespace web-0 on node-1`. */
  get place(): string {
    const last = this.hops.at(-1);
    if (!last) return 'nowhere';
    return placeOf(last);
  }
}

/** `web-0 on node-1`, `node-1`. */
export function placeOf({ node, namespace }: Pick<Hop, 'node' | 'namespace'>): string {
  return namespace === '' ? node : `${namespace} on ${node}`;
}

/** The way there and, if something came back, the way back: a line for each step. */
export function formatWays({
  there,
  back,
}: {
  readonly there: Journey;
  readonly back?: Journey;
}): readonly string[] {
  return [...formatJourney(there), ...(back ? ['and back', ...formatJourney(back)] : [])];
}

/**
 * The way of a packet, for people: the packet as it is, then a line for each step that it takes like that; the fate at the end.
 *
 *     10.244.1.3:32768 → 10.96.0.10:80 tcp
 *       web-0 on node-1  sends
 *       web-0 on node-1  route default via 10.244.1.1 dev eth0
 *     10.244.1.3:32768 → 10.244.2.2:80 tcp
 *       node-1           PREROUTING DNAT
 *       …
 *     ✓ delivered
 */
export function formatJourney({ hops, fate }: Pick<Journey, 'hops' | 'fate'>): readonly string[] {
  const width = Math.max(0, ...hops.map((hop) => placeOf(hop).length));
  let before = '';
  const lines = hops.flatMap((hop) => {
    const packet = formatPacket(hop.packet);
    const step = `  ${placeOf(hop).padEnd(width)}  ${hop.what}`;
    if (packet === before) return [step];
    before = packet;
    return [packet, step];
  });
  return [...lines, fate.kind === 'delivered' ? '✓ delivered' : `✗ ${fate.why}`];
}
