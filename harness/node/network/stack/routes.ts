import { bitsOf, firstOf, formatPrefix, type IP, type IPPrefix } from '../../../api/ip-prefix.ts';
import type { Link } from './link.ts';

/** A route to a network. */
export interface Route {
  readonly dst: IPPrefix;
  /** `blackhole` drops packets silently; `unreachable` and `prohibit` report an error to the sender. */
  readonly type: 'unicast' | 'blackhole' | 'unreachable' | 'prohibit';
  /** The next router. Absent if the network is on the link itself. */
  readonly gateway?: IP;
  /** The outgoing interface. Absent if the route drops or rejects packets. */
  readonly dev?: Link;
  /** The source address of packets whose socket has none yet. */
  readonly src?: IP;
  /** The route with the lowest metric wins. @defaultValue 0 */
  readonly metric: number;
  /** The origin of the route: an address (`kernel`) or a person (`boot`). */
  readonly protocol: string;
  readonly scope: 'global' | 'link' | 'host';
  /** Whether the gateway counts as on the link, even if no address of the link covers it. */
  readonly onlink: boolean;
}

/** The main routing table of a namespace. The longest prefix wins, then the lowest metric. */
export class RouteTable {
  readonly #byBits = new Map<string, Map<bigint, Route[]>>();
  /** The prefix lengths in use, longest first. */
  readonly #bits: { readonly 4: number[]; readonly 6: number[] } = { 4: [], 6: [] };
  /** The routes in order, until the next change. */
  #routes: readonly Route[] | undefined;

  /** All routes in the order of `ip route`: the default first, then by network. */
  get routes(): readonly Route[] {
    this.#routes ??= this.#inOrder();
    return this.#routes;
  }

  #inOrder(): readonly Route[] {
    const all = [...this.#byBits.values()].flatMap((byNetwork) => [...byNetwork.values()].flat());
    return all.sort(
      (a, b) =>
        a.dst.ip.family - b.dst.ip.family ||
        compare(a.dst.ip.value, b.dst.ip.value) ||
        a.dst.bits - b.dst.bits,
    );
  }

  /** Whether a route meets the condition. It needs no order, so a change before it costs nothing. */
  some(condition: (route: Route) => boolean): boolean {
    for (const byNetwork of this.#byBits.values())
      for (const slot of byNetwork.values()) if (slot.some(condition)) return true;
    return false;
  }

  /** Finds the route to the same network with the same metric. */
  find(dst: IPPrefix, metric: number): Route | undefined {
    return this.#slot(dst)?.find((route) => route.metric === metric);
  }

  /** Adds a route, and keeps all others. */
  add(route: Route): void {
    this.#routes = undefined;
    const { dst } = route;
    const group = groupOf(dst.ip.family, dst.bits);
    const byNetwork = this.#byBits.get(group) ?? new Map<bigint, Route[]>();
    if (!this.#byBits.has(group)) {
      this.#byBits.set(group, byNetwork);
      this.#bits[dst.ip.family].push(dst.bits);
      this.#bits[dst.ip.family].sort((a, b) => b - a);
    }
    const network = networkOf(dst.ip, dst.bits);
    const slot = [...(byNetwork.get(network) ?? []), route];
    byNetwork.set(
      network,
      slot.sort((a, b) => a.metric - b.metric),
    );
  }

  remove(route: Route): void {
    this.#routes = undefined;
    const { dst } = route;
    const byNetwork = this.#byBits.get(groupOf(dst.ip.family, dst.bits));
    const network = networkOf(dst.ip, dst.bits);
    const left = (byNetwork?.get(network) ?? []).filter((each) => each !== route);
    if (left.length > 0) byNetwork?.set(network, left);
    else byNetwork?.delete(network);
  }

  /** Removes all routes that match the condition. */
  removeWhere(condition: (route: Route) => boolean): void {
    for (const route of this.routes.filter(condition)) this.remove(route);
  }

  /** Returns the route for an address. Routes through an interface that is down do not count. */
  lookup(ip: IP): Route | undefined {
    for (const bits of this.#bits[ip.family]) {
      const slot = this.#byBits.get(groupOf(ip.family, bits))?.get(networkOf(ip, bits));
      const route = slot?.find(({ dev }) => dev === undefined || dev.up);
      if (route) return route;
    }
    return undefined;
  }

  #slot(dst: IPPrefix): readonly Route[] | undefined {
    return this.#byBits.get(groupOf(dst.ip.family, dst.bits))?.get(networkOf(dst.ip, dst.bits));
  }
}

/**
 * Returns the route to the network of an address. Linux adds and removes it together with the address. Undefined for a
 * single-address prefix.
 */
export function connectedRoute(dev: Link, address: IPPrefix): Route | undefined {
  if (address.bits === bitsOf(address.ip)) return undefined;
  const dst = { ip: firstOf(address), bits: address.bits };
  return {
    dst,
    type: 'unicast',
    dev,
    src: address.ip,
    metric: 0,
    protocol: 'kernel',
    scope: 'link',
    onlink: false,
  };
}

/** Formats a destination: `default`, `10.244.2.0/24`, `10.244.1.2`. */
export function formatDestination(dst: IPPrefix): string {
  if (dst.bits === 0) return 'default';
  return dst.bits === bitsOf(dst.ip) ? dst.ip.text : formatPrefix(dst);
}

function groupOf(family: IP['family'], bits: number): string {
  return `${family}/${bits}`;
}

function networkOf(ip: IP, bits: number): bigint {
  return ip.value >> BigInt(bitsOf(ip) - bits);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
