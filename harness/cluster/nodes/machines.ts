import type { ProcessTarget } from '../../faults/index.ts';
import type { Crash } from '../../node/cni/plugin-processes.ts';
import { createMachine, type Machine, runtimeProcess } from '../../node/machine.ts';
import type { MachineOptions } from '../../node/machine-options.ts';
import { ClusterNetwork } from '../../node/network/cluster-network.ts';
import { publicRegistries, type RegistryClient } from '../../node/registry/index.ts';
import type { Interference, Line, Simulation } from '../../sim/index.ts';

/** What a machine of a cluster differs in from others: its name, its time and its network are the cluster's. */
export type ClusterMachineOptions = Omit<MachineOptions, 'node' | 'sim' | 'line' | 'pluginLine' | 'network'>;

/**
 * The connection of a process to the rest of the world, which faults disturb.
 *
 * @param onCrash called when the process is to die of a call
 */
type LineOf = (actor: string, onCrash?: (crash: Crash) => void) => Line;

/** The name of a machine's network plugins, as in traces and to faults. */
function pluginProcess(node: string): string {
  return `cni-${node}`;
}

interface Entry {
  readonly node: string;
  readonly machine: Machine;
  /** Its container runtime, as faults strike it. */
  readonly runtime: ProcessTarget;
  /** Its network plugins, all under one name. Undefined when it has none. */
  readonly plugins: ProcessTarget | undefined;
}

/** The machines of a cluster, in one network, with the same registries. */
export class Machines {
  readonly #sim: Simulation;
  readonly #lineOf: LineOf;
  readonly #network: ClusterNetwork;
  readonly #entries = new Map<string, Entry>();
  #registry: RegistryClient | undefined;

  constructor(sim: Simulation, lineOf: LineOf) {
    this.#sim = sim;
    this.#network = new ClusterNetwork(sim);
    this.#lineOf = lineOf;
  }

  /** @throws Error when there is one of that name */
  add(node: string, options: ClusterMachineOptions): Machine {
    if (this.#entries.has(node)) {
      throw new Error(`Failed to add the machine ${node}: there is one of that name.`);
    }
    const name = runtimeProcess(options.profile ?? 'containerd', node);
    this.#registry ??= publicRegistries(this.#sim.clock);
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

  get network(): ClusterNetwork {
    return this.#network;
  }

  /** The container runtime, or the network plugins, of this name: `containerd-node-1`, `cni-node-1`. */
  process(name: string): ProcessTarget | undefined {
    for (const { runtime, plugins } of this.#entries.values()) {
      if (runtime.name === name) return runtime;
      if (plugins?.name === name) return plugins;
    }
    return undefined;
  }

  /** Its container runtime, if there is such a machine. */
  runtimesOn(node: string): readonly ProcessTarget[] {
    const entry = this.#entries.get(node);
    return entry ? [entry.runtime] : [];
  }

  /** Cuts a machine off from the others. @returns what joins it again; undefined when it has no network plugins of its own */
  cutOff(node: string): (() => void) | undefined {
    const entry = this.#entries.get(node);
    return entry?.plugins && entry.machine.cutOff();
  }

  /** Takes a machine's power, and gives whether there is one. */
  powerOff(node: string): boolean {
    const machine = this.get(node);
    machine?.powerOff();
    return machine !== undefined;
  }
}

/** Each run of a plugin is a process; the one that is struck in the middle of a call dies, and the next run is another. */
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

/** Calls back when the process that a call belongs to is to die of it. */
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
