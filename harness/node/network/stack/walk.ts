import type { Connection } from '../netfilter/conntrack.ts';
import type { HookOptions, Passing, Verdict } from '../netfilter/netfilter.ts';
import type { Hook } from '../netfilter/rule.ts';
import { resolve, UNREACHABLE_AFTER_MS } from './arp.ts';
import { learn, portFor } from './ethernet.ts';
import type { Link } from './link.ts';
import { type NetworkNamespace, namespaceOf } from './namespace.ts';
import { BROADCAST, endpoint, formatPacket, type MAC, type Packet, TTL } from './packet.ts';
import { type NetworkErrno, PacketTrace } from './packet-trace.ts';
import { formatDestination, type Route } from './routes.ts';

/** A packet at its destination. */
interface Arrival {
  readonly namespace: NetworkNamespace;
  /** The packet after all translations. */
  readonly packet: Packet;
}

/** A packet that was sent. */
interface Sent {
  readonly packetTrace: PacketTrace;
  /** Undefined when the packet was lost or refused: {@link Journey.fate}. */
  readonly arrival: Arrival | undefined;
  /** The connection table entries on its path. */
  readonly tracked: readonly Connection[];
}

/**
 * Sends a packet from a namespace, and follows it hop by hop through routes, rules, bridges and links, until it reaches
 * a socket or is lost. It takes no time.
 */
export function sendPacket(from: NetworkNamespace, packet: Packet, nowMs: number): Sent {
  const walk = new Walk(nowMs);
  const arrival = walk.begin(from, packet);
  return { packetTrace: walk.packetTrace, arrival, tracked: walk.tracked };
}

/** A packet in a namespace. */
interface Place {
  readonly namespace: NetworkNamespace;
  readonly passing: Passing;
}

/** Thrown where a path ends before it reaches a socket. */
class Ended extends Error {}

/** A single instance, because it is thrown often and its stack is never read. */
const ended = new Ended();

