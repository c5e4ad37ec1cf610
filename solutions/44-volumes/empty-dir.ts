import { type FileSystem, parseQuantity } from '#harness';
import { isMounted, unmountBelow } from './paths.ts';
import type { VolumePlugin } from './volume-spec.ts';

/**
 * A directory that begins empty and ends with its pod, on the node's disk or in its memory.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/volume/emptydir/empty_dir.go
 *
 * Differs: huge pages are memory like other memory. Memory without a limit of its own has none; upstream limits it to the memory of the pod.
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

/** Mounts memory over a directory, once. */
export async function mountMemory(files: FileSystem, dir: string, sizeLimit?: string): Promise<void> {
  if (await isMounted(files, dir)) return;
  const nanos = parseQuantity(sizeLimit ?? '0').nanos;
  const sizeBytes = Number(nanos / 10n ** 9n);
  await files.mount('tmpfs', dir, { type: 'tmpfs', ...(sizeBytes > 0 && { sizeBytes }) });
}

/** Takes away what is mounted on the directory, and then the directory, which refuses to go while anything is mounted in it. */
export async function removeVolume(files: FileSystem, dir: string): Promise<void> {
  await unmountBelow(files, dir);
  await files.removeAll(dir);
}
