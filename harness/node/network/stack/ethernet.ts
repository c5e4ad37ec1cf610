import type { Link } from './link.ts';
import { BROADCAST, type MAC } from './packet.ts';

/**
 * For how long a bridge remembers where an address was seen.
 *
 * Upstream: torvalds/linux@v6.12 net/bridge/br_device.c br_dev_setup (ageing_time)
 */
const AGEING_MS = 300_000;

/** A bridge has learned behind which port an address is. */
export function learn(bridge: Link, port: Link, mac: MAC, nowMs: number): void {
  bridge.bridge?.learned.set(mac, { link: port, atMs: nowMs });
}

/**
 * The ports of a bridge by which a frame leaves: that behind which its address was seen, or else all of them. Never the one by
 * which it came, unless that is a hairpin; nor from one isolated port to another.
 *
 * @param from where it came in; undefined for what the bridge itself sends
 */
export function outPorts(
  bridge: Link,
  to: MAC,
  { from, nowMs }: { readonly from: Link | undefined; readonly nowMs: number },
): readonly Link[] {
  const { ports, learned } = bridge.bridge ?? { ports: new Set<Link>(), learned: new Map() };
  const known = learned.get(to);
  const isKnown = known !== undefined && nowMs - known.atMs < AGEING_MS && ports.has(known.link);
  const candidates: readonly Link[] = isKnown ? [known.link] : [...ports];
  return candidates.filter((port) => port.up && mayLeave(port, from));
}

/**
 * The one port by which a frame for one interface gets there. If the bridge has not learned it, it sends the frame out by all, and
 * one of these ways ends at the interface.
 */
export function portFor(
  bridge: Link,
  to: MAC,
  from: { readonly from: Link | undefined; readonly nowMs: number },
): Link | undefined {
  const ports = outPorts(bridge, to, from);
  if (ports.length <= 1) return ports[0];
  return ports.find((port) => receiversOf(port, { from: bridge.mac, to }, from.nowMs).length > 0);
}

function mayLeave(port: Link, from: Link | undefined): boolean {
  if (port === from) return port.hairpin;
  return !(port.isolated && from?.isolated);
}

/**
 * The interfaces that get a frame, and take it up into their namespaces. Bridges on the way learn from it. It is for those whose
 * answers are asked for (ARP); a packet on its way is looked at by rules, too.
 */
export function receiversOf(
  link: Link,
  { from, to }: { readonly from: MAC; readonly to: MAC },
  nowMs: number,
): readonly Link[] {
  const receivers: Link[] = [];
  const leave = (out: Link): void => {
    if (!out.up) return;
    if (out.bridge) for (const port of outPorts(out, to, { from: undefined, nowMs })) leave(port);
    if (out.peer) arrive(out.peer);
    for (const other of out.segment?.carry(out, { to }) ?? []) arrive(other);
  };
  const arrive = (at: Link): void => {
    if (!at.up) return;
    const { master } = at;
    if (!master) {
      if (to === BROADCAST || to === at.mac) receivers.push(at);
      return;
    }
    if (!master.up) return;
    learn(master, at, from, nowMs);
    if (to === BROADCAST || to === master.mac) receivers.push(master);
    if (to !== master.mac) for (const port of outPorts(master, to, { from: at, nowMs })) leave(port);
  };
  leave(link);
  return receivers;
}
