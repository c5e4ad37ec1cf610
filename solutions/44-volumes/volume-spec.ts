import type { core, Pod } from '#harness';
import type { Device, VolumeIdentity } from './paths.ts';

/** A volume that a pod mounts, with all that has to be known to mount it. */
export interface VolumeSpec extends VolumeIdentity {
  readonly pod: Pod;
  /** Its name in the pod. */
  readonly name: string;
  readonly source: VolumeSource;
}

/** The source of a volume. A claim does not occur here: it is replaced by the source that it is bound to. */
export type VolumeSource = Pick<
  core.Volume,
  'configMap' | 'downwardAPI' | 'emptyDir' | 'hostPath' | 'projected' | 'secret'
> & {
  readonly csi?: CsiSource;
};

/** A volume of a storage driver. */
export interface CsiSource extends Device {
  readonly readonly: boolean;
  readonly volumeContext: Readonly<Record<string, string>>;
  /** `Persistent`: it outlives the pod, and several pods may use it. `Ephemeral`: it was made for this pod. */
  readonly lifecycle: 'Persistent' | 'Ephemeral';
}

/** What makes one kind of volume. Every step may be repeated, whether it succeeded the last time or failed. */
export interface VolumePlugin {
  /** The directory below which its volumes stand in a pod: `kubernetes.io~configmap`. */
  readonly directory: string;
  /** Containers cannot write to it. */
  readonly readonly: boolean;
  /** It is set up again each time the pod is looked at, for what it shows may have changed. */
  readonly remounts: boolean;
  /** The part of a volume's source that it knows. */
  readonly knows: (source: VolumeSource) => boolean;
  /** Makes what a container can mount. */
  setUp(spec: VolumeSpec, dir: string): Promise<void>;
  /** Undoes `setUp`. It has to read from disk all that it needs to know. */
  tearDown(dir: string): Promise<void>;
  /** What a container mounts of it. */
  pathOf(spec: VolumeSpec, dir: string): string;
}

/** One string for a volume of a pod. */
export function keyOf({ podUID, plugin, specName }: VolumeIdentity): string {
  return `${podUID}/${plugin}/${specName}`;
}

/** The names of the volumes that containers of a pod mount. Others need not be there. */
export function mountedNames({ spec }: Pod): ReadonlySet<string> {
  const containers = [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
    ...(spec.ephemeralContainers ?? []),
  ];
  return new Set(containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name)));
}
