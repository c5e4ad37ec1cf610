import type { IP } from '../../../api/ip-prefix.ts';
import type { Server } from '../../programs/program.ts';
import type { NetworkNamespace } from './namespace.ts';
import { type Packet, TTL } from './packet.ts';
import { type Fate, PacketTrace, placeOf } from './packet-trace.ts';
import type { Socket } from './sockets.ts';
import { sendPacket } from './walk.ts';

/** The destination of a connection. */
interface Destination {
  readonly ip: IP;
  readonly port: number;
  /** @defaultValue tcp */
  readonly protocol?: 'tcp' | 'udp';
}

/** The result of an attempt to open a connection. */
export interface Opened {
  /** The path of the first packet. */
  readonly there: PacketTrace;
  /** The path of its answer or refusal; absent if neither was sent. */
  readonly back?: PacketTrace;
  /** The outcome for the client. */
  readonly fate: Fate;
  /** Undefined when the attempt failed. */
  readonly connection?: OpenConnection;
}

/** A connection between two sockets. */
export interface OpenConnection {
  /** The socket that accepted it. */
  readonly socket: Socket<Server>;
  /** The client's address, seen from the server. */
  readonly seenFrom: { readonly ip: IP; readonly port: number };
  /** The namespace of the server. */
  readonly namespace: NetworkNamespace;
  /** Sends a packet to the server. @returns its path, and whether it arrived */
  readonly ask: () => PacketTrace;
  /** Sends a packet back to the client. */
  readonly answer: () => PacketTrace;
  /**
   * Closes the connection. No more packets are expected.
   *
   * Differs: all connection tables on its path learn of this at once, even if they cannot be reached.
   */
  close(): void;
}

/** An attempt to open a connection, as a packet capture shows it. */
export interface Attempt {
  /** Virtual ms since the start of the simulation. */
  readonly atMs: number;
  /** The namespace of the client. */
  readonly from: NetworkNamespace;
  readonly to: Destination;
  readonly opened: Opened;
}

const observers = new WeakMap<NetworkNamespace, (attempt: Attempt) => void>();

/** Reports to `observer` each connection that is opened from the namespace, successful or not. */
export function observeConnections(namespace: NetworkNamespace, observer: (attempt: Attempt) => void): void {
  observers.set(namespace, observer);
}

/**
 * Opens a connection from a namespace: sends the first packet and, over TCP, its answer. Routes, rules and bridges on
 * the path see both.
 *
 * @param options - `sport`: the source port. @defaultValue a free port
 */
export function openConnection(
  namespace: NetworkNamespace,
  to: Destination,
  options: { readonly sport?: number } = {},
): Opened {
  const opened = open(namespace, to, options);
  observers.get(namespace)?.({ atMs: namespace.nowMs(), from: namespace, to, opened });
  return opened;
}

function open(
  namespace: NetworkNamespace,
  { ip, port, protocol = 'tcp' }: Destination,
  { sport }: { readonly sport?: number },
): Opened {
  const nowMs = namespace.nowMs();
  const src = sourceOf(namespace, ip);
  if (!src) return outcome(unreachable(namespace, ip));
  const first: Packet = {
    src,
    dst: ip,
    protocol,
    sport: sport ?? namespace.sockets.ephemeral(protocol, ip, port),
    dport: port,
    kind: protocol === 'tcp' ? 'syn' : 'datagram',
    ttl: TTL,
    mark: 0,
  };
  const close = namespace.sockets.expect(first);
  const { packetTrace: there, arrival, tracked } = sendPacket(namespace, first, nowMs);
  const socket = arrival?.namespace.sockets.listener(arrival.packet);
  if (!arrival || !socket) {
    const refusal = there.fate.kind === 'rejected' ? there.fate.refusal : undefined;
    const back = refusal && sendPacket(refusal.from, refusal.packet, nowMs).packetTrace;
    close();
    return outcome(there, back);
  }
  const { namespace: other, packet: seen } = arrival;
  const reply = (kind: Packet['kind']): PacketTrace => {
    const { src: to, sport: toPort, dst: from, dport: fromPort } = seen;
    return sendPacket(
      other,
      { ...first, kind, src: from, sport: fromPort, dst: to, dport: toPort },
      other.nowMs(),
    ).packetTrace;
  };
  const carried = protocol === 'tcp' ? 'data' : 'datagram';
  const connection: OpenConnection = {
    socket,
    seenFrom: { ip: seen.src, port: seen.sport },
    namespace: other,
    ask: () => sendPacket(namespace, { ...first, kind: carried }, namespace.nowMs()).packetTrace,
    answer: () => reply(carried),
    close: () => {
      close();
      if (protocol === 'udp') return;
      for (const each of tracked) each.close(namespace.nowMs());
    },
  };
  if (protocol === 'udp') return { ...outcome(there), connection };
  const back = reply('syn-ack');
  if (back.fate.kind === 'delivered') return { ...outcome(there, back), connection };
  close();
  return outcome(there, back);
}

/**
 * Combines both paths into the client's outcome. If the answer or the refusal is lost, the client sees a lost packet.
 */
function outcome(there: PacketTrace, back?: PacketTrace): Omit<Opened, 'connection'> {
  const isLost = back !== undefined && back.fate.kind !== 'delivered';
  const fate: Fate = isLost
    ? { kind: 'lost', why: 'why' in back.fate ? `on the way back: ${back.fate.why}` : '' }
    : there.fate;
  return { there, ...(back && { back }), fate };
}

function sourceOf(namespace: NetworkNamespace, ip: IP): IP | undefined {
  if (namespace.isLocal(ip)) return ip;
  const route = namespace.routeTo(ip);
  return route && namespace.sourceFor(route, ip.family);
}

function unreachable(namespace: NetworkNamespace, ip: IP): PacketTrace {
  const packetTrace = new PacketTrace();
  const place = placeOf({ node: namespace.node, namespace: namespace.label });
  const why = `network is unreachable: ${place} has no route to ${ip.text}`;
  packetTrace.fate = { kind: 'rejected', error: 'ENETUNREACH', why, afterMs: 0 };
  return packetTrace;
}
