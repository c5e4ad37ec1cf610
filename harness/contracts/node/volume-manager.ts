import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import type { Clock } from '../../sim/index.ts';
import type { Client } from '../client.ts';
import type { EventRecorder } from '../event-recorder.ts';
import type { Mount } from './cri/runtime-service.ts';
import type { CsiNode } from './csi-node.ts';
import type { FileSystem } from './host.ts';

/**
 * Manages the volumes of a node. It mounts the volumes of each pod before its containers start, and keeps their content
 * up to date. It unmounts them when the pod's containers have exited.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/volumemanager/volume_manager.go VolumeManager
 */
export interface VolumeManager {
  /**
   * Resolves when all volumes that the pod's containers mount are mounted. The kubelet calls it in each sync of the
   * pod, which also refreshes volumes with content from the API.
   *
   * @throws Error after two minutes and three seconds, with the names of the unmounted volumes; its message then ends
   * in `context deadline exceeded`, and no Event is emitted. At once, when the source of a volume is unknown because
   * its claim is not bound
   */
  waitForAttachAndMount(pod: Pod): Promise<void>;

  /** Resolves when all volumes of the pod are unmounted. @throws Error like {@link waitForAttachAndMount} */
  waitForUnmount(pod: Pod): Promise<void>;

  /**
   * Returns the mounts of a container, once all its volumes are mounted. Call it for each new container, because it
   * fixes the content of subpath mounts for the lifetime of the container.
   *
   * @param environment the variables that a `subPathExpr` may use
   * @throws Error that names the volume that is not mounted
   */
  mountsOf(
    pod: Pod,
    container: core.Container,
    environment?: Readonly<Record<string, string>>,
  ): Promise<readonly Mount[]>;

  /**
   * Returns whether this pod has, or may have, mounted volumes. It may, until the mounts of an earlier kubelet are
   * known.
   */
  hasPossiblyMountedVolumesForPod(podUID: string): boolean;

  /**
   * Returns the volumes of storage drivers that this node uses or may use, for `status.volumesInUse`. Returns undefined
   * until they are known: then the kubelet leaves the field unchanged.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/volumemanager/volume_manager.go GetVolumesInUse,
   * ReconcilerStatesHasBeenSynced
   */
  volumesInUse(): readonly string[] | undefined;
}

/** Options of a volume manager. */
export interface VolumeManagerOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly node: string;
  readonly signal: AbortSignal;
  readonly files: FileSystem;
  /** The drivers of this node, by name. */
  readonly csi: ReadonlyMap<string, CsiNode>;
  /** Returns the pods whose volumes must be mounted: running pods, and terminating pods that still exist. */
  readonly desiredPods: () => readonly Pod[];
  /**
   * Returns whether containers of the pod may still run: then its volumes stay mounted. It returns true for a pod that
   * the kubelet does not know yet.
   */
  readonly couldHaveRunningContainers: (podUID: string) => boolean;
  /** Returns the status of a pod, whose IP addresses a downward API volume may show. */
  readonly statusOf: (podUID: string) => Pod['status'] | undefined;
}

/** Creates the volume manager of a starting kubelet. */
export type NewVolumeManager = (options: VolumeManagerOptions) => VolumeManager;
