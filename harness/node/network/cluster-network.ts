import { formatPrefix, type IP, type IPPrefix, parseIP } from '../../api/ip-prefix.ts';
import type { Simulation } from '../../sim/index.ts';
import { OutsideHost } from './outside-host.ts';
import { type Attempt, type Opened, openConnection } from './stack/connection.ts';
import { EthernetSegment } from './stack/ethernet-segment.ts';
import type { Link } from './stack/link.ts';
import { MachineNetwork } from './stack/machine-network.ts';
import type { NetworkNamespace } from './stack/namespace.ts';

/** The router that leads out of the machines' network. */
export const ROUTER = '192.168.0.254';
const OUTSIDE_ROUTER = '203.0.113.254';

/**
 * What the machines of a cluster are plugged into: one Ethernet, 192.168.0.0/24. A router leads from there to the world outside,
 * 203.0.113.0/24, which knows nothing of pods.
 *
 *     const network = new ClusterNetwork(sim);
 *     const client = network.outside('laptop');
 *     await client.get('192.168.0.1', 30_080);
 */
export class ClusterNetwork {
  readonly #sim: Simulation;
  readonly #lan = new EthernetSegment();
  readonly #internet = new EthernetSegment();
  readonly #router: MachineNetwork;
  readonly #cards = new Map<string, Link>();
  /** Those that are on, by their addresses. */
  readonly #machines = new Map<string, MachineNetwork>();
  readonly #hosts = new Map<string, OutsideHost>();
  readonly #captures = new Set<(attempt: Attempt) => void>();

  constructor(sim: Simulation) {
    this.#sim = sim;
    this.#router = this.#newNetwork('router');
    this.#router.plug(this.#lan);
    this.#router.plug(this.#internet, { name: 'eth1' });
    for (const [name, ip] of [
      ['eth0', ROUTER],
      ['eth1', OUTSIDE_ROUTER],
    ]) {
      this.#router.do(`ip addr add ${ip}/24 dev ${name}`);
      this.#router.do(`ip link set ${name} up`);
    }
    this.#router.do('sysctl -w net.ipv4.ip_forward=1');
  }

  /**
   * Plugs a machine in, which gets an address and the way out: what its boot scripts do.
   *
   * @param mac of its card
   * @throws Error when the address is taken
   */
  plug(machine: MachineNetwork, { ip, mac }: { readonly ip: string; readonly mac: string }): void {
    if (this.#cards.has(ip)) throw new Error(`Failed to give out ${ip}: it is taken. Unplug it first.`);
    this.#cards.set(ip, machine.plug(this.#lan, { mac }));
    this.#machines.set(ip, machine);
    machine.do(`ip addr add ${ip}/24 dev eth0`);
    machine.do('ip link set eth0 up');
    machine.do(`ip route add default via ${ROUTER}`);
  }

  /** The machine of this address is off. */
  unplug(ip: string): void {
    this.#cards.delete(ip);
    this.#machines.delete(ip);
  }

  /**
   * Cuts a machine off from all others, without a word: packets to and from it are lost. Its pods still reach each other.
   *
   * @returns what joins it again; a machine that was off in between is joined already
   */
  cutOff(ip: string): () => void {
    const card = this.#cards.get(ip);
    return card ? this.#lan.cut(card) : () => {};
  }

  /** Tells the router where a network is, as the API of a cloud does: behind this machine. */
  route(dst: IPPrefix, via: IP): void {
    this.#router.do(`ip route replace ${formatPrefix(dst)} via ${via.text}`);
  }

  /** A host of the world outside; it is made when it is first asked for. @param name of it: `laptop` */
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
   * Opens a connection over TCP as a program there would, and closes it at once.
   *
   *     formatWays(network.follow({ from: 'web-0', to: '10.96.0.10:80' }));
   *
   * @param options.from the name of a pod, of a machine, or of a host outside
   * @returns the ways there and back, and what became of it
   * @throws Error when nothing of this name is there
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
   * Looks at every connection that is opened, or tried to, on a machine or outside: `tcpdump` everywhere at once.
   *
   * @returns what ends it
   */
  capture(see: (attempt: Attempt) => void): () => void {
    this.#captures.add(see);
    return () => void this.#captures.delete(see);
  }

  /** A machine tells of a connection, for those that {@link capture}. */
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
