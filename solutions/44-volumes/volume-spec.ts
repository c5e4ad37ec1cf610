import type { core, Pod } from '#harness';
import type { Device, VolumeIdentity } from './paths.ts';

/** A volume that a pod mounts, with all data that its plugin needs. */
export interface VolumeSpec extends VolumeIdentity {
  readonly pod: Pod;
  /** The name of the volume in the pod. */
  readonly name: string;
  readonly source: VolumeSource;
}

/** The source of a volume. A claim is already replaced by the source of its PersistentVolume. */
export type VolumeSource = Pick<
  core.Volume,
  'configMap' | 'downwardAPI' | 'emptyDir' | 'hostPath' | 'projected' | 'secret'
> & {
  readonly csi?: CsiSource;
};

/** A volume of a CSI driver. */
export interface CsiSource extends Device {
  readonly readonly: boolean;
  readonly volumeContext: Readonly<Record<string, string>>;
  /** `Persistent`: it outlives the pod, and several pods can use it. `Ephemeral`: it was created for this pod. */
  readonly lifecycle: 'Persistent' | 'Ephemeral';
}

/** The implementation of one kind of volume. Every step can be repeated, after a success and after a failure. */
export interface VolumePlugin {
  /** The directory of its volumes in a pod's directory: `kubernetes.io~configmap`. */
  readonly directory: string;
  /** Whether containers always mount it read-only. */
  readonly readonly: boolean;
  /** Whether it is set up again at each sync of the pod, because the objects that it shows may have changed. */
  readonly remounts: boolean;
  /** Reports whether the plugin handles this source. */
  readonly knows: (source: VolumeSource) => boolean;
  /** Creates the files or mounts that a container can mount. */
  setUp(spec: VolumeSpec, dir: string): Promise<void>;
  /** Undoes `setUp`. It must read everything that it needs from disk. */
  tearDown(dir: string): Promise<void>;
  /** Returns the path on the node that a container mounts. */
  pathOf(spec: VolumeSpec, dir: string): string;
}

/** Returns a unique key of a pod's volume. */
export function keyOf({ podUID, plugin, specName }: VolumeIdentity): string {
  return `${podUID}/${plugin}/${specName}`;
}

/** Returns the names of the volumes that the pod's containers mount. Other volumes are not set up. */
export function mountedNames({ spec }: Pod): ReadonlySet<string> {
  const containers = [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
    ...(spec.ephemeralContainers ?? []),
  ];
  return new Set(containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name)));
}
