import type { IP } from '../../../api/ip-prefix.ts';
import type { Link } from './link.ts';
import type { MAC } from './packet.ts';

/** A neighbour entry: the MAC address of an IP address on a link. */
export interface Neighbour {
  readonly ip: IP;
  readonly link: Link;
  readonly mac: MAC;
  /** The time of the last confirmation, in ms. */
  readonly confirmedMs: number;
  /** Whether the entry never expires. */
  readonly permanent: boolean;
}

/**
 * How long an ARP answer is valid. Until then packets go to that MAC address, even if the IP address has moved.
 * Afterwards the namespace sends a new request.
 *
 * Upstream: torvalds/linux@v6.12 net/ipv4/arp.c arp_tbl (base_reachable_time)
 *
 * Differs: the kernel waits 15 to 45 s at random, and keeps using an old answer while it asks again.
 */
export const REACHABLE_MS = 30_000;

/** The neighbours of a namespace, by link and address. */
export class Neighbours {
  readonly #entries = new Map<string, Neighbour>();

  get all(): readonly Neighbour[] {
    return [...this.#entries.values()];
  }

  find(link: Link, ip: IP): Neighbour | undefined {
    return this.#entries.get(keyOf(link, ip));
  }

  set(neighbour: Neighbour): void {
    if (this.find(neighbour.link, neighbour.ip)?.permanent && !neighbour.permanent) return;
    this.#entries.set(keyOf(neighbour.link, neighbour.ip), neighbour);
  }

  remove(link: Link, ip: IP): boolean {
    return this.#entries.delete(keyOf(link, ip));
  }

  removeWhere(condition: (neighbour: Neighbour) => boolean): void {
    for (const [key, neighbour] of this.#entries) if (condition(neighbour)) this.#entries.delete(key);
  }
}

function keyOf(link: Link, ip: IP): string {
  return `${link.index} ${ip.text}`;
}
