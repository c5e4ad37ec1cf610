import type { FileSystem } from '#harness';

/** The identity of one pod's volume, as its path on disk shows it. */
export interface VolumeIdentity {
  readonly podUID: string;
  /** The directory of its plugin: `kubernetes.io~configmap`. */
  readonly plugin: string;
  /** The name of the volume in the pod; for a claim, the name of the PersistentVolume. */
  readonly specName: string;
}

/** A volume of a CSI driver, independent of the pods that use it. */
export interface Device {
  readonly driver: string;
  readonly volumeHandle: string;
}

/**
 * The kubelet's root directory.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubeletconfig/defaults.go, pkg/kubelet/kubelet_getters.go
 */
const ROOT = '/var/lib/kubelet';

/** The parent of all pod directories. */
export const PODS = `${ROOT}/pods`;

/** Returns the directory of a pod's volumes. */
export const volumesDir = (podUID: string): string => `${PODS}/${podUID}/volumes`;

/** Returns the directory of one volume of a pod. */
export const volumeDir = ({ podUID, plugin, specName }: VolumeIdentity): string =>
  `${volumesDir(podUID)}/${plugin}/${specName}`;

/** Returns the directory of the subPath mounts of a pod. */
export const subPathsDir = (podUID: string): string => `${PODS}/${podUID}/volume-subpaths`;

/** The directory of the volumes that CSI drivers have staged on this node, with a subdirectory for each driver. */
export const DEVICES = `${ROOT}/plugins/kubernetes.io/csi`;

/**
 * Returns the directory where a CSI driver stages one volume on this node.
 *
 * Differs: upstream names the directory by a hash of the handle, not by the handle.
 */
export const deviceDir = ({ driver, volumeHandle }: Device): string =>
  `${DEVICES}/${driver}/${encodeURIComponent(volumeHandle)}`;

/** Returns the names in a directory, sorted; empty if the directory does not exist. */
export async function namesIn(files: FileSystem, path: string): Promise<readonly string[]> {
  return (await files.stat(path)) ? files.readdir(path) : [];
}

/** Unmounts all mounts at or below a path, the newest first. */
export async function unmountBelow(files: FileSystem, path: string): Promise<void> {
  const mounts = await files.mounts();
  for (const { target } of mounts.toReversed()) {
    if (target === path || target.startsWith(`${path}/`)) await files.unmount(target);
  }
}

/** Reports whether there is a mount at the path. */
export async function isMounted(files: FileSystem, path: string): Promise<boolean> {
  return (await files.mounts()).some(({ target }) => target === path);
}
