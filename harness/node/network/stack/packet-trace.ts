import type { NetworkNamespace } from './namespace.ts';
import { formatPacket, type Packet } from './packet.ts';

/** One step in the path of a packet. */
interface Hop {
  /** The name of the machine, `router`, or the host outside. */
  readonly node: string;
  /** The namespace, such as `web-0`; empty for the machine's own. */
  readonly namespace: string;
  /** The action there, such as `route default via 10.244.1.1 dev eth0`. */
  readonly what: string;
  /** The packet after this step. */
  readonly packet: Packet;
}

/** The fate of a packet. */
export type Fate =
  | { readonly kind: 'delivered' }
  /** The packet was lost without an error; the sender waits until its timeout. */
  | { readonly kind: 'lost'; readonly why: string }
  /** The packet was rejected, and the sender gets an error after `afterMs`. */
  | {
      readonly kind: 'rejected';
      readonly error: NetworkErrno;
      readonly why: string;
      readonly afterMs: number;
      /**
       * The packet that reports the error to the sender, and its origin. Absent if the sender's own namespace detected
       * the error.
       */
      readonly refusal?: { readonly from: NetworkNamespace; readonly packet: Packet };
    };

/** The errors that the sender of a packet may get. */
export type NetworkErrno = 'ECONNREFUSED' | 'EHOSTUNREACH' | 'ENETUNREACH' | 'EPERM';

/** The path of one packet. */
export class PacketTrace {
  readonly hops: Hop[] = [];
  fate: Fate = { kind: 'lost', why: 'it was never sent' };

  /** @param where - the namespace of this step */
  step(where: { readonly node: string; readonly label: string }, what: string, packet: Packet): void {
    this.hops.push({ node: where.node, namespace: where.label, what, packet });
  }

  /** The namespace of the last hop, such as `web-0 on node-1`. */
  get place(): string {
    const last = this.hops.at(-1);
    if (!last) return 'nowhere';
    return placeOf(last);
  }
}

/** Formats a place: `web-0 on node-1`, `node-1`. */
export function placeOf({ node, namespace }: Pick<Hop, 'node' | 'namespace'>): string {
  return namespace === '' ? node : `${namespace} on ${node}`;
}

/** Formats the path there and, if there is an answer, the path back: one line for each step. */
export function formatWays({
  there,
  back,
}: {
  readonly there: PacketTrace;
  readonly back?: PacketTrace;
}): readonly string[] {
  return [...formatPacketTrace(there), ...(back ? ['and back', ...formatPacketTrace(back)] : [])];
}

/**
 * Formats the path of a packet for people: the packet, then a line for each step until the packet changes, and the fate
 * at the end.
 *
 *     10.244.1.3:32768 → 10.96.0.10:80 tcp
 *       web-0 on node-1  sends
 *       web-0 on node-1  route default via 10.244.1.1 dev eth0
 *     10.244.1.3:32768 → 10.244.2.2:80 tcp
 *       node-1           PREROUTING DNAT
 *       …
 *     ✓ delivered
 */
export function formatPacketTrace({ hops, fate }: Pick<PacketTrace, 'hops' | 'fate'>): readonly string[] {
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
