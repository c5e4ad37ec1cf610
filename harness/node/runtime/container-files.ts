import { FileError, type FileSystem } from '../../contracts/node/index.ts';
import type { Process } from '../programs/program.ts';
import type { Container } from './container.ts';

/** Where the layers are that containers write to. */
const LAYERS = '/var/lib/containers/layers';

/** What a container has written outside of its mounts. */
export function layerOf(containerId: string): string {
  return `${LAYERS}/${containerId}`;
}

/**
 * The files of the machine as the processes of a container see them: its mounts, and for all else a layer of its own.
 *
 * Differs: an image has no files but its executables.
 */
export function containerFiles(files: FileSystem, container: Container): Process['files'] {
  const mounts = [...container.config.mounts].sort((a, b) => b.containerPath.length - a.containerPath.length);
  const layer = layerOf(container.id);

  const find = (path: string): { readonly hostPath: string; readonly readonly: boolean } => {
    for (const { containerPath, hostPath, readonly } of mounts) {
      const at = containerPath.replace(/\/+$/, '');
      if (path === at || path.startsWith(`${at}/`)) {
        return { hostPath: `${hostPath}${path.slice(at.length)}`, readonly };
      }
    }
    return { hostPath: `${layer}${path}`, readonly: false };
  };
  const writable = (verb: string, path: string): string => {
    const { hostPath, readonly } = find(path);
    if (readonly) throw new FileError('EROFS', `${verb} ${path}: read-only file system`);
    return hostPath;
  };

  return {
    readFile: async (path) => files.readFile(find(path).hostPath),
    readdir: async (path) => files.readdir(find(path).hostPath),
    lstat: async (path) => files.lstat(find(path).hostPath),
    mkdirAll: async (path) => files.mkdirAll(writable('mkdir', path)),
    removeAll: async (path) => files.removeAll(writable('unlinkat', path)),
    writeFile: async (path, content, options) => {
      const hostPath = writable('open', path);
      // What the image would have brought: the directories of the layer.
      if (hostPath.startsWith(`${layer}/`)) {
        await files.mkdirAll(hostPath.slice(0, hostPath.lastIndexOf('/')));
      }
      return files.writeFile(hostPath, content, options);
    },
  };
}
