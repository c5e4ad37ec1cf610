import type * as cri from '../../contracts/node/cri/index.ts';
import type { MountPoint } from '../../contracts/node/index.ts';
import type { Random } from '../../sim/index.ts';
import { Disk, type DiskOptions } from './disk.ts';
import { FileLocks } from './file-locks.ts';
import { attempt, Files } from './files.ts';
import { isDirectory, isReadonly, Namespace, type Place, pathOf } from './namespace.ts';
import { type Gate, ProcessFiles } from './process-files.ts';

/** Options of {@link createMachineFiles}. */
interface MachineFilesOptions extends DiskOptions {
  /** Called after each mount and unmount on the node, for the machine's history. */
  readonly onMount?: (event: 'mounted' | 'unmounted', path: string) => void;
}

/** The files of a container: its own files, and mounted files of the node. */
export interface ContainerFiles extends Files {
  /** Deletes the container's own files. The mounted files stay. */
  remove(): void;
}

/**
 * The files of a machine. They outlive kubelets, but the machine's own events affect them.
 *
 * Differs: it has one disk. A real machine may have a second one for images and container layers.
 */
export interface MachineFiles extends Files {
  /** The machine's own disk, with its usage. */
  readonly disk: Disk;
  /**
   * Creates the files of a container: an empty tree with the mounts in it. As with `rbind`, current mounts below a
   * `hostPath` are included, but later ones are not.
   *
   * @throws FileError when a `hostPath` does not exist
   */
  view(mounts: readonly cri.Mount[]): ContainerFiles;
  /** Attaches a disk as the device at `path`, such as a volume of a storage vendor. */
  attach(path: string, disk: Disk): void;
  /** The paths of the attached devices. */
  readonly devices: readonly string[];
  /** Detaches a device. Its mounts stay. */
  detach(path: string): void;
  /**
   * Returns the files for one process of the machine. {@link ProcessFiles.exit} releases its locks.
   *
   * @param gate - awaited before each system call, so that the process can wait or crash there. @defaultValue no wait
   */
  forProcess(gate?: Gate): ProcessFiles;
  /**
   * Simulates a power failure and a boot: removes all mounts, memory disks and locks.
   *
   * @param options.random - selects which unsynced changes survive, among all legal outcomes ({@link Disk.cutPower});
   * requires `journal: true`. @defaultValue everything on the disk survives
   */
  powerLoss(options?: { readonly random?: Random }): void;
}

/** Creates the files of a machine, with an empty disk. */
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

/** The parts of a machine that the files of a container need. */
interface Node {
  readonly disk: Disk;
  readonly namespace: Namespace;
  readonly locks: FileLocks;
}

function containerFiles(node: Node, mounts: readonly cri.Mount[]): ContainerFiles {
  // Resolves all sources first, so that a failure leaves nothing behind.
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

/** Mounts `source` in the container, with all mounts below it. */
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

/** Returns the mount point, and creates it if necessary, as a runtime prepares the tree of a container. */
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
