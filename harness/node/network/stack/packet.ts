import type { IP } from '../../../api/ip-prefix.ts';

/** What is carried from one socket to another, or by `ping`. */
export interface Packet {
  readonly src: IP;
  readonly dst: IP;
  readonly protocol: 'tcp' | 'udp' | 'icmp';
  /** 0 for icmp. */
  readonly sport: number;
  readonly dport: number;
  /** What it is to the socket: the first packet of a connection, its answer, a refusal, or what the connection carries. */
  readonly kind: 'syn' | 'syn-ack' | 'rst' | 'data' | 'datagram' | 'echo' | 'echo-reply' | 'unreachable';
  /** Of an `unreachable`: the packet that it is about, as it was where it ended. */
  readonly about?: Packet;
  /** How many more routers may pass it on. */
  readonly ttl: number;
  /** What rules have written on it for other rules to read. It does not leave the machine. */
  readonly mark: number;
}

/** How far a packet comes if nothing else is said. Upstream: torvalds/linux@v6.12 include/net/ip.h IPDEFTTL */
export const TTL = 64;

/** A packet on a link, from one interface to another. */
export interface Frame {
  readonly from: MAC;
  /** {@link BROADCAST} for all. */
  readonly to: MAC;
  readonly packet: Packet;
}

/** The address of an interface on its link: `0a:58:0a:f4:01:02`. */
export type MAC = string;

/** All interfaces of a link. */
export const BROADCAST: MAC = 'ff:ff:ff:ff:ff:ff';

/** `10.244.1.2:34567 → 10.96.0.10:80 tcp`, as one reads it in a capture. What tells of a failure says so. */
export function formatPacket({ src, dst, protocol, sport, dport, kind }: Packet): string {
  if (protocol === 'icmp')
    return `${src.text} → ${dst.text} icmp${kind === 'unreachable' ? ' unreachable' : ''}`;
  return `${endpoint(src, sport)} → ${endpoint(dst, dport)} ${protocol}${kind === 'rst' ? ' reset' : ''}`;
}

/** `10.244.1.2:80`, `[2001:db8::1]:80`. */
export function endpoint(ip: IP, port: number): string {
  return ip.family === 4 ? `${ip.text}:${port}` : `[${ip.text}]:${port}`;
}
