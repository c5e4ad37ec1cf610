import type { ProcessTarget } from '../../faults/index.ts';
import { createMachine, type Machine, runtimeProcess } from '../../node/machine.ts';
import type { MachineOptions } from '../../node/machine-options.ts';
import { ClusterNetwork } from '../../node/network/cluster-network.ts';
import { publicRegistries, type RegistryClient } from '../../node/registry/index.ts';
import type { Line, Simulation } from '../../sim/index.ts';

/** What a machine of a cluster differs in from others: its name, its time and its network are the cluster's. */
export type ClusterMachineOptions = Omit<MachineOptions, 'node' | 'sim' | 'line' | 'network'>;

interface Entry {
  readonly node: string;
  readonly machine: Machine;
  /** Its container runtime, as faults strike it. */
  readonly runtime: ProcessTarget;
}

/** The machines of a cluster, in one network, with the same registries. */
export class Machines {
  readonly #sim: Simulation;
  readonly #lineOf: (actor: string) => Line;
  readonly #network = new ClusterNetwork();
  readonly #entries = new Map<string, Entry>();
  #registry: RegistryClient | undefined;

  /** @param lineOf the connection of a process to the rest of the world, which faults disturb */
  constructor(sim: Simulation, lineOf: (actor: string) => Line) {
    this.#sim = sim;
    this.#lineOf = lineOf;
  }

  /** @throws Error when there is one of that name */
  add(node: string, options: ClusterMachineOptions): Machine {
    if (this.#entries.has(node)) {
      throw new Error(`Failed to add the machine ${node}: there is one of that name.`);
    }
    const name = runtimeProcess(options.profile ?? 'containerd', node);
    this.#registry ??= publicRegistries(this.#sim.clock);
    const machine = createMachine({
      registry: this.#registry,
      ...options,
      node,
      sim: this.#sim,
      network: this.#network,
      line: this.#lineOf(name),
    });
    this.#entries.set(node, { node, machine, runtime: runtimeTarget(name, machine) });
    return machine;
  }

  get(node: string): Machine | undefined {
    return this.#entries.get(node)?.machine;
  }

  /** The container runtime of this name: `containerd-node-1`. */
  runtime(name: string): ProcessTarget | undefined {
    return [...this.#entries.values()].find(({ runtime }) => runtime.name === name)?.runtime;
  }

  /** Its container runtime, if there is such a machine. */
  runtimesOn(node: string): readonly ProcessTarget[] {
    const entry = this.#entries.get(node);
    return entry ? [entry.runtime] : [];
  }

  /** Takes a machine's power, and gives whether there is one. */
  powerOff(node: string): boolean {
    const machine = this.get(node);
    machine?.powerOff();
    return machine !== undefined;
  }
}

/** A runtime asks nothing of an apiserver: it has no watches. */
function runtimeTarget(name: string, machine: Machine): ProcessTarget {
  return {
    name,
    cutWatches: () => {},
    failWatches: () => {},
    holdWatches: () => () => {},
    crash: () => machine.stopRuntime(),
    start: () => machine.startRuntime(),
    skewClock: (byMs) => machine.skewClock(byMs),
  };
}
