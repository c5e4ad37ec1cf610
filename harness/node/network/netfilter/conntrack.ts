import type { IP } from '../../../api/ip-prefix.ts';
import type { Packet } from '../stack/packet.ts';

/** The ends of a connection, as its packets in one direction have them. */
export type Tuple = Pick<Packet, 'src' | 'sport' | 'dst' | 'dport' | 'protocol'>;

/** An address and a port. */
export interface Endpoint {
  readonly ip: IP;
  readonly port: number;
}

/** `original`: from the one that opened it. */
export type Direction = 'original' | 'reply';

/** A connection, and what its packets turn into on their way through a namespace. */
export class Connection {
  /** As it was opened. */
  readonly original: Tuple;
  /** As its answers come in: where this is not {@link original} turned around, addresses are translated. */
  reply: Tuple;
  /** Whether an answer has been seen. */
  isReplied = false;
  /** Which ends a rule has decided on: each is asked about once. */
  readonly decided = new Set<'src' | 'dst'>();
  /** Whether its first packet got through; until then no other packet belongs to it. */
  confirmed = false;
  expiresAtMs = 0;
  #rememberedMs: number | undefined;

  constructor(original: Tuple) {
    this.original = original;
    this.reply = reversed(original);
  }

  /** The end that packets of this direction are to have, in place of the one that they come with. */
  translated(direction: Direction, end: 'src' | 'dst'): Endpoint {
    const other = direction === 'original' ? this.reply : this.original;
    return end === 'dst' ? { ip: other.src, port: other.sport } : { ip: other.dst, port: other.dport };
  }

  /** For how long after its last packet it is remembered, now that it is over; undefined as long as it is not. */
  get rememberedMs(): number | undefined {
    return this.#rememberedMs;
  }

  /** Its two ends have done with it. */
  close(nowMs: number, rememberedMs = TIME_WAIT_MS): void {
    this.#rememberedMs = rememberedMs;
    this.expiresAtMs = Math.min(this.expiresAtMs, nowMs + rememberedMs);
  }

  /** From now on its packets go to another address. */
  setDestination({ ip, port }: Endpoint): void {
    this.reply = { ...this.reply, src: ip, sport: port };
  }

  /** From now on its packets come from another address. */
  setSource({ ip, port }: Endpoint): void {
    this.reply = { ...this.reply, dst: ip, dport: port };
  }
}

/** What a packet is to the connections of a namespace. */
export type Tracked =
  | {
      /** `RELATED`: it tells of a packet of the connection that got nowhere. */
      readonly state: 'NEW' | 'ESTABLISHED' | 'RELATED';
      readonly connection: Connection;
      readonly direction: Direction;
    }
  /** It belongs to none and begins none: the answer to a question that was never seen. */
  | { readonly state: 'INVALID' }
  /** No one asked to keep track. */
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

/** How long a connection over TCP is remembered after its end. Upstream: as above, TCP_CONNTRACK_TIME_WAIT */
const TIME_WAIT_MS = 120_000;

/** How long one that was refused, or reset, is remembered. Upstream: as above, TCP_CONNTRACK_CLOSE */
const CLOSE_MS = 10_000;

/** Beyond so many, those that have expired are looked for. */
const SWEEP_MIN = 1_024;

/**
 * The connections that go through a namespace. Rules of the table `nat` see the first packet of each; what they decide holds for
 * all the others, in both directions.
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

  /** All that have not expired, in the order in which they were opened. */
  get connections(): readonly Connection[] {
    this.#expire();
    return [...new Set([...this.#byTuple.values()].map(({ connection }) => connection))];
  }

  /** Finds what a packet belongs to. If it is the first of its connection, that is made, but not yet {@link confirm | confirmed}. */
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

  /** Whether no other connection has answers like this. */
  isFree(reply: Tuple): boolean {
    return this.#find(reply) === undefined;
  }

  /** Remembers a connection, now that its first packet got through. @returns whether it could: false if another has its ends */
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

  /** Forgets those for which this holds. @returns them */
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

/** The same connection, as its answers have it. */
export function reversed({ src, sport, dst, dport, protocol }: Tuple): Tuple {
  return { src: dst, sport: dport, dst: src, dport: sport, protocol };
}

function keyOf({ src, sport, dst, dport, protocol }: Tuple): string {
  return `${protocol} ${src.text} ${sport} ${dst.text} ${dport}`;
}
