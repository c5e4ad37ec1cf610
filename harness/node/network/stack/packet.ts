import type { IP } from '../../../api/ip-prefix.ts';

/** A packet from one socket to another, or from `ping`. */
export interface Packet {
  readonly src: IP;
  readonly dst: IP;
  readonly protocol: 'tcp' | 'udp' | 'icmp';
  /** 0 for icmp. */
  readonly sport: number;
  readonly dport: number;
  /** The meaning for the socket: the first packet of a connection, its answer, a refusal, or data. */
  readonly kind: 'syn' | 'syn-ack' | 'rst' | 'data' | 'datagram' | 'echo' | 'echo-reply' | 'unreachable';
  /** The packet that an `unreachable` reports, as it was at its last place. */
  readonly about?: Packet;
  /** How many more routers may forward it. */
  readonly ttl: number;
  /** A mark that rules set for other rules. It does not leave the machine. */
  readonly mark: number;
}

/** The default number of hops. Upstream: torvalds/linux@v6.12 include/net/ip.h IPDEFTTL */
export const TTL = 64;

/** A packet on a link, from one interface to another. */
export interface Frame {
  readonly from: MAC;
  /** The receiver; {@link BROADCAST} for all. */
  readonly to: MAC;
  readonly packet: Packet;
}

/** The MAC address of an interface, such as `0a:58:0a:f4:01:02`. */
export type MAC = string;

/** The address of all interfaces on a link. */
export const BROADCAST: MAC = 'ff:ff:ff:ff:ff:ff';

/**
 * Formats a packet as in a capture: `10.244.1.2:34567 → 10.96.0.10:80 tcp`. An error packet is marked as `reset` or
 * `unreachable`.
 */
export function formatPacket({ src, dst, protocol, sport, dport, kind }: Packet): string {
  if (protocol === 'icmp')
    return `${src.text} → ${dst.text} icmp${kind === 'unreachable' ? ' unreachable' : ''}`;
  return `${endpoint(src, sport)} → ${endpoint(dst, dport)} ${protocol}${kind === 'rst' ? ' reset' : ''}`;
}

/** Formats an address and a port: `10.244.1.2:80`, `[2001:db8::1]:80`. */
export function endpoint(ip: IP, port: number): string {
  return ip.family === 4 ? `${ip.text}:${port}` : `[${ip.text}]:${port}`;
}
