import type { FileSystem } from '#harness';

/** A volume of one pod, as it is found on disk. */
export interface VolumeIdentity {
  readonly podUID: string;
  /** The directory of its plugin: `kubernetes.io~configmap`. */
  readonly plugin: string;
  /** Its name in the pod; of a claim's volume the name of the PersistentVolume. */
  readonly specName: string;
}

/** A volume of a storage driver, whatever pods use it. */
export interface Device {
  readonly driver: string;
  readonly volumeHandle: string;
}

/**
 * Where a kubelet keeps the volumes of its pods.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/config/defaults.go, pkg/kubelet/kubelet_getters.go
 */
const ROOT = '/var/lib/kubelet';

/** What each pod has. */
export const PODS = `${ROOT}/pods`;

/** All volumes of a pod. */
export const volumesDir = (podUID: string): string => `${PODS}/${podUID}/volumes`;

/** One volume of a pod. */
export const volumeDir = ({ podUID, plugin, specName }: VolumeIdentity): string =>
  `${volumesDir(podUID)}/${plugin}/${specName}`;

/** The parts of volumes that containers of a pod mount alone. */
export const subPathsDir = (podUID: string): string => `${PODS}/${podUID}/volume-subpaths`;

/** What storage drivers have prepared for this node, a directory a driver. */
export const DEVICES = `${ROOT}/plugins/kubernetes.io/csi`;

/**
 * What a storage driver has prepared for this node of one volume.
 *
 * Differs: upstream's directory is called by a hash of the handle; this one is called by the handle.
 */
export const deviceDir = ({ driver, volumeHandle }: Device): string =>
  `${DEVICES}/${driver}/${encodeURIComponent(volumeHandle)}`;

/** The names in a directory, sorted; none when it is not there. */
export async function namesIn(files: FileSystem, path: string): Promise<readonly string[]> {
  return (await files.stat(path)) ? files.readdir(path) : [];
}

/** Takes away whatever is mounted at a path, or below it, the last mount first. Does nothing when nothing is. */
export async function unmountBelow(files: FileSystem, path: string): Promise<void> {
  const mounts = await files.mounts();
  for (const { target } of mounts.toReversed()) {
    if (target === path || target.startsWith(`${path}/`)) await files.unmount(target);
  }
}

/** Is something mounted at the path? */
export async function isMounted(files: FileSystem, path: string): Promise<boolean> {
  return (await files.mounts()).some(({ target }) => target === path);
}
