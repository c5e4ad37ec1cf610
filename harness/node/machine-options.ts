import type { CniPlugin, CsiNode } from '../contracts/node/index.ts';
import type { Line, Simulation } from '../sim/index.ts';
import type { NewPluginLine } from './cni/plugin-processes.ts';
import type { MachineFiles } from './files/index.ts';
import type { MachineCapacity } from './machine-resources.ts';
import type { ClusterNetwork } from './network/cluster-network.ts';
import type { Programs } from './programs/program.ts';
import type { RegistryClient } from './registry/index.ts';
import type { ProfileName, RuntimeTimings } from './runtime/profile.ts';

/** Options of a machine. */
export interface MachineOptions {
  /** The name of the node, such as `node-1`. */
  readonly node: string;
  readonly sim: Simulation;
  /** The image registries. @defaultValue the public registries, with well-known images */
  readonly registry?: RegistryClient;
  /** Images of the catalogue that exist from the start: `nginx:1.27`. @defaultValue only the sandbox's */
  readonly preloaded?: readonly string[];
  /** @defaultValue containerd */
  readonly profile?: ProfileName;
  /** @defaultValue the number at the end of its name, or 1 */
  readonly number?: number;
  /**
   * The line of the runtime's process, `containerd-node-1`. Faults affect its calls to the network plugin.
   * @defaultValue no line, so no faults
   */
  readonly line?: Line;
  /**
   * Creates the line of each network plugin's process. Faults affect its calls to files and tools. @defaultValue no
   * line, so no faults
   */
  readonly pluginLine?: NewPluginLine;
  /** The network that all machines of a cluster share. @defaultValue a new network */
  readonly network?: ClusterNetwork;
  /**
   * The installed network plugins in `/opt/cni/bin`, by type. The runtime runs those in the configuration in
   * `/etc/cni/net.d`, which does not exist at first.
   *
   * @defaultValue a stand-in without programs, which allocates addresses of `10.244.N.0/24` and is already configured
   */
  readonly plugins?: Readonly<Record<string, CniPlugin>>;
  /** Programs by the name of their executable, in addition to the standard ones. */
  readonly programs?: Programs;
  readonly csi?: ReadonlyMap<string, CsiNode>;
  readonly capacity?: Partial<MachineCapacity>;
  readonly timings?: Partial<RuntimeTimings>;
  /** Whether a power failure may lose unsynced files: {@link MachineFiles.powerLoss}. @defaultValue false */
  readonly losesUnsynced?: boolean;
}

/** The default timings of a runtime. */
export const defaultTimings: RuntimeTimings = {
  runSandboxMs: 40,
  createMs: 20,
  startMs: 30,
  removeMs: 10,
  execMs: 10,
  exitSeenMs: 5,
};
