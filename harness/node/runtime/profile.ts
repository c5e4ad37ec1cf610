import type { ContainerResources } from '../../contracts/node/cri/index.ts';
import type { NetworkPlugin } from '../../contracts/node/network-plugin.ts';
import type { MachineFiles } from '../files/index.ts';
import type { MachineHistory } from '../history.ts';
import type { ImageStore } from '../images/index.ts';
import type { MachineNetwork } from '../network/stack/machine-network.ts';
import type { Cgroup } from './cgroup.ts';
import type { Life } from './life.ts';
import type { Shim } from './shim.ts';
import type { RuntimeState } from './state.ts';

/** The container runtime of a machine. */
export type ProfileName = 'containerd' | 'cri-o' | 'cri-dockerd';

/** How long a runtime takes for its own work, in virtual ms. The time of a network plugin comes on top. */
export interface RuntimeTimings {
  /** The time to start the first process of a sandbox. @defaultValue 40 */
  readonly runSandboxMs: number;
  /** @defaultValue 20 */
  readonly createMs: number;
  /** @defaultValue 30 */
  readonly startMs: number;
  /** The time to remove a container or a sandbox. @defaultValue 10 */
  readonly removeMs: number;
  /** The time to start a command in a container. @defaultValue 10 */
  readonly execMs: number;
  /** The time from the end of a process until the runtime notices it. @defaultValue 5 */
  readonly exitSeenMs: number;
}

/** The dependencies of a runtime at its start. */
export interface RuntimeOptions {
  readonly life: Life;
  readonly state: RuntimeState;
  readonly shim: Shim;
  readonly network: MachineNetwork;
  readonly plugin: NetworkPlugin;
  readonly images: ImageStore;
  readonly files: MachineFiles;
  readonly history: MachineHistory;
  readonly timings: RuntimeTimings;
  /** Returns a new id of 64 hex digits. */
  readonly newId: () => string;
  /** Creates the cgroup that limits the processes of a container. */
  readonly newCgroup: (resources?: ContainerResources) => Cgroup;
  /** Whether the machine has a process id left for a new process. */
  readonly canFork: () => boolean;
}
