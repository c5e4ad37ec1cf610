import { shell } from '../../../contracts/node/network-tools.ts';
import { ClusterNetwork, ROUTER } from '../../../node/network/cluster-network.ts';
import { MachineNetwork } from '../../../node/network/stack/machine-network.ts';
import type { NetworkNamespace } from '../../../node/network/stack/namespace.ts';
import type { Simulation } from '../../../sim/index.ts';

/** The network between machines: an Ethernet, a router, and a host beyond it that listens on port 80. */
export class Fabric {
  readonly outside: NetworkNamespace;
  readonly #network: ClusterNetwork;
  readonly #sim: Simulation;
  #cards = 0;

  constructor(sim: Simulation) {
    this.#sim = sim;
    this.#network = new ClusterNetwork(sim);
    this.outside = this.#network.outside('laptop').namespace;
  }

  /** Creates a machine with an address on the Ethernet, and with some foreign routes. */
  async machine(node: string, ip: string): Promise<MachineNetwork> {
    const { random, elapsedMs } = this.#sim;
    const machine = new MachineNetwork({
      node,
      now: () => this.#sim.elapsedMs,
      random: random.fork(`network of ${node} since ${elapsedMs}`),
    });
    this.#network.plug(machine, {
      ip,
      mac: `02:42:c0:a8:00:${(++this.#cards).toString(16).padStart(2, '0')}`,
    });
    const $ = shell(machine.tools);
    await $`ip route add 198.51.100.0/24 via ${ROUTER} proto static`;
    // One of these routes leads to a part of the pod network.
    await $`ip route add 10.244.200.0/24 via ${ROUTER} proto static`;
    await $`ip route add blackhole 10.250.0.0/16`;
    machine.host.sockets.listen({ protocol: 'tcp', port: 10250 }, {});
    return machine;
  }

  /** Takes a machine off the network. */
  remove(machine: MachineNetwork, ip: string): void {
    machine.powerOff();
    this.#network.unplug(ip);
  }
}
