import type * as cri from '../../contracts/node/cri/index.ts';
import type { MountPoint } from '../../contracts/node/index.ts';
import type { Random } from '../../sim/index.ts';
import { Disk, type DiskOptions } from './disk.ts';
import { FileLocks } from './file-locks.ts';
import { attempt, Files } from './files.ts';
import { isDirectory, isReadonly, Namespace, type Place, pathOf } from './namespace.ts';
import { type Gate, ProcessFiles } from './process-files.ts';

/** What the files of a machine are made with. */
export interface MachineFilesOptions extends DiskOptions {
  /** Told of each mount of the node that came or went: the machine's history. @defaultValue nothing is told */
  readonly onMount?: (event: 'mounted' | 'unmounted', path: string) => void;
}

/** The files of a container: its own, and what of the node it mounts. */
export interface ContainerFiles extends Files {
  /** Removes what the container wrote, as its end does. What it mounted is left as it is. */
  remove(): void;
}

/**
 * The files of a machine. They are there while kubelets come and go; what happens to them is what the machine does.
 *
 * Differs: it has one disk. A real machine may have another one for images and the layers of containers.
 */
export interface MachineFiles extends Files {
  /** The machine's own disk: what it holds, and how full it is. */
  readonly disk: Disk;
  /**
   * The files as a container sees them: an empty tree of its own, with its mounts in it. As with `rbind`, what is mounted below
   * a mount's `hostPath` now comes along; what is mounted there later does not.
   *
   * @throws FileError when a `hostPath` is not there
   */
  view(mounts: readonly cri.Mount[]): ContainerFiles;
  /** A disk that the machine has from now on, as the device at `path`: what a storage vendor lends. */
  attach(path: string, disk: Disk): void;
  /** The devices that are attached now, by their paths. */
  readonly devices: readonly string[];
  /** Takes the device away. What is mounted from it stays mounted. */
  detach(path: string): void;
  /**
   * The files as one process of the machine has them. What it locks is free again when it {@link ProcessFiles.exit}s.
   *
   * @param gate what is awaited before each call of the kernel: there a process waits for its turn, or dies. @defaultValue nothing
   */
  forProcess(gate?: Gate): ProcessFiles;
  /**
   * The machine loses its power, and boots: no mount is left, what was in memory is gone, and no lock is held.
   *
   * @param options.random chooses what survives of what was not synced, among all that is legal ({@link Disk.cutPower}); the
   * files are made with `journal: true` then. @defaultValue everything on the disk survives
   */
  powerLoss(options?: { readonly random?: Random }): void;
}

/** Makes the files of a machine: an empty disk. */
export function createMachineFiles({ onMount = () => {}, ...size }: MachineFilesOptions = {}): MachineFiles {
  const disk = new Disk(size);
  const namespace = new Namespace(disk.root);
  const devices = new Map<string, Disk>();
  const locks = new FileLocks();
  const files = new Files({ namespace, devices, locks, onMount });
  Object.defineProperty(files, 'devices', { get: () => [...devices.keys()] });
  return Object.assign(files as Files & Pick<MachineFiles, 'devices'>, {
    disk,
    view: (mounts: readonly cri.Mount[]) => containerFiles({ disk, namespace, locks }, mounts),
    attach: (path: string, device: Disk) => void devices.set(path, device),
    detach: (path: string) => void devices.delete(path),
    forProcess: (gate?: Gate) => new ProcessFiles({ files, locks }, gate),
    powerLoss: ({ random }: { readonly random?: Random } = {}) => {
      namespace.clear();
      locks.clear();
      if (random) disk.cutPower(random);
    },
  });
}

/** The part of a machine that a container's files stand on. */
interface Node {
  readonly disk: Disk;
  readonly namespace: Namespace;
  readonly locks: FileLocks;
}

function containerFiles(node: Node, mounts: readonly cri.Mount[]): ContainerFiles {
  // Resolved first: a container that cannot be made leaves nothing behind.
  const sources = mounts.map((mount) => ({
    mount,
    source: attempt(`stat ${mount.hostPath}`, () => node.namespace.resolve(mount.hostPath)),
  }));
  const root = node.disk.detachedDirectory();
  const namespace = new Namespace(root);
  try {
    for (const { mount, source } of sources)
      attempt(`mount ${mount.containerPath}`, () => bind({ node, namespace }, mount, source));
  } catch (error) {
    node.disk.release(root);
    throw error;
  }
  const files = new Files({ namespace, devices: new Map(), locks: node.locks, onMount: () => {} });
  return Object.assign(files, { remove: () => node.disk.release(root) });
}

interface Binding {
  readonly node: Node;
  readonly namespace: Namespace;
}

/** Shows `source` in the container, with all that is mounted below it. */
function bind({ node, namespace }: Binding, { containerPath, readonly }: cri.Mount, source: Place): void {
  const from = pathOf(source);
  const cover = (at: string, seen: Place, point: Partial<MountPoint>): void => {
    const place = target(namespace, at, isDirectory(seen));
    namespace.add(place, {
      type: 'bind',
      source: pathOf(seen),
      ...point,
      root: seen.node,
      readonly: readonly || isReadonly(seen),
    });
  };
  cover(containerPath, source, {});
  for (const { point } of node.namespace.mounts) {
    if (!point.target.startsWith(from === '/' ? '/' : `${from}/`)) continue;
    cover(`${containerPath}${point.target.slice(from.length)}`, node.namespace.resolve(point.target), point);
  }
}

/** The place that a mount covers, made when it is not there: as a runtime prepares the tree of a container. */
function target(namespace: Namespace, path: string, directory: boolean): Place {
  const names = path.split('/').filter(Boolean);
  const made = names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`);
  for (const [index, each] of made.entries()) {
    const { parent, name, place } = namespace.ending(each);
    if (place) continue;
    const asFile = index === made.length - 1 && !directory;
    if (asFile) parent.node.disk.addFile(parent.node, name, { bytes: new Uint8Array(), mode: 0o644 });
    else parent.node.disk.addDirectory(parent.node, name, 0o755);
  }
  return namespace.resolve(path);
}
