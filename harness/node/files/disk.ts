import { textOfBytes } from '../../contracts/node/byte-text.ts';
import type { Random } from '../../sim/index.ts';
import { Journal } from './journal.ts';

/** A file, directory or link, independent of its names and mounts. */
export type Inode = FileNode | DirectoryNode | LinkNode;

interface NodeBase {
  readonly disk: Disk;
  mode: number;
  /** The number of its names. Without a name it takes no space, although a mount may still show it. */
  links: number;
}

/** A file with its content. */
export interface FileNode extends NodeBase {
  readonly type: 'file';
  /** Replaced by each write, never changed in place. */
  bytes: Uint8Array;
  /** The text of these bytes, once somebody has read it. */
  text?: { readonly of: Uint8Array; readonly text: string };
}

/** Returns the content of a file as text. It is decoded once, because many programs read the same files again and again. */
export function textIn(file: FileNode): string {
  if (file.text?.of !== file.bytes) file.text = { of: file.bytes, text: textOfBytes(file.bytes) };
  return file.text.text;
}

/** A directory with its entries, by name. */
export interface DirectoryNode extends NodeBase {
  readonly type: 'directory';
  readonly entries: Map<string, Inode>;
}

/** A symbolic link with its target. */
interface LinkNode extends NodeBase {
  readonly type: 'symlink';
  readonly target: string;
}

/** The capacity of a disk. */
export interface DiskOptions {
  /** @defaultValue no limit */
  readonly capacityBytes?: number;
  /** The number of files, directories and links. @defaultValue no limit */
  readonly inodes?: number;
  /** Whether the disk records unsynced changes for {@link Disk.cutPower}. This costs memory. @defaultValue false */
  readonly journal?: boolean;
}

/** Thrown when a disk has no free bytes or inodes. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
}

/** A file system with a capacity: a machine's disk, memory (`tmpfs`), or a volume of a storage vendor. */
export class Disk {
  readonly capacityBytes: number;
  readonly inodes: number;
  readonly root: DirectoryNode;
  readonly #journal: Journal | undefined;
  #usedBytes = 0;
  #usedInodes = 1;

  constructor({
    capacityBytes = Number.POSITIVE_INFINITY,
    inodes = Number.POSITIVE_INFINITY,
    journal = false,
  }: DiskOptions = {}) {
    this.capacityBytes = capacityBytes;
    this.inodes = inodes;
    this.#journal = journal ? new Journal() : undefined;
    this.root = this.#directory(0o755);
  }

  /** The bytes of all files. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** The number of files, directories and links, including the root. */
  get usedInodes(): number {
    return this.#usedInodes;
  }

  /** Creates a directory without a parent, as the root of a container's writable layer. */
  detachedDirectory(): DirectoryNode {
    this.#take(0, 1);
    return this.#directory(0o755);
  }

  /** Creates a directory. @throws DiskFull when no inode is free */
  addDirectory(parent: DirectoryNode, name: string, mode: number): DirectoryNode {
    this.#take(0, 1);
    return this.#link(parent, name, this.#directory(mode));
  }

  /** Creates a file. @throws DiskFull when the disk is full; then it creates nothing */
  addFile(parent: DirectoryNode, name: string, { bytes, mode }: Pick<FileNode, 'bytes' | 'mode'>): FileNode {
    this.#take(bytes.length, 1);
    const file: FileNode = { type: 'file', disk: this, mode, links: 1, bytes: new Uint8Array() };
    this.#journal?.noteGrown(file);
    file.bytes = bytes;
    return this.#link(parent, name, file);
  }

  /** Creates a symbolic link. @throws DiskFull when no inode is free */
  addLink(parent: DirectoryNode, name: string, target: string): LinkNode {
    this.#take(0, 1);
    return this.#link(parent, name, { type: 'symlink', disk: this, mode: 0o777, links: 1, target });
  }

  /** Adds a name to a file. */
  addName(parent: DirectoryNode, name: string, node: FileNode | LinkNode): void {
    node.links++;
    this.#link(parent, name, node);
  }

  /** Removes a name. The removal of the last name frees the space. */
  remove(parent: DirectoryNode, name: string): void {
    const node = parent.entries.get(name);
    if (!node) return;
    parent.entries.delete(name);
    this.release(node);
    this.#journal?.note([parent, node], () => this.#restore(parent, name, node));
  }

