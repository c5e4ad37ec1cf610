import type { Link } from './link.ts';
import { BROADCAST, type MAC } from './packet.ts';

/**
 * How long a bridge remembers the port behind which it saw an address.
 *
 * Upstream: torvalds/linux@v6.12 net/bridge/br_device.c br_dev_setup (ageing_time)
 */
const AGEING_MS = 300_000;

/** Records that an address is behind a port of a bridge. */
export function learn(bridge: Link, port: Link, mac: MAC, nowMs: number): void {
  bridge.bridge?.learned.set(mac, { link: port, atMs: nowMs });
}

/**
 * Returns the ports through which a bridge sends a frame: the port behind which it saw the address, or else all ports.
 * It excludes the incoming port unless hairpin is on, and paths between two isolated ports.
 *
 * @param from - the incoming port; undefined for frames from the bridge itself
 */
function outPorts(
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
 * Returns the port that leads to the interface of a frame. A bridge that has not learned the address floods all ports,
 * and one of these paths ends at the interface.
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
 * Returns the interfaces that receive a frame and pass it up to their namespaces. Bridges on the path learn from it.
 * Use it for ARP; a packet on its path also passes through rules.
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
