import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import type { Clock } from '../../sim/index.ts';
import type { Client } from '../client.ts';
import type { EventRecorder } from '../event-recorder.ts';
import type { Mount } from './cri/runtime-service.ts';
import type { CsiNode } from './csi-node.ts';
import type { FileSystem } from './host.ts';

/**
 * The volumes of a node: it mounts those of each pod before its containers start, keeps their content up to date, and unmounts
 * them when the pod's containers are gone.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/volumemanager/volume_manager.go VolumeManager
 */
export interface VolumeManager {
  /**
   * Resolves when all volumes that the pod's containers mount are mounted. The kubelet calls it each time it looks at the pod: then
   * what volumes show of the API is brought up to date, too.
   *
   * @throws Error after two minutes and three seconds, with the names of those that are not; its message then ends in `context
   * deadline exceeded`, and no event tells of it. At once when it is not known what a volume is: its claim is not bound
   */
  waitForAttachAndMount(pod: Pod): Promise<void>;

  /** Resolves when none of the pod's volumes is mounted any more. @throws Error like {@link waitForAttachAndMount} */
  waitForUnmount(pod: Pod): Promise<void>;

  /**
   * What a container mounts, when all its volumes are mounted. Asked anew for each container that is made: it is what parts of
   * volumes show as long as the container lives.
   *
   * @param environment what a `subPathExpr` may name
   * @throws Error that says which volume is not
   */
  mountsOf(
    pod: Pod,
    container: core.Container,
    environment?: Readonly<Record<string, string>>,
  ): Promise<readonly Mount[]>;

  /** Is anything of this pod mounted, or may it be? Until it is known what a kubelet before this one has mounted, it may. */
  hasPossiblyMountedVolumesForPod(podUID: string): boolean;

  /**
   * The volumes of storage drivers that this node uses, or may use, for `status.volumesInUse`; undefined as long as that is not
   * known: then the kubelet leaves what stands there.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/volumemanager/volume_manager.go GetVolumesInUse,
   * ReconcilerStatesHasBeenSynced
   */
  volumesInUse(): readonly string[] | undefined;
}

/** What a volume manager needs. */
export interface VolumeManagerOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly node: string;
  readonly signal: AbortSignal;
  readonly files: FileSystem;
  /** The drivers of this node, by name. */
  readonly csi: ReadonlyMap<string, CsiNode>;
  /** The pods that are to have their volumes mounted: those that run, and those that are not gone yet. */
  readonly desiredPods: () => readonly Pod[];
  /**
   * Whether containers of the pod may still run: then nothing is unmounted. Of a pod of which the kubelet knows nothing yet, they
   * may.
   */
  readonly couldHaveRunningContainers: (podUID: string) => boolean;
  /** What a downward API volume says of a pod's status: its addresses. */
  readonly statusOf: (podUID: string) => Pod['status'] | undefined;
}

/** Makes the volume manager of a kubelet that starts now. */
export type NewVolumeManager = (options: VolumeManagerOptions) => VolumeManager;
