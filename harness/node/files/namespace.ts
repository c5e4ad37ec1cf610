import { FileError, type FileErrorCode, type MountPoint } from '../../contracts/node/index.ts';
import type { DirectoryNode, Inode } from './disk.ts';

/** Something that is mounted: a tree, and where it is seen. */
export interface Mounted {
  readonly point: MountPoint;
  /** What is seen there. */
  readonly root: Inode;
  /** What it covers. Undefined of the root alone. */
  readonly on: { readonly mounted: Mounted; readonly node: Inode } | undefined;
}

/** A place on the way along a path: an inode, seen through a mount, under a name. */
export interface Place {
  readonly mounted: Mounted;
  readonly node: Inode;
  readonly name: string;
  readonly parent: Place | undefined;
}

/** Where a path ends that need not be there: its directory, its last name, and what is there. */
export interface Ending {
  readonly parent: Place & { readonly node: DirectoryNode };
  readonly name: string;
  readonly place: Place | undefined;
}

/** As many links the kernel follows along one path. */
const LINKS_MAX = 40;

/**
 * The tree of files as the processes of a machine, or of one container, see it: which mount covers which directory, and what a
 * path leads to. A mount is found by the place that it covers, as in Linux: the same directory, seen through another mount, is
 * not covered.
 */
export class Namespace {
  readonly #root: Mounted;
  #mounts: readonly Mounted[] = [];

  constructor(root: DirectoryNode) {
    this.#root = { point: { type: 'rootfs', source: 'rootfs', target: '/' }, root, on: undefined };
  }

  /** In the order in which they were made; without the root. */
  get mounts(): readonly Mounted[] {
    return this.#mounts;
  }

  /** Covers a place. */
  add(place: Place, { root, ...point }: Omit<MountPoint, 'target'> & { readonly root: Inode }): Mounted {
    const target = pathOf(place);
    const mounted: Mounted = { point: { ...point, target }, root, on: place };
    this.#mounts = [...this.#mounts, mounted];
    return mounted;
  }

  /** Uncovers what it covered. */
  remove(mounted: Mounted): void {
    this.#mounts = this.#mounts.filter((each) => each !== mounted);
  }

  /** Takes all mounts away, whatever is in them. */
  clear(): void {
    this.#mounts = [];
  }

  /** Whether something is mounted in this mount. */
  hasMountsIn(mounted: Mounted): boolean {
    return this.#mounts.some(({ on }) => on?.mounted === mounted);
  }

  /** Whether something is mounted on `place`, or on anything in the same mount below it. */
  coversBelow({ mounted, node }: Place): boolean {
    const covered = new Set(this.#mounts.flatMap(({ on }) => (on?.mounted === mounted ? [on.node] : [])));
    if (covered.size === 0) return false;
    const below = (each: Inode): boolean =>
      covered.has(each) || (each.type === 'directory' && [...each.entries.values()].some(below));
    return below(node);
  }

  /**
   * What a path leads to.
   *
   * @param follow whether a link at its end is followed @defaultValue true
   * @throws FileError
   */
  resolve(path: string, { follow = true }: { readonly follow?: boolean } = {}): Place {
    const { place } = this.#walk(path, { follow });
    if (!place) throw new PathError('ENOENT');
    return place;
  }

  /** What a path leads to, where its last name need not be there. @throws FileError when its directory is not there */
  ending(path: string, { follow = true }: { readonly follow?: boolean } = {}): Ending {
    const { parent, name, place } = this.#walk(path, { follow });
    if (!isDirectory(parent)) throw new PathError('ENOTDIR');
    return { parent, name, place };
  }

  /** What is seen under a name in a directory; undefined when nothing is. */
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
    const names = namesOf(path);
    while (names.length > 0) {
      const name = names.shift() as string;
      if (at.node.type !== 'directory') throw new PathError('ENOTDIR');
      if (name === '..') {
        at = at.parent ?? root;
        continue;
      }
      const next = this.step(at, name);
      const last = names.length === 0;
      if (next?.node.type === 'symlink' && (follow || !last)) {
        links++;
        if (links > LINKS_MAX) throw new PathError('ELOOP');
        names.unshift(...namesOf(next.node.target));
        if (next.node.target.startsWith('/')) at = root;
        continue;
      }
      if (last) return { parent: at, name, place: next };
      if (!next) throw new PathError('ENOENT');
      at = next;
    }
    return { parent: at.parent ?? at, name: at.name, place: at };
  }

  /** The same place with what is mounted on it. */
  #covered(place: Place): Place {
    let { mounted, node } = place;
    for (;;) {
      const over = this.#mounts.findLast(({ on }) => on?.mounted === mounted && on.node === node);
      if (!over) return { ...place, mounted, node };
      mounted = over;
      node = over.root;
    }
  }
}

/** A path that leads nowhere. What it was wanted for is said by the call that wanted it. */
export class PathError extends FileError {
  constructor(code: FileErrorCode) {
    super(code, said[code]);
  }
}

/** Go's words for an errno. */
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

/** The path of a place, without links. */
export function pathOf(place: Place): string {
  const names: string[] = [];
  for (let at: Place | undefined = place; at?.parent; at = at.parent) names.unshift(at.name);
  return `/${names.join('/')}`;
}

/** Whether writes through this place are refused. */
export function isReadonly({ mounted }: Place): boolean {
  return mounted.point.readonly === true;
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}