class Walk {
  readonly packetTrace = new PacketTrace();
  readonly tracked: Connection[] = [];
  readonly #nowMs: number;
  /** The namespace of the sender, and the packet's current place. */
  #origin: NetworkNamespace | undefined;
  #at: Place | undefined;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  begin(namespace: NetworkNamespace, packet: Packet): Arrival | undefined {
    try {
      return this.#output(namespace, packet);
    } catch (error) {
      if (error instanceof Ended) return undefined;
      throw error;
    }
  }

  /** Sends a packet from this namespace. */
  #output(namespace: NetworkNamespace, packet: Packet): Arrival {
    this.packetTrace.step(namespace, 'sends', packet);
    const passing = this.#begin(namespace, packet);
    this.#origin = namespace;
    const first = namespace.isLocal(packet.dst) ? undefined : this.#route(namespace, packet);
    this.#hook('OUTPUT', namespace, passing, { out: first?.dev ?? namespace.links.get('lo') });
    // A rule may have changed the destination.
    if (namespace.isLocal(passing.packet.dst)) {
      const lo = namespace.links.get('lo');
      this.#hook('POSTROUTING', namespace, passing, { out: lo });
      this.#confirm(namespace, passing);
      return this.#local(namespace, passing, lo);
    }
    const route = passing.packet.dst === packet.dst && first ? first : this.#route(namespace, passing.packet);
    return this.#leave(namespace, passing, { route });
  }

  #begin(namespace: NetworkNamespace, packet: Packet): Passing {
    const passing = filterOf(namespace, packet).begin(packet);
    this.#at = { namespace, passing };
    return passing;
  }

  /** Handles a packet that an interface received for its namespace. */
  #input(link: Link, passing: Passing, { wasAsked }: { wasAsked: boolean }): Arrival {
    const namespace = namespaceOf(link);
    const { packet } = passing;
    if (!wasAsked) this.#hook('PREROUTING', namespace, passing, { in: link });
    if (namespace.isLocal(packet.src)) {
      this.#lost(
        `martian source: ${packet.src.text} comes in by ${link.name}, and is an address of ${this.packetTrace.place}`,
      );
    }
    const { dst } = passing.packet;
    const letsIn = (name: string): boolean => namespace.isOn(`net.ipv4.conf.${name}.route_localnet`);
    if (isLoopback(dst.text) && !letsIn(link.name) && !letsIn('all')) {
      this.#lost(`martian destination: ${dst.text} comes in by ${link.name}`);
    }
    if (namespace.isLocal(dst)) return this.#local(namespace, passing, link);

    const forwards = dst.family === 4 ? 'net.ipv4.ip_forward' : 'net.ipv6.conf.all.forwarding';
    if (!namespace.isOn(forwards)) this.#lost(`${this.packetTrace.place} does not forward: ${forwards} is 0`);
    if (passing.packet.ttl <= 1) this.#lost('it went in circles: time to live exceeded');
    passing.packet = { ...passing.packet, ttl: passing.packet.ttl - 1 };
    const route = this.#route(namespace, passing.packet);
    this.#hook('FORWARD', namespace, passing, { in: link, out: route.dev });
    return this.#leave(namespace, passing, { route, in: link });
  }

  #local(namespace: NetworkNamespace, passing: Passing, link: Link | undefined): Arrival {
    this.#hook('INPUT', namespace, passing, { in: link });
    this.#confirm(namespace, passing);
    const { packet } = passing;
    this.#toSocket(namespace, packet);
    this.packetTrace.step(namespace, 'receives', packet);
    this.packetTrace.fate = { kind: 'delivered' };
    return { namespace, packet };
  }

  #toSocket(namespace: NetworkNamespace, packet: Packet): void {
    const { protocol, kind, dst, dport } = packet;
    const opens = kind === 'syn' || kind === 'datagram' || kind === 'data';
    if (namespace.sockets.expects(packet) || kind === 'echo') return;
    if (!opens) {
      this.packetTrace.step(namespace, 'receives', packet);
      this.#lost(`an answer to nothing: ${this.packetTrace.place} has no connection ${formatPacket(packet)}`);
    }
    if (namespace.sockets.listener(packet)) return;
    this.packetTrace.step(namespace, 'receives', packet);
    const why = `nothing listens on ${endpoint(dst, dport)} ${protocol} in ${this.packetTrace.place}`;
    this.#refused('ECONNREFUSED', why, { isReset: protocol === 'tcp' });
  }

  #route(namespace: NetworkNamespace, { dst }: Packet): Route & { readonly dev: Link } {
    const route = namespace.routeTo(dst);
    if (!route)
      return this.#refused(
        'ENETUNREACH',
        `network is unreachable: ${this.packetTrace.place} has no route to ${dst.text}`,
      );
    const { dev, type } = route;
    if (dev && type === 'unicast') return { ...route, dev };
    if (type === 'blackhole')
      return this.#lost(`a black hole: ${formatDestination(route.dst)} in ${this.packetTrace.place}`);
    return this.#refused(
      'EHOSTUNREACH',
      `no route to host: ${this.packetTrace.place} has ${type} ${formatDestination(route.dst)}`,
    );
  }

  #leave(
    namespace: NetworkNamespace,
    passing: Passing,
    { route, in: from }: { readonly route: Route & { readonly dev: Link }; readonly in?: Link },
  ): Arrival {
    const { dev, gateway, dst } = route;
    this.#hook('POSTROUTING', namespace, passing, { in: from, out: dev });
    this.#confirm(namespace, passing);
    const via = gateway ? ` via ${gateway.text}` : '';
    this.packetTrace.step(namespace, `route ${formatDestination(dst)}${via} dev ${dev.name}`, passing.packet);
    const next = gateway ?? passing.packet.dst;
    const to = resolve(dev, next, this.#nowMs);
    if (to === undefined) {
      const why = `no route to host: nothing answers for ${next.text} on ${dev.name} of ${this.packetTrace.place}`;
      return this.#refused('EHOSTUNREACH', why, { afterMs: UNREACHABLE_AFTER_MS });
    }
    return this.#transmit(dev, { from: dev.mac, to }, passing);
  }

  /** Sends a packet out through an interface, and into the next one. */
  #transmit(link: Link, macs: { readonly from: MAC; readonly to: MAC }, passing: Passing): Arrival {
    const { name } = link;
    if (!link.up) return this.#lost(`${name} of ${this.packetTrace.place} is down`);
    if (link.bridge) {
      const port = portFor(link, macs.to, { from: undefined, nowMs: this.#nowMs });
      if (!port) return this.#lost(`${name} of ${this.packetTrace.place} has no port for ${macs.to}`);
      return this.#transmit(port, macs, passing);
    }
    const [other] = link.peer ? [link.peer] : (link.segment?.carry(link, { to: macs.to }) ?? []);
    if (!other?.up) return this.#lost(`nothing is at the other end of ${name} of ${this.packetTrace.place}`);
    const { packet } = passing;
    // A mark does not leave the namespace.
    return this.#receive(other, macs, packet.mark === 0 ? packet : { ...packet, mark: 0 });
  }

  #receive(link: Link, macs: { readonly from: MAC; readonly to: MAC }, packet: Packet): Arrival {
    const namespace = namespaceOf(link);
    const passing = this.#begin(namespace, packet);
    const { master } = link;
    if (!master) {
      this.packetTrace.step(namespace, `in by ${link.name}`, packet);
      if (macs.to !== link.mac && macs.to !== BROADCAST)
        return this.#lost(
          `${link.name} of ${this.packetTrace.place} is not ${macs.to}: an old answer to ARP was believed`,
        );
      return this.#input(link, passing, { wasAsked: false });
    }
    if (!master.up) return this.#lost(`${master.name} of ${this.packetTrace.place} is down`);
    learn(master, link, macs.from, this.#nowMs);
    return this.#bridge(master, link, macs, passing);
  }

  /** Forwards a packet to another port of the bridge, or up into its namespace. */
  #bridge(
    bridge: Link,
    port: Link,
    macs: { readonly from: MAC; readonly to: MAC },
    passing: Passing,
  ): Arrival {
    const namespace = namespaceOf(bridge);
    const { dst } = passing.packet;
    const isAsked = namespace.isOn('net.bridge.bridge-nf-call-iptables', true);
    this.packetTrace.step(namespace, `in by ${port.name} of ${bridge.name}`, passing.packet);
    let { to } = macs;
    if (isAsked) {
      this.#hook('PREROUTING', namespace, passing, { in: bridge });
      // A translated packet stays on the bridge if its new destination is there; otherwise it goes up.
      if (passing.packet.dst !== dst) to = this.#bridgedTo(bridge, passing.packet);
    }
    if (to === bridge.mac) return this.#input(bridge, passing, { wasAsked: isAsked });
    const out = portFor(bridge, to, { from: port, nowMs: this.#nowMs });
    if (!out) {
      const isBack = bridge.bridge?.learned.get(to)?.link === port;
      return this.#lost(
        isBack
          ? `${bridge.name} of ${this.packetTrace.place} does not send back by ${port.name} what came in by it: hairpin is off`
          : `${bridge.name} of ${this.packetTrace.place} has no port for ${to}`,
      );
    }
    if (isAsked) {
      this.#hook('FORWARD', namespace, passing, { in: bridge, out: bridge });
      this.#hook('POSTROUTING', namespace, passing, { in: bridge, out: bridge });
      this.#confirm(namespace, passing);
    }
    this.packetTrace.step(namespace, `${bridge.name} to ${out.name}`, passing.packet);
    return this.#transmit(out, { ...macs, to }, passing);
  }

  #bridgedTo(bridge: Link, { dst }: Packet): MAC {
    const namespace = namespaceOf(bridge);
    const route = namespace.isLocal(dst) ? undefined : namespace.routeTo(dst);
    if (route?.dev !== bridge) return bridge.mac;
    return resolve(bridge, route.gateway ?? dst, this.#nowMs) ?? bridge.mac;
  }

  #hook(
    hook: Hook,
    namespace: NetworkNamespace,
    passing: Passing,
    { in: from, out }: Partial<Pick<HookOptions, 'in' | 'out'>>,
  ): void {
    const filter = filterOf(namespace, passing.packet);
    const verdict = filter.at(hook, passing, { in: from, out, around: namespace });
    for (const note of verdict.notes) this.packetTrace.step(namespace, `${hook} ${note}`, passing.packet);
    if (verdict.kind !== 'accept') this.#stopped(hook, namespace, verdict, passing.packet);
  }

  #stopped(
    hook: Hook,
    namespace: NetworkNamespace,
    { kind, decision }: Extract<Verdict, { kind: 'drop' | 'reject' }>,
    packet: Packet,
  ): never {
    const { chain, rule } = decision.by;
    this.packetTrace.step(namespace, hook, packet);
    const by = rule ? `-A ${chain} ${rule.text}` : `policy of ${chain}`;
    if (kind === 'drop') return this.#lost(`dropped in ${this.packetTrace.place}: ${by}`);
    const how = rule?.target?.kind === 'reject' ? rule.target.with : 'port';
    const error = how === 'host' || how === 'net' ? 'EHOSTUNREACH' : 'ECONNREFUSED';
    return this.#refused(error, `rejected in ${this.packetTrace.place}: ${by}`, {
      isReset: how === 'tcp-reset',
    });
  }

  #confirm(namespace: NetworkNamespace, passing: Passing): void {
    if ('connection' in passing.tracked) this.tracked.push(passing.tracked.connection);
    if (filterOf(namespace, passing.packet).confirm(passing)) return;
    this.#lost(
      `another connection through ${this.packetTrace.place} has the same ends: ${formatPacket(passing.packet)}`,
    );
  }

  #lost(why: string): never {
    this.packetTrace.fate = { kind: 'lost', why };
    throw ended;
  }

  #refused(
    error: NetworkErrno,
    why: string,
    { afterMs = 0, isReset = false }: { readonly afterMs?: number; readonly isReset?: boolean } = {},
  ): never {
    const refusal = this.#refusal(isReset);
    const { namespace, passing } = this.#at as Place;
    if (!refusal && namespace !== this.#origin) {
      this.#lost(`${why}, nor one back to ${asItCame(passing).src.text}`);
    }
    this.packetTrace.fate = { kind: 'rejected', error, why, afterMs, ...(refusal && { refusal }) };
    throw ended;
  }

  /**
   * Returns the packet that reports an error to the sender; undefined if the sender is in this namespace or has no
   * route.
   */
  #refusal(isReset: boolean): { readonly from: NetworkNamespace; readonly packet: Packet } | undefined {
    const { namespace, passing } = this.#at as Place;
    if (namespace === this.#origin) return undefined;
    const packet = asItCame(passing);
    const { src: dst, dport: sport, sport: dport } = packet;
    if (isReset)
      return {
        from: namespace,
        packet: { ...packet, src: packet.dst, dst, sport, dport, kind: 'rst', ttl: TTL },
      };
    const route = namespace.routeTo(dst);
    if (!route && !namespace.isLocal(dst)) return undefined;
    const src =
      (namespace.isLocal(packet.dst) ? packet.dst : route && namespace.sourceFor(route, dst.family)) ??
      packet.dst;
    const told: Packet = {
      ...packet,
      src,
      dst,
      protocol: 'icmp',
      sport: 0,
      dport: 0,
      kind: 'unreachable',
      ttl: TTL,
      about: packet,
    };
    return { from: namespace, packet: told };
  }
}

/** Returns the packet without unconfirmed translations, which will apply to no other packet. */
function asItCame({ packet, tracked }: Passing): Packet {
  if (!('connection' in tracked) || tracked.connection.confirmed) return packet;
  const { src, sport, dst, dport } = tracked.connection.original;
  return { ...packet, src, sport, dst, dport };
}

function filterOf({ netfilter }: NetworkNamespace, { dst }: Packet) {
  return netfilter[dst.family];
}

function isLoopback(ip: string): boolean {
  return ip.startsWith('127.') || ip === '::1';
}
