import { formatPrefix, type IP, type IPPrefix, parseIP } from '../../api/ip-prefix.ts';
import type { HttpAnswer, HttpRequest } from '../../contracts/node/index.ts';
import type { Simulation } from '../../sim/index.ts';
import { OutsideHost } from './outside-host.ts';
import { type Attempt, type Opened, openConnection } from './stack/connection.ts';
import { EthernetSegment } from './stack/ethernet-segment.ts';
import type { Link } from './stack/link.ts';
import { MachineNetwork } from './stack/machine-network.ts';
import type { NetworkNamespace } from './stack/namespace.ts';

/**
 * Sends an HTTPS request to a host of the real world.
 *
 * @param request the host is a name or an address. `ca`: the certificates of the authorities that the client trusts, in
 * PEM; without it, those of the system
 * @throws Error with the reason in Go's words
 */
export type RequestOutside = (request: HttpRequest & { readonly ca?: string }) => Promise<HttpAnswer>;

/** The router between the machines' network and the outside world. */
export const ROUTER = '192.168.0.254';

/** Returns the address of the machine with this number, from 1: 192.168.0.1 to 192.168.0.253, 192.168.1.1, … */
export function machineAddress(number: number): string {
  const perNetwork = 253;
  return `192.168.${Math.floor((number - 1) / perNetwork)}.${((number - 1) % perNetwork) + 1}`;
}

const OUTSIDE_ROUTER = '203.0.113.254';

/**
 * The network of a cluster's machines: one Ethernet, 192.168.0.0/16. A router connects it to the outside world,
 * 203.0.113.0/24, which has no routes to pods.
 *
 *     const network = new ClusterNetwork(sim);
 *     const client = network.outside('laptop');
 *     await client.get('192.168.0.1', 30_080);
 */
export class ClusterNetwork {
  /** The way of the apiservers out of the simulation. @defaultValue none: names lead to hosts of the simulation */
  requestOutside: RequestOutside | undefined;
  readonly #sim: Simulation;
  readonly #lan = new EthernetSegment();
  readonly #internet = new EthernetSegment();
  readonly #router: MachineNetwork;
  readonly #cards = new Map<string, Link>();
  /** The machines that are powered on, by address. */
  readonly #machines = new Map<string, MachineNetwork>();
  readonly #hosts = new Map<string, OutsideHost>();
  readonly #captures = new Set<(attempt: Attempt) => void>();

  constructor(sim: Simulation) {
    this.#sim = sim;
    this.#router = this.#newNetwork('router');
    this.#router.plug(this.#lan);
    this.#router.plug(this.#internet, { name: 'eth1' });
    for (const [name, address] of [
      ['eth0', `${ROUTER}/16`],
      ['eth1', `${OUTSIDE_ROUTER}/24`],
    ]) {
      this.#router.do(`ip addr add ${address} dev ${name}`);
      this.#router.do(`ip link set ${name} up`);
    }
    this.#router.do('sysctl -w net.ipv4.ip_forward=1');
  }

  /**
   * Plugs a machine in, and does the work of its boot scripts: sets its address and its default route.
   *
   * @param mac - MAC address of the machine's card
   * @throws Error when the address is already in use
   */
  plug(machine: MachineNetwork, { ip, mac }: { readonly ip: string; readonly mac: string }): void {
    if (this.#cards.has(ip))
      throw new Error(`Failed to plug in ${ip}: the address is in use. Unplug it first.`);
    this.#cards.set(ip, machine.plug(this.#lan, { mac }));
    this.#machines.set(ip, machine);
    machine.do(`ip addr add ${ip}/16 dev eth0`);
    machine.do('ip link set eth0 up');
    machine.do(`ip route add default via ${ROUTER}`);
  }

  /** Unplugs the machine with this address, because it is powered off. */
  unplug(ip: string): void {
    this.#cards.delete(ip);
    this.#machines.delete(ip);
  }

  /**
   * Cuts a machine off from all others: packets to and from it are lost, and no sender gets an error. Its pods still
   * reach each other.
   *
   * @returns a function that reconnects the machine; a machine that was powered off in between is connected already
   */
  cutOff(ip: string): () => void {
    const card = this.#cards.get(ip);
    return card ? this.#lan.cut(card) : () => {};
  }

  /** Adds a route to the router, as a cloud API does: this network is behind this machine. */
  route(dst: IPPrefix, via: IP): void {
    this.#router.do(`ip route replace ${formatPrefix(dst)} via ${via.text}`);
  }

  /**
   * Returns a host in the outside world. The first call creates it.
   * @param name - name of the host, such as `laptop`
   */
  outside(name: string): OutsideHost {
    const there = this.#hosts.get(name);
    if (there) return there;
    const ip = `203.0.113.${this.#hosts.size + 1}`;
    const network = this.#newNetwork(name);
    network.plug(this.#internet);
    network.do(`ip addr add ${ip}/24 dev eth0`);
    network.do('ip link set eth0 up');
    network.do(`ip route add default via ${OUTSIDE_ROUTER}`);
    const host = new OutsideHost({ ip: parseIP(ip), namespace: network.host, clock: this.#sim.clock });
    this.#hosts.set(name, host);
    return host;
  }

  /**
   * Opens a TCP connection as a program on the host `from` would, and closes it at once.
   *
   *     formatWays(network.follow({ from: 'web-0', to: '10.96.0.10:80' }));
   *
   * @param options.from - name of a pod, of a machine, or of a host outside
   * @returns the paths there and back, and the outcome
   * @throws Error when no pod, machine or host has this name
   */
  follow({ from, to }: { readonly from: string; readonly to: string }): Opened {
    const [, host = '', port] = /^\[?([^\]]+?)\]?:(\d+)$/.exec(to) ?? [];
    const opened = openConnection(this.#namespaceOf(from), { ip: parseIP(host), port: Number(port) });
    opened.connection?.close();
    return opened;
  }

  #namespaceOf(name: string): NetworkNamespace {
    for (const { host, named } of this.#machines.values()) {
      if (host.node === name) return host;
      for (const namespace of named.values()) if (namespace.label === name) return namespace;
    }
    const outside = this.#hosts.get(name);
    if (outside) return outside.namespace;
    throw new Error(
      `Failed to follow a connection from ${name}: no pod, machine or host of this name is up.`,
    );
  }

  /**
   * Observes every attempt to open a connection, on all machines and outside: `tcpdump` everywhere at once.
   *
   * @returns a function that ends the capture
   */
  capture(see: (attempt: Attempt) => void): () => void {
    this.#captures.add(see);
    return () => void this.#captures.delete(see);
  }

  /** Reports a connection attempt to the callbacks of {@link capture}. */
  readonly tell = (attempt: Attempt): void => {
    for (const see of this.#captures) see(attempt);
  };

  #newNetwork(node: string): MachineNetwork {
    const { random } = this.#sim;
    return new MachineNetwork({
      node,
      now: () => this.#sim.elapsedMs,
      random: random.fork(`network of ${node}`),
      onAttempt: this.tell,
    });
  }
}
