import type { ProcessTarget } from '../../faults/index.ts';
import type { Crash } from '../../node/cni/plugin-processes.ts';
import { createMachine, type Machine, runtimeProcess } from '../../node/machine.ts';
import type { MachineOptions } from '../../node/machine-options.ts';
import { ClusterNetwork } from '../../node/network/cluster-network.ts';
import { type NewRegistry, publicRegistries, type RegistryClient } from '../../node/registry/index.ts';
import type { Interference, Line, Simulation } from '../../sim/index.ts';

/** Options of a machine in a cluster: its name, time and network come from the cluster. */
export type ClusterMachineOptions = Omit<MachineOptions, 'node' | 'sim' | 'line' | 'pluginLine' | 'network'>;

/**
 * Returns the connection of a process to the rest of the simulation, which faults disturb.
 *
 * @param onCrash called when a call crashes the process
 */
type LineOf = (actor: string, onCrash?: (crash: Crash) => void) => Line;

/** Returns the name of a machine's network plugins in traces and faults. */
function pluginProcess(node: string): string {
  return `cni-${node}`;
}

interface Entry {
  readonly node: string;
  readonly machine: Machine;
  /** Its container runtime, as a target of faults. */
  readonly runtime: ProcessTarget;
  /** Its network plugins, all under one name. Undefined if it has none. */
  readonly plugins: ProcessTarget | undefined;
}

/** The machines of a cluster, with a common network and common registries. */
export class Machines {
  readonly #sim: Simulation;
  readonly #lineOf: LineOf;
  readonly #network: ClusterNetwork;
  readonly #entries = new Map<string, Entry>();
  readonly #newRegistry: NewRegistry;
  #registry: RegistryClient | undefined;

  constructor(sim: Simulation, newRegistry: NewRegistry = publicRegistries, lineOf: LineOf) {
    this.#sim = sim;
    this.#newRegistry = newRegistry;
    this.#network = new ClusterNetwork(sim);
    this.#lineOf = lineOf;
  }

  /** Adds a machine. @throws Error when the name is in use */
  add(node: string, options: ClusterMachineOptions): Machine {
    if (this.#entries.has(node)) {
      throw new Error(`Failed to add the machine ${node}: there is one of that name.`);
    }
    const name = runtimeProcess(options.profile ?? 'containerd', node);
    this.#registry ??= this.#newRegistry(this.#sim.clock);
    const plugins = options.plugins && pluginProcess(node);
    const machine = createMachine({
      registry: this.#registry,
      ...options,
      node,
      sim: this.#sim,
      network: this.#network,
      line: this.#lineOf(name),
      ...(plugins && { pluginLine: (onCrash: (crash: Crash) => void) => this.#lineOf(plugins, onCrash) }),
    });
    this.#entries.set(node, {
      node,
      machine,
      runtime: runtimeTarget(name, machine),
      plugins: plugins === undefined ? undefined : pluginTarget(plugins),
    });
    return machine;
  }

  get(node: string): Machine | undefined {
    return this.#entries.get(node)?.machine;
  }

  /** All machines, oldest first. */
  get all(): readonly Machine[] {
    return [...this.#entries.values()].map(({ machine }) => machine);
  }

  get network(): ClusterNetwork {
    return this.#network;
  }

  /** Returns the container runtime or the network plugins of this name: `containerd-node-1`, `cni-node-1`. */
  process(name: string): ProcessTarget | undefined {
    for (const { runtime, plugins } of this.#entries.values()) {
      if (runtime.name === name) return runtime;
      if (plugins?.name === name) return plugins;
    }
    return undefined;
  }

  /** Returns the machine's container runtime, if the machine exists. */
  runtimesOn(node: string): readonly ProcessTarget[] {
    const entry = this.#entries.get(node);
    return entry ? [entry.runtime] : [];
  }

  /**
   * Cuts a machine off from the others. @returns a function that reconnects it; undefined if it has no network plugins
   * of its own
   */
  cutOff(node: string): (() => void) | undefined {
    const entry = this.#entries.get(node);
    return entry?.plugins && entry.machine.cutOff();
  }

  /** Turns off a machine's power. Returns whether the machine exists. */
  powerOff(node: string): boolean {
    const machine = this.get(node);
    machine?.powerOff();
    return machine !== undefined;
  }
}

/** Each run of a plugin is a separate process. A fault kills the current run; the next run is a new process. */
function pluginTarget(name: string): ProcessTarget {
  return {
    name,
    cutWatches: () => {},
    failWatches: () => {},
    holdWatches: () => () => {},
    crash: () => {},
    start: () => {},
    skewClock: () => {},
  };
}

/** A runtime makes no requests to an apiserver, so it has no watches. */
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

/** Calls back when a call crashes its process. */
export function noticing(
  interference: Interference,
  onCrash: ((crash: Crash) => void) | undefined,
): Interference {
  if (!onCrash) return interference;
  return (call) => {
    const effect = interference(call);
    if (effect.kind === 'vanish') onCrash({ port: call.port, performed: effect.performed });
    return effect;
  };
}
