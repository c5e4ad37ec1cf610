import {
  bytesOfText,
  FileError,
  type FileErrorCode,
  type FileInfo,
  type FileSystem,
  type MountOptions,
  type MountPoint,
  type WriteOptions,
} from '../../contracts/node/index.ts';
import { bytesBelow, Disk, DiskFull, type FileNode, type Inode, textIn } from './disk.ts';
import type { FileLocks } from './file-locks.ts';
import { isDirectory, isReadonly, type Namespace, PathError, type Place, pathOf, said } from './namespace.ts';

/** Dependencies of {@link Files}. */
interface FilesOptions {
  readonly namespace: Namespace;
  /** Other disks of the machine, by device path. */
  readonly devices: ReadonlyMap<string, Disk>;
  /** The file locks. */
  readonly locks: FileLocks;
  /** Called after each mount and unmount. */
  readonly onMount: (event: 'mounted' | 'unmounted', path: string) => void;
}

/**
 * Implements {@link FileSystem} over a {@link Namespace}. Each call takes effect before it returns its promise, so
 * calls never overlap.
 *
 * Differs: files have no owners, and their modes are stored but not enforced.
 */
export class Files implements FileSystem {
  readonly #namespace: Namespace;
  readonly #devices: FilesOptions['devices'];
  readonly #onMount: FilesOptions['onMount'];
  readonly #locks: FileLocks;
  #changes = 0;

  constructor({ namespace, devices, locks, onMount }: FilesOptions) {
    this.#locks = locks;
    this.#namespace = namespace;
    this.#devices = devices;
    this.#onMount = onMount;
  }

  /** The number of attempted changes. While it stays the same, nothing has changed. */
  get changes(): number {
    return this.#changes;
  }

  /** Returns the content of a file, for observers outside the simulation; undefined if it does not exist. */
  peek(path: string): string | undefined {
    const node = this.#endingIfThere(path, { follow: true })?.place?.node;
    return node?.type === 'file' ? textIn(node) : undefined;
  }

  /** Returns the names in a directory, sorted; empty if it does not exist. */
  peekNames(path: string): readonly string[] {
    const node = this.#endingIfThere(path, { follow: true })?.place?.node;
    return node?.type === 'directory' ? [...node.entries.keys()].sort() : [];
  }

  /** The current mounts, in the order of their creation. */
  get mountPoints(): readonly MountPoint[] {
    return this.#namespace.mounts.map(({ point }) => point);
  }

