import type { IP } from '../../../api/ip-prefix.ts';
import { receiversOf } from './ethernet.ts';
import type { Link } from './link.ts';
import { namespaceOf } from './namespace.ts';
import { REACHABLE_MS } from './neighbours.ts';
import { BROADCAST, type MAC } from './packet.ts';

/**
 * How long a namespace sends ARP requests for an address before it gives up: three requests, one a second.
 *
 * Upstream: torvalds/linux@v6.12 net/ipv4/arp.c arp_tbl (mcast_probes, retrans_time)
 */
export const UNREACHABLE_AFTER_MS = 3_000;

/**
 * Finds the MAC address of an IP address on a link (ARP). An answer younger than {@link REACHABLE_MS} is used without a
 * new request.
 *
 * @returns undefined when no interface answers
 */
export function resolve(link: Link, ip: IP, nowMs: number): MAC | undefined {
  const { neighbours, sourceFor } = namespaceOf(link);
  const known = neighbours.find(link, ip);
  if (known && (known.permanent || nowMs - known.confirmedMs < REACHABLE_MS)) return known.mac;
  const asked = receiversOf(link, { from: link.mac, to: BROADCAST }, nowMs);
  // An interface answers for all addresses of its namespace.
  const owner = asked.find((other) => namespaceOf(other).isLocal(ip));
  const own = sourceFor.call(namespaceOf(link), { dev: link }, ip.family);
  if (!owner) {
    neighbours.remove(link, ip);
    return undefined;
  }
  // The answer travels back, and bridges on its path learn from it.
  receiversOf(owner, { from: owner.mac, to: link.mac }, nowMs);
  neighbours.set({ ip, link, mac: owner.mac, confirmedMs: nowMs, permanent: false });
  if (own) {
    namespaceOf(owner).neighbours.set({
      ip: own,
      link: owner,
      mac: link.mac,
      confirmedMs: nowMs,
      permanent: false,
    });
  }
  return owner.mac;
}

/**
 * Announces to all interfaces on a link which interface has an address (a gratuitous ARP). Namespaces with an entry for
 * the address update it; the others ignore the announcement.
 */
export function announce(link: Link, ip: IP, nowMs: number): void {
  for (const other of receiversOf(link, { from: link.mac, to: BROADCAST }, nowMs)) {
    const { neighbours } = namespaceOf(other);
    if (!neighbours.find(other, ip)) continue;
    neighbours.set({ ip, link: other, mac: link.mac, confirmedMs: nowMs, permanent: false });
  }
}
