import type { IP } from '../../../api/ip-prefix.ts';
import type { Packet } from '../stack/packet.ts';

/** The two ends of a connection, as seen in packets of one direction. */
export type Tuple = Pick<Packet, 'src' | 'sport' | 'dst' | 'dport' | 'protocol'>;

/** An address and a port. */
export interface Endpoint {
  readonly ip: IP;
  readonly port: number;
}

/** `original` is the direction of the packet that opened the connection. */
export type Direction = 'original' | 'reply';

/** A connection, and the translation of its packets in a namespace. */
export class Connection {
  /** The ends in the packet that opened it. */
  readonly original: Tuple;
  /** The ends in its answers on arrival. Addresses are translated if this is not the reverse of {@link original}. */
  reply: Tuple;
  /** Whether an answer has been seen. */
  isReplied = false;
  /** The ends that a rule has already decided on. Each is decided once. */
  readonly decided = new Set<'src' | 'dst'>();
  /** Whether its first packet got through. Until then no other packet belongs to it. */
  confirmed = false;
  expiresAtMs = 0;
  #rememberedMs: number | undefined;

  constructor(original: Tuple) {
    this.original = original;
    this.reply = reversed(original);
  }

  /** Returns the translated endpoint for packets of this direction. */
  translated(direction: Direction, end: 'src' | 'dst'): Endpoint {
    const other = direction === 'original' ? this.reply : this.original;
    return end === 'dst' ? { ip: other.src, port: other.sport } : { ip: other.dst, port: other.dport };
  }

  /** How long after its last packet a closed connection is remembered, in ms; undefined while it is open. */
  get rememberedMs(): number | undefined {
    return this.#rememberedMs;
  }

  /** Marks the connection as closed by both ends. */
  close(nowMs: number, rememberedMs = TIME_WAIT_MS): void {
    this.#rememberedMs = rememberedMs;
    this.expiresAtMs = Math.min(this.expiresAtMs, nowMs + rememberedMs);
  }

  /** Translates the destination of all its packets from now on. */
  setDestination({ ip, port }: Endpoint): void {
    this.reply = { ...this.reply, src: ip, sport: port };
  }

  /** Translates the source of all its packets from now on. */
  setSource({ ip, port }: Endpoint): void {
    this.reply = { ...this.reply, dst: ip, dport: port };
  }
}

/** The relation of a packet to the connections of a namespace. */
export type Tracked =
  | {
      /** `RELATED`: an ICMP error about a packet of the connection. */
      readonly state: 'NEW' | 'ESTABLISHED' | 'RELATED';
      readonly connection: Connection;
      readonly direction: Direction;
    }
  /** The packet belongs to no connection and opens none, such as an answer to a request that was never seen. */
  | { readonly state: 'INVALID' }
  /** Connection tracking is off. */
  | { readonly state: 'UNTRACKED' };

/**
 * How long a connection is remembered after its last packet, in ms.
 *
 * Upstream: torvalds/linux@v6.12 net/netfilter/nf_conntrack_proto_tcp.c tcp_timeouts, nf_conntrack_proto_udp.c udp_timeouts
 */
const timeoutsMs = {
  tcp: { unreplied: 120_000, replied: 432_000_000 },
  udp: { unreplied: 30_000, replied: 120_000 },
  icmp: { unreplied: 30_000, replied: 30_000 },
};

/** How long a TCP connection is remembered after its end. Upstream: as above, TCP_CONNTRACK_TIME_WAIT */
const TIME_WAIT_MS = 120_000;

/** How long a connection that was refused or reset is remembered. Upstream: as above, TCP_CONNTRACK_CLOSE */
const CLOSE_MS = 10_000;

/** Expired connections are removed only if the table has more entries than this. */
const SWEEP_MIN = 1_024;

/**
 * The connections through a namespace. The rules of the table `nat` see only the first packet of each connection. Their
 * decision holds for all other packets, in both directions.
 */