  async mkdirAll(path: string, mode = 0o755): Promise<void> {
    this.#attempt(`mkdir ${path}`, () => {
      let at = this.#namespace.resolve('/');
      for (const name of path.split('/').filter(Boolean)) {
        const next = this.#stepInto(at, name);
        if (next && !isDirectory(next)) throw new PathError('ENOTDIR');
        at = next ?? this.#makeDirectory(at, name, mode);
      }
    });
  }

  async writeFile(path: string, content: string | Uint8Array, options: WriteOptions = {}): Promise<void> {
    const { mode = 0o644, exclusive = false, append = false } = options;
    const bytes = bytesOf(content);
    this.#attempt(`open ${path}`, () => {
      const { parent, name, place } = this.#namespace.ending(path, { follow: !exclusive });
      if (place && exclusive) throw new PathError('EEXIST');
      if (place && place.node.type !== 'file') throw new PathError('EISDIR');
      writable(place ?? parent);
      const { disk } = (place ?? parent).node;
      if (!place) disk.addFile(linked(parent.node), name, { bytes, mode });
      else if (append) disk.append(place.node as FileNode, bytes);
      else disk.setBytes(place.node as FileNode, bytes);
    });
  }

  /**
   * Performs the first half of {@link writeFile}, as the kernel does: creates the file, or truncates it unless it is
   * opened for appending.
   */
  open(path: string, options: WriteOptions = {}): FileNode {
    const { mode = 0o644, exclusive = false, append = false } = options;
    this.#changes++;
    return attempt(`open ${path}`, () => {
      const { parent, name, place } = this.#namespace.ending(path, { follow: !exclusive });
      if (place && exclusive) throw new PathError('EEXIST');
      if (place && place.node.type !== 'file') throw new PathError('EISDIR');
      writable(place ?? parent);
      if (!place)
        return parent.node.disk.addFile(linked(parent.node), name, { bytes: new Uint8Array(), mode });
      const file = place.node as FileNode;
      if (!append) file.disk.setBytes(file, new Uint8Array());
      return file;
    });
  }

  async readFile(path: string): Promise<string> {
    return textIn(this.#file(path));
  }

  async readBytes(path: string): Promise<Uint8Array> {
    return this.#file(path).bytes.slice();
  }

  async readdir(path: string): Promise<readonly string[]> {
    return attempt(`open ${path}`, () => {
      const place = this.#namespace.resolve(path);
      if (!isDirectory(place)) throw new PathError('ENOTDIR');
      return [...place.node.entries.keys()].sort();
    });
  }

  async symlink(target: string, path: string): Promise<void> {
    this.#attempt(`symlink ${target} ${path}`, () => {
      const { parent, name, place } = this.#namespace.ending(path, { follow: false });
      if (place) throw new PathError('EEXIST');
      writable(parent);
      parent.node.disk.addLink(linked(parent.node), name, target);
    });
  }

  async link(existing: string, path: string): Promise<void> {
    this.#attempt(`link ${existing} ${path}`, () => {
      const old = this.#namespace.resolve(existing, { follow: false });
      const { parent, name, place } = this.#namespace.ending(path, { follow: false });
      if (place) throw new PathError('EEXIST');
      if (old.mounted !== parent.mounted) throw new PathError('EXDEV');
      if (old.node.type === 'directory') throw new PathError('EPERM');
      writable(parent);
      old.node.disk.addName(linked(parent.node), name, old.node);
    });
  }

  async fsync(path: string): Promise<void> {
    this.#attempt(`fsync ${path}`, () => {
      const { node } = this.#namespace.resolve(path);
      node.disk.sync(node);
    });
  }

  async flock(path: string): Promise<() => Promise<void>> {
    return this.lockFor(this, path);
  }

  /** Does the same as {@link flock}, for an owner that may end without releasing the lock. */
  lockFor(owner: object, path: string): Promise<() => Promise<void>> {
    return this.#locks.lock(this.open(path, { mode: 0o600, append: true }), owner);
  }

  async readlink(path: string): Promise<string> {
    return attempt(`readlink ${path}`, () => {
      const { node } = this.#namespace.resolve(path, { follow: false });
      if (node.type !== 'symlink') throw new PathError('EINVAL');
      return node.target;
    });
  }

  async realpath(path: string): Promise<string> {
    return attempt(`lstat ${path}`, () => pathOf(this.#namespace.resolve(path)));
  }

  async rename(from: string, to: string): Promise<void> {
    this.#attempt(`rename ${from} ${to}`, () => {
      const old = this.#namespace.ending(from, { follow: false });
      const next = this.#namespace.ending(to, { follow: false });
      if (!old.place) throw new PathError('ENOENT');
      if (old.parent.mounted !== next.parent.mounted) throw new PathError('EXDEV');
      for (const place of [old.place, next.place])
        if (place && this.#isBusy(place)) throw new PathError('EBUSY');
      writable(old.parent);
      const { node } = old.place;
      if (next.place?.node === node) return;
      if (isBelow(next.parent, node)) throw new PathError('EINVAL');
      if (next.place) mayReplace(next.place.node, node);
      node.disk.rename(
        { parent: old.parent.node, name: old.name },
        { parent: linked(next.parent.node), name: next.name },
      );
    });
  }

  async removeAll(path: string): Promise<void> {
    this.#attempt(`unlinkat ${path}`, () => {
      const ending = this.#endingIfThere(path);
      if (!ending?.place) return;
      const { parent, name, place } = ending;
      if (place.parent === undefined) throw new PathError('EINVAL');
      if (this.#isBusy(place)) throw new PathError('EBUSY');
      writable(parent);
      place.node.disk.remove(parent.node, name);
    });
  }

  async stat(path: string): Promise<FileInfo | undefined> {
    return attempt(`stat ${path}`, () => this.#info(path, true));
  }

  async lstat(path: string): Promise<FileInfo | undefined> {
    return attempt(`lstat ${path}`, () => this.#info(path, false));
  }

  async mount(source: string, target: string, options: MountOptions): Promise<void> {
    this.#attempt(`mount ${source} on ${target}`, () => {
      const place = this.#namespace.resolve(target);
      const { root, readonly } = this.#source(source, options);
      if ((root.type === 'directory') !== isDirectory(place)) throw new PathError('ENOTDIR');
      const made = this.#namespace.add(place, { ...options, source, root, ...(readonly && { readonly }) });
      this.#onMount('mounted', made.point.target);
    });
  }

  async unmount(target: string): Promise<void> {
    this.#attempt(`unmount ${target}`, () => {
      const place = this.#endingIfThere(target, { follow: true })?.place;
      if (!place || !isMountRoot(place)) return;
      if (this.#namespace.hasMountsIn(place.mounted)) throw new PathError('EBUSY');
      this.#namespace.remove(place.mounted);
      this.#onMount('unmounted', place.mounted.point.target);
    });
  }

  async mounts(): Promise<readonly MountPoint[]> {
    return this.mountPoints;
  }

  async usage(path: string): Promise<number> {
    return attempt(`stat ${path}`, () => bytesBelow(this.#namespace.resolve(path, { follow: false }).node));
  }

  #attempt(call: string, change: () => void): void {
    this.#changes++;
    attempt(call, change);
  }

  #file(path: string): FileNode {
    return attempt(`open ${path}`, () => {
      const { node } = this.#namespace.resolve(path);
      if (node.type !== 'file') throw new PathError('EISDIR');
      return node;
    });
  }

  #info(path: string, follow: boolean): FileInfo | undefined {
    const node = this.#endingIfThere(path, { follow })?.place?.node;
    if (!node) return undefined;
    return { type: node.type, sizeBytes: sizeOf(node), mode: node.mode };
  }

  /** Resolves the last element of a path; undefined if a directory on the path does not exist. */
  #endingIfThere(path: string, { follow = false } = {}) {
    try {
      return this.#namespace.ending(path, { follow });
    } catch (error) {
      if (error instanceof PathError && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  #stepInto(at: Place, name: string): Place | undefined {
    if (name === '.') return at;
    if (name === '..') return at.parent ?? at;
    const next = this.#namespace.step(at, name);
    return next?.node.type === 'symlink' ? this.#namespace.resolve(`${pathOf(at)}/${name}`) : next;
  }

  #makeDirectory(at: Place, name: string, mode: number): Place {
    if (!isDirectory(at)) throw new PathError('ENOTDIR');
    writable(at);
    const node = at.node.disk.addDirectory(linked(at.node), name, mode);
    return { mounted: at.mounted, node, name, parent: at };
  }

  /** Whether a mount exists on it or below it. Then it cannot be moved or removed. */
  #isBusy(place: Place): boolean {
    return isMountRoot(place) || this.#namespace.coversBelow(place);
  }

  #source(source: string, { type, sizeBytes }: MountOptions): { root: Inode; readonly?: boolean } {
    if (type === 'tmpfs') return { root: new Disk(sizeBytes ? { capacityBytes: sizeBytes } : {}).root };
    if (type === 'bind') {
      const place = this.#namespace.resolve(source);
      return { root: place.node, readonly: isReadonly(place) };
    }
    const device = this.#devices.get(source);
    if (!device) throw new PathError('ENOENT');
    return { root: device.root };
  }
}

