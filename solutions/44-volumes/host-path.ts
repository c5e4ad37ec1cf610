import type { FileSystem } from '#harness';
import type { VolumePlugin } from './volume-spec.ts';

/**
 * A file or directory of the node. The kubelet never deletes it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/volume/hostpath/host_path.go
 *
 * Differs: our machines have no sockets and no devices, so a check for these types always fails.
 */
export function hostPathPlugin(files: FileSystem): VolumePlugin {
  return {
    directory: 'kubernetes.io~host-path',
    readonly: false,
    remounts: false,
    knows: ({ hostPath }) => hostPath !== undefined,
    setUp: ({ source }) => check(files, source.hostPath?.path ?? '', source.hostPath?.type ?? ''),
    tearDown: async () => {},
    pathOf: ({ source }) => source.hostPath?.path ?? '',
  };
}

/** Upstream: checkTypeInternal */
async function check(files: FileSystem, path: string, type: string): Promise<void> {
  if (type === '') return;
  const found = await files.stat(path);
  if (!found && type === 'DirectoryOrCreate') return files.mkdirAll(path);
  if (!found && type === 'FileOrCreate') return files.writeFile(path, '', { exclusive: true });
  const wanted = WANTED[type];
  if (!wanted) throw new Error(`${type} is an invalid volume type`);
  if (found?.type !== wanted.is)
    throw new Error(`hostPath type check failed: ${path} is not a ${wanted.name}`);
}

const WANTED: Readonly<Record<string, { readonly is?: string; readonly name: string }>> = {
  Directory: { is: 'directory', name: 'directory' },
  DirectoryOrCreate: { is: 'directory', name: 'directory' },
  File: { is: 'file', name: 'file' },
  FileOrCreate: { is: 'file', name: 'file' },
  Socket: { is: 'socket', name: 'socket file' },
  CharDevice: { is: 'char', name: 'character device' },
  BlockDevice: { is: 'block', name: 'block device' },
};