export class Conntrack {
  readonly #now: () => number;
  readonly #byTuple = new Map<string, { readonly connection: Connection; readonly direction: Direction }>();

  #sweepAt = SWEEP_MIN;

  constructor(now: () => number) {
    this.#now = now;
  }

  get isEmpty(): boolean {
    return this.#byTuple.size === 0;
  }

  /** All connections that have not expired, in the order of creation. */
  get connections(): readonly Connection[] {
    this.#expire();
    return [...new Set([...this.#byTuple.values()].map(({ connection }) => connection))];
  }

  /** Finds the connection of a packet. The first packet creates it; it stays unconfirmed until {@link confirm}. */
  track(packet: Packet): Tracked {
    if (packet.about) {
      const about = this.#find(reversed(packet.about));
      return about ? { ...about, state: 'RELATED' } : { state: 'INVALID' };
    }
    const found = this.#find(packet);
    if (found?.connection.rememberedMs !== undefined && packet.kind === 'syn') this.#remove(found.connection);
    else if (found) {
      if (found.direction === 'reply') found.connection.isReplied = true;
      this.#touch(found.connection);
      if (packet.kind === 'rst') found.connection.close(this.#now(), CLOSE_MS);
      const isReply = found.direction === 'reply' || found.connection.isReplied;
      return { ...found, state: isReply ? 'ESTABLISHED' : 'NEW' };
    }
    if (packet.kind === 'syn-ack' || packet.kind === 'rst' || packet.kind === 'echo-reply')
      return { state: 'INVALID' };
    const { src, sport, dst, dport, protocol } = packet;
    return {
      state: 'NEW',
      direction: 'original',
      connection: new Connection({ src, sport, dst, dport, protocol }),
    };
  }

  /** Whether no other connection has the same reply tuple. */
  isFree(reply: Tuple): boolean {
    return this.#find(reply) === undefined;
  }

  /**
   * Stores a connection once its first packet has got through.
   * @returns false if another connection has the same ends
   */
  confirm(connection: Connection): boolean {
    if (connection.confirmed) return true;
    if (this.#find(connection.original) || this.#find(connection.reply)) return false;
    connection.confirmed = true;
    this.#byTuple.set(keyOf(connection.original), { connection, direction: 'original' });
    this.#byTuple.set(keyOf(connection.reply), { connection, direction: 'reply' });
    this.#touch(connection);
    if (this.#byTuple.size > this.#sweepAt) {
      this.#expire();
      this.#sweepAt = Math.max(SWEEP_MIN, 2 * this.#byTuple.size);
    }
    return true;
  }

  /** Deletes the connections that match the condition. @returns the deleted connections */
  forget(condition: (connection: Connection) => boolean): readonly Connection[] {
    const gone = this.connections.filter(condition);
    for (const connection of gone) this.#remove(connection);
    return gone;
  }

  #find(tuple: Tuple) {
    const found = this.#byTuple.get(keyOf(tuple));
    if (!found || found.connection.expiresAtMs > this.#now()) return found;
    this.#remove(found.connection);
    return undefined;
  }

  #expire(): void {
    for (const { connection } of this.#byTuple.values())
      if (connection.expiresAtMs <= this.#now()) this.#remove(connection);
  }

  #remove({ original, reply }: Connection): void {
    this.#byTuple.delete(keyOf(original));
    this.#byTuple.delete(keyOf(reply));
  }

  #touch(connection: Connection): void {
    const { unreplied, replied } = timeoutsMs[connection.original.protocol];
    connection.expiresAtMs =
      this.#now() + (connection.rememberedMs ?? (connection.isReplied ? replied : unreplied));
  }
}

/** Returns the tuple of the opposite direction. */
export function reversed({ src, sport, dst, dport, protocol }: Tuple): Tuple {
  return { src: dst, sport: dport, dst: src, dport: sport, protocol };
}

function keyOf({ src, sport, dst, dport, protocol }: Tuple): string {
  return `${protocol} ${src.text} ${sport} ${dst.text} ${dport}`;
}