/** Returns a copy of the content, so that later changes by the caller do not affect the file. */
export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? bytesOfText(content) : content.slice();
}

/** Performs a call on files. @throws FileError with the name of the call when it fails */
export function attempt<T>(call: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof PathError) throw failed(call, error.code);
    if (error instanceof DiskFull) throw failed(call, 'ENOSPC');
    throw error;
  }
}

function failed(call: string, code: FileErrorCode): FileError {
  return new FileError(code, `${call}: ${said[code]}`);
}

function writable(place: Place): void {
  if (isReadonly(place)) throw new PathError('EROFS');
}

/** Returns the directory. @throws PathError when the directory was removed; a mount may still show it */
function linked<N extends Inode>(directory: N): N {
  if (directory.links === 0) throw new PathError('ENOENT');
  return directory;
}

function isMountRoot({ mounted, node }: Place): boolean {
  return mounted.on !== undefined && mounted.root === node;
}

function isBelow(place: Place, node: Inode): boolean {
  for (let at: Place | undefined = place; at; at = at.parent) if (at.node === node) return true;
  return false;
}

/** @throws PathError when `next` cannot replace `old` */
function mayReplace(old: Inode, next: Inode): void {
  if (old.type !== 'directory') {
    if (next.type === 'directory') throw new PathError('ENOTDIR');
    return;
  }
  if (next.type !== 'directory') throw new PathError('EEXIST');
  if (old.entries.size > 0) throw new PathError('ENOTEMPTY');
}

function sizeOf(node: Inode): number {
  if (node.type === 'file') return node.bytes.length;
  return node.type === 'symlink' ? node.target.length : 0;
}
