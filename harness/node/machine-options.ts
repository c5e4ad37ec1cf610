import type { CniPlugin, CsiNode } from '../contracts/node/index.ts';
import type { Line, Simulation } from '../sim/index.ts';
import type { NewPluginLine } from './cni/plugin-processes.ts';
import type { MachineFiles } from './files/index.ts';
import type { ClusterNetwork } from './network/cluster-network.ts';
import type { Programs } from './programs/program.ts';
import type { RegistryClient } from './registry/index.ts';
import type { ProfileName, RuntimeTimings } from './runtime/profile.ts';

/** What a machine is, and what runs on it. */
export interface MachineOptions {
  /** `node-1`. */
  readonly node: string;
  readonly sim: Simulation;
  /** Where images come from. @defaultValue the public ones, with the images that people use by name */
  readonly registry?: RegistryClient;
  /** Images of the catalogue that are there from the start: `nginx:1.27`. @defaultValue none but the sandbox's */
  readonly preloaded?: readonly string[];
  /** @defaultValue containerd */
  readonly profile?: ProfileName;
  /** @defaultValue the number at the end of its name, or 1 */
  readonly number?: number;
  /** The line of the runtime's process, `containerd-node-1`: faults strike its calls of the network plugin. @defaultValue none: nothing strikes */
  readonly line?: Line;
  /** The line of each network plugin that is run: faults strike its calls of files and tools. @defaultValue none: nothing strikes */
  readonly pluginLine?: NewPluginLine;
  /** The network that all machines of a cluster share. @defaultValue one of its own */
  readonly network?: ClusterNetwork;
  /**
   * The network plugins that are installed in `/opt/cni/bin`, by their type. The runtime runs those that the configuration in
   * `/etc/cni/net.d` names, and there is none at first.
   *
   * @defaultValue no programs: a stand-in gives out addresses of `10.244.N.0/24`, and its configuration is there
   */
  readonly plugins?: Readonly<Record<string, CniPlugin>>;
  /** Programs by the name of their executable, besides those that every machine knows. */
  readonly programs?: Programs;
  readonly csi?: ReadonlyMap<string, CsiNode>;
  readonly capacity?: Partial<MachineCapacity>;
  readonly timings?: Partial<RuntimeTimings>;
  /** Whether files that were not synced may be lost with the machine's power: {@link MachineFiles.powerLoss}. @defaultValue false */
  readonly losesUnsynced?: boolean;
}

/** What there is of a machine. */
export interface MachineCapacity {
  /** @defaultValue 4 */
  readonly cpus: number;
  /** @defaultValue 16 GiB */
  readonly memoryBytes: number;
  /** @defaultValue 100 GiB */
  readonly diskBytes: number;
  /** @defaultValue 6,553,600 */
  readonly inodes: number;
  /** @defaultValue 32,768 */
  readonly pids: number;
}

const GIB = 1024 ** 3;

/** What a machine has if nothing else is said. */
export const defaultCapacity: MachineCapacity = {
  cpus: 4,
  memoryBytes: 16 * GIB,
  diskBytes: 100 * GIB,
  inodes: 6_553_600,
  pids: 32_768,
};

/** How long a runtime takes if nothing else is said. */
export const defaultTimings: RuntimeTimings = {
  runSandboxMs: 40,
  createMs: 20,
  startMs: 30,
  removeMs: 10,
  execMs: 10,
  exitSeenMs: 5,
};
