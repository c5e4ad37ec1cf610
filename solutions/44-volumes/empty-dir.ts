import { type FileSystem, parseQuantity } from '#harness';
import { isMounted, unmountBelow } from './paths.ts';
import type { VolumePlugin } from './volume-spec.ts';

/**
 * A directory that is initially empty and is deleted with its pod, on the node's disk or in memory.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/volume/emptydir/empty_dir.go
 *
 * Differs: huge pages count as ordinary memory. A memory volume without a `sizeLimit` is unlimited; upstream limits it
 * to the memory of the pod.
 */
export function emptyDirPlugin(files: FileSystem): VolumePlugin {
  return {
    directory: 'kubernetes.io~empty-dir',
    readonly: false,
    remounts: false,
    knows: ({ emptyDir }) => emptyDir !== undefined,

    async setUp({ source: { emptyDir } }, dir) {
      await files.mkdirAll(dir, 0o777);
      // A limit on disk is not enforced here: the kubelet evicts the pod.
      if (emptyDir?.medium) await mountMemory(files, dir, emptyDir.sizeLimit);
    },

    tearDown: (dir) => removeVolume(files, dir),
    pathOf: (_, dir) => dir,
  };
}

/** Mounts a tmpfs over a directory, unless one is already mounted. */
export async function mountMemory(files: FileSystem, dir: string, sizeLimit?: string): Promise<void> {
  if (await isMounted(files, dir)) return;
  const nanos = parseQuantity(sizeLimit ?? '0').nanos;
  const sizeBytes = Number(nanos / 10n ** 9n);
  await files.mount('tmpfs', dir, { type: 'tmpfs', ...(sizeBytes > 0 && { sizeBytes }) });
}

/** Unmounts all mounts at or below the directory, then deletes it. A directory with a mount in it cannot be deleted. */
export async function removeVolume(files: FileSystem, dir: string): Promise<void> {
  await unmountBelow(files, dir);
  await files.removeAll(dir);
}
