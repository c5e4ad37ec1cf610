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

/** Which container runtime a machine has. */
export type ProfileName = 'containerd' | 'cri-o' | 'cri-dockerd';

/** How long a runtime takes for its work, in virtual ms. Of its own work: what a network plugin takes comes on top. */
export interface RuntimeTimings {
  /** To start the first process of a sandbox. @defaultValue 40 */
  readonly runSandboxMs: number;
  /** @defaultValue 20 */
  readonly createMs: number;
  /** @defaultValue 30 */
  readonly startMs: number;
  /** To remove a container, or a sandbox. @defaultValue 10 */
  readonly removeMs: number;
  /** To start a command in a container. @defaultValue 10 */
  readonly execMs: number;
  /** From the end of a process until the runtime knows. @defaultValue 5 */
  readonly exitSeenMs: number;
}

/** What a runtime that starts now stands on. */
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
  /** Another one each time, 64 hex digits. */
  readonly newId: () => string;
  /** Holds the processes of a container to what it may use. */
  readonly newCgroup: (resources?: ContainerResources) => Cgroup;
  /** Whether processes can be started: none is left otherwise. */
  readonly canFork: () => boolean;
}
