import { FileError, type FileErrorCode, type MountPoint } from '../../contracts/node/index.ts';
import type { DirectoryNode, Inode } from './disk.ts';

/** A mount: a tree, and where it is mounted. */
interface Mounted {
  readonly point: MountPoint;
  /** The root of the mounted tree. */
  readonly root: Inode;
  /** The covered place. Only the root mount has none. */
  readonly on: { readonly mounted: Mounted; readonly node: Inode } | undefined;
}

/** A step on a path: an inode with its mount and its name. */
export interface Place {
  readonly mounted: Mounted;
  readonly node: Inode;
  readonly name: string;
  readonly parent: Place | undefined;
}

/** The end of a path that may not exist: its directory, its last name, and its place if it exists. */
interface Ending {
  readonly parent: Place & { readonly node: DirectoryNode };
  readonly name: string;
  readonly place: Place | undefined;
}

/** The maximum number of links that the kernel follows along one path. */
const LINKS_MAX = 40;

/**
 * The file tree of a machine or of one container: its mounts, and the resolution of paths. As in Linux, a mount covers
 * one place: the same directory, seen through another mount, stays visible.
 */
export class Namespace {
  readonly #root: Mounted;
  #mounts: readonly Mounted[] = [];
  /** The mounts by the covered inode, oldest first. An inode that several mounts show can be covered in each. */
  readonly #over = new Map<Inode, readonly Mounted[]>();

  constructor(root: DirectoryNode) {
    this.#root = { point: { type: 'rootfs', source: 'rootfs', target: '/' }, root, on: undefined };
  }

  /** The mounts in the order of their creation, without the root. */
  get mounts(): readonly Mounted[] {
    return this.#mounts;
  }

  /** Mounts a tree over a place. */
  add(place: Place, { root, ...point }: Omit<MountPoint, 'target'> & { readonly root: Inode }): Mounted {
    const target = pathOf(place);
    const mounted: Mounted = { point: { ...point, target }, root, on: place };
    this.#mounts = [...this.#mounts, mounted];
    this.#over.set(place.node, [...(this.#over.get(place.node) ?? []), mounted]);
    return mounted;
  }

  /** Removes a mount. */
  remove(mounted: Mounted): void {
    this.#mounts = this.#mounts.filter((each) => each !== mounted);
    if (!mounted.on) return;
    const left = (this.#over.get(mounted.on.node) ?? []).filter((each) => each !== mounted);
    if (left.length > 0) this.#over.set(mounted.on.node, left);
    else this.#over.delete(mounted.on.node);
  }

  /** Removes all mounts, even if they are in use. */
  clear(): void {
    this.#mounts = [];
    this.#over.clear();
  }

  /** Whether another mount is inside this mount. */
  hasMountsIn(mounted: Mounted): boolean {
    return this.#mounts.some(({ on }) => on?.mounted === mounted);
  }

  /** Whether a mount exists on `place`, or below it in the same mount. */
  coversBelow({ mounted, node }: Place): boolean {
    if (!this.hasMountsIn(mounted)) return false;
    const below = (each: Inode): boolean =>
      this.#over.get(each)?.some(({ on }) => on?.mounted === mounted) ||
      (each.type === 'directory' && [...each.entries.values()].some(below));
    return below(node);
  }

  /**
   * Resolves a path.
   *
   * @param follow - whether to follow a link at the end of the path @defaultValue true
   * @throws FileError when the path cannot be resolved
   */
  resolve(path: string, { follow = true }: { readonly follow?: boolean } = {}): Place {
    const { place } = this.#walk(path, { follow });
    if (!place) throw new PathError('ENOENT');
    return place;
  }

  /** Resolves a path whose last element may not exist. @throws FileError when its directory does not exist */
  ending(path: string, { follow = true }: { readonly follow?: boolean } = {}): Ending {
    const { parent, name, place } = this.#walk(path, { follow });
    if (!isDirectory(parent)) throw new PathError('ENOTDIR');
    return { parent, name, place };
  }

  /** Returns the entry of a directory; undefined if it does not exist. */
  step(parent: Place, name: string): Place | undefined {
    if (parent.node.type !== 'directory') throw new PathError('ENOTDIR');
    const node = parent.node.entries.get(name);
    return node && this.#covered({ mounted: parent.mounted, node, name, parent });
  }

  #walk(
    path: string,
    { follow }: { readonly follow: boolean },
  ): { parent: Place; name: string; place: Place | undefined } {
    if (!path.startsWith('/')) throw new PathError('EINVAL');
    const root = this.#covered({ mounted: this.#root, node: this.#root.root, name: '', parent: undefined });
    let at = root;
    let links = 0;
    let names = namesOf(path);
    for (let index = 0; index < names.length; ) {
      const name = names[index++] as string;
      if (at.node.type !== 'directory') throw new PathError('ENOTDIR');
      if (name === '..') {
        at = at.parent ?? root;
        continue;
      }
      const next = this.step(at, name);
      const last = index === names.length;
      if (next?.node.type === 'symlink' && (follow || !last)) {
        links++;
        if (links > LINKS_MAX) throw new PathError('ELOOP');
        names = [...namesOf(next.node.target), ...names.slice(index)];
        index = 0;
        if (next.node.target.startsWith('/')) at = root;
        continue;
      }
      if (last) return { parent: at, name, place: next };
      if (!next) throw new PathError('ENOENT');
      at = next;
    }
    return { parent: at.parent ?? at, name: at.name, place: at };
  }

  /** Returns the top mount over a place, or the place itself. */
  #covered(place: Place): Place {
    let { mounted, node } = place;
    for (;;) {
      const over = this.#over.get(node)?.findLast(({ on }) => on?.mounted === mounted);
      if (!over) return mounted === place.mounted ? place : { ...place, mounted, node };
      mounted = over;
      node = over.root;
    }
  }
}

/** Thrown for a path that cannot be resolved. The caller adds the name of its call. */
export class PathError extends FileError {
  constructor(code: FileErrorCode) {
    super(code, said[code]);
  }
}

/** Go's text for each errno. */
export const said: { readonly [code in FileErrorCode]: string } = {
  EBUSY: 'device or resource busy',
  EEXIST: 'file exists',
  EINVAL: 'invalid argument',
  EIO: 'input/output error',
  EISDIR: 'is a directory',
  ELOOP: 'too many levels of symbolic links',
  ENOENT: 'no such file or directory',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
  EXDEV: 'invalid cross-device link',
};

/** Whether a place is a directory. */
export function isDirectory(place: Place): place is Place & { readonly node: DirectoryNode } {
  return place.node.type === 'directory';
}

/** Returns the path of a place, with all links resolved. */
export function pathOf(place: Place): string {
  const names: string[] = [];
  for (let at: Place | undefined = place; at?.parent; at = at.parent) names.unshift(at.name);
  return `/${names.join('/')}`;
}

/** Whether writes through this place are rejected. */
export function isReadonly({ mounted }: Place): boolean {
  return mounted.point.readonly === true;
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}