  /** Moves an entry, and replaces the target if it exists. */
  rename(from: { parent: DirectoryNode; name: string }, to: { parent: DirectoryNode; name: string }): void {
    const node = from.parent.entries.get(from.name);
    if (!node) return;
    const replaced = to.parent.entries.get(to.name);
    from.parent.entries.delete(from.name);
    if (replaced) this.release(replaced);
    to.parent.entries.set(to.name, node);
    this.#journal?.note([from.parent, to.parent, node, ...(replaced ? [replaced] : [])], () => {
      to.parent.entries.delete(to.name);
      if (replaced) this.#restore(to.parent, to.name, replaced);
      from.parent.entries.set(from.name, node);
    });
  }

  /** Replaces the content of a file. @throws DiskFull when the disk is full; then the file is unchanged */
  setBytes(file: FileNode, bytes: Uint8Array): void {
    if (file.links > 0) this.#take(bytes.length - file.bytes.length, 0);
    const before = file.bytes;
    if (before.length > 0) this.#journal?.noteTruncated(file, () => this.#resize(file, before));
    this.#journal?.noteGrown(file);
    file.bytes = bytes;
  }

  /** Appends to a file. @throws DiskFull when the disk is full; then the file is unchanged */
  append(file: FileNode, added: Uint8Array): void {
    if (file.links > 0) this.#take(added.length, 0);
    this.#journal?.noteGrown(file);
    const bytes = new Uint8Array(file.bytes.length + added.length);
    bytes.set(file.bytes);
    bytes.set(added, file.bytes.length);
    file.bytes = bytes;
  }

  /** Makes the current state of a file or directory durable. */
  sync(node: Inode): void {
    this.#journal?.sync(node);
  }

  /**
   * Simulates a power failure.
   *
   * @param random - selects the surviving changes among all legal outcomes: see {@link Journal}
   * @throws Error when the disk has no journal
   */
  cutPower(random: Random): void {
    if (!this.#journal)
      throw new Error('Failed to cut the power: the disk has no journal. Create it with { journal: true }.');
    this.#journal.cut(random);
  }

  /** Truncates a file to `length` bytes. */
  cutTo(file: FileNode, length: number): void {
    if (length < file.bytes.length) this.#resize(file, file.bytes.slice(0, length));
  }

  /**
   * Reserves space for data that is not a file here, such as an image.
   * @throws DiskFull when the disk is full; then it reserves nothing
   */
  reserve(bytes: number): void {
    this.#take(bytes, 0);
  }

  /** Releases reserved space. */
  giveBack(bytes: number): void {
    this.#usedBytes -= bytes;
  }

  /** Removes one name of a node. Frees the space of the node and its content if it was the last name. */
  release(node: Inode): void {
    if (node.links === 0) return;
    node.links--;
    if (node.links > 0) return;
    this.#usedInodes--;
    if (node.type === 'file') this.#usedBytes -= node.bytes.length;
    if (node.type === 'directory') for (const entry of node.entries.values()) this.release(entry);
  }

  #directory(mode: number): DirectoryNode {
    return { type: 'directory', disk: this, mode, links: 1, entries: new Map() };
  }

  #link<N extends Inode>(parent: DirectoryNode, name: string, node: N): N {
    parent.entries.set(name, node);
    this.#journal?.note([parent, node], () => {
      parent.entries.delete(name);
      this.release(node);
    });
    return node;
  }

  /** Reverses {@link remove}, even if the disk is over its capacity afterwards. */
  #restore(parent: DirectoryNode, name: string, node: Inode): void {
    parent.entries.set(name, node);
    this.#retake(node);
  }

  #retake(node: Inode): void {
    node.links++;
    if (node.links > 1) return;
    this.#usedInodes++;
    if (node.type === 'file') this.#usedBytes += node.bytes.length;
    if (node.type === 'directory') for (const entry of node.entries.values()) this.#retake(entry);
  }

  #resize(file: FileNode, bytes: Uint8Array): void {
    if (file.links > 0) this.#usedBytes += bytes.length - file.bytes.length;
    file.bytes = bytes;
  }

  #take(bytes: number, inodes: number): void {
    if (bytes > 0 && this.#usedBytes + bytes > this.capacityBytes) throw new DiskFull('bytes');
    if (inodes > 0 && this.#usedInodes + inodes > this.inodes) throw new DiskFull('inodes');
    this.#usedBytes += bytes;
    this.#usedInodes += inodes;
  }
}

/** Returns the total size of the files in `node`. */
export function bytesBelow(node: Inode): number {
  if (node.type === 'file') return node.bytes.length;
  if (node.type === 'symlink') return 0;
  let bytes = 0;
  for (const entry of node.entries.values()) bytes += bytesBelow(entry);
  return bytes;
}
