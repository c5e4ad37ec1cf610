import type { IP } from '../../../api/ip-prefix.ts';
import { receiversOf } from './ethernet.ts';
import type { Link } from './link.ts';
import { namespaceOf } from './namespace.ts';
import { REACHABLE_MS } from './neighbours.ts';
import { BROADCAST, type MAC } from './packet.ts';

/**
 * How long a namespace asks for an address before it gives up: three times a second.
 *
 * Upstream: torvalds/linux@v6.12 net/ipv4/arp.c arp_tbl (mcast_probes, retrans_time)
 */
export const UNREACHABLE_AFTER_MS = 3_000;

/**
 * Asks on a link which interface has an address. An answer that is younger than {@link REACHABLE_MS} is believed without asking.
 *
 * @returns undefined when nothing answers
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
  // The answer goes back, and bridges on the way learn from it.
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
 * Tells all on a link which interface has an address (a gratuitous ARP). Those that had an idea of it change that; the others take
 * no notice.
 */
export function announce(link: Link, ip: IP, nowMs: number): void {
  for (const other of receiversOf(link, { from: link.mac, to: BROADCAST }, nowMs)) {
    const { neighbours } = namespaceOf(other);
    if (!neighbours.find(other, ip)) continue;
    neighbours.set({ ip, link: other, mac: link.mac, confirmedMs: nowMs, permanent: false });
  }
}
