import type { Random } from '../../sim/index.ts';
import { Journal } from './journal.ts';

/** A file, a directory or a link, whatever it is called and wherever it is seen. */
export type Inode = FileNode | DirectoryNode | LinkNode;

interface NodeBase {
  readonly disk: Disk;
  mode: number;
  /** How many names it has. Without any it takes no room, though a mount may still show it. */
  links: number;
}

/** A file with its bytes. */
export interface FileNode extends NodeBase {
  readonly type: 'file';
  bytes: Uint8Array;
}

/** A directory with what is in it, by name. */
export interface DirectoryNode extends NodeBase {
  readonly type: 'directory';
  readonly entries: Map<string, Inode>;
}

/** A symbolic link with what it says. */
export interface LinkNode extends NodeBase {
  readonly type: 'symlink';
  readonly target: string;
}

/** How much a disk holds. */
export interface DiskOptions {
  /** @defaultValue no limit */
  readonly capacityBytes?: number;
  /** How many files, directories and links. @defaultValue no limit */
  readonly inodes?: number;
  /** Whether it is known what a power cut may take: {@link Disk.cutPower}. It costs memory. @defaultValue false */
  readonly journal?: boolean;
}

/** A disk is full, in bytes or in inodes. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
}

/** What holds files, and how many: a machine's disk, memory (`tmpfs`), or a volume that a storage vendor lends. */
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

  /** What all files on it take. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** How many files, directories and links are on it, its root too. */
  get usedInodes(): number {
    return this.#usedInodes;
  }

  /** A directory that no directory has: the root of what a container writes. */
  detachedDirectory(): DirectoryNode {
    this.#take(0, 1);
    return this.#directory(0o755);
  }

  /** Makes a directory in another. @throws DiskFull */
  addDirectory(parent: DirectoryNode, name: string, mode: number): DirectoryNode {
    this.#take(0, 1);
    return this.#link(parent, name, this.#directory(mode));
  }

  /** Makes a file. @throws DiskFull: then nothing was made */
  addFile(parent: DirectoryNode, name: string, { bytes, mode }: Pick<FileNode, 'bytes' | 'mode'>): FileNode {
    this.#take(bytes.length, 1);
    const file: FileNode = { type: 'file', disk: this, mode, links: 1, bytes: new Uint8Array() };
    this.#journal?.noteGrown(file);
    file.bytes = bytes;
    return this.#link(parent, name, file);
  }

  /** Makes a symbolic link. @throws DiskFull */
  addLink(parent: DirectoryNode, name: string, target: string): LinkNode {
    this.#take(0, 1);
    return this.#link(parent, name, { type: 'symlink', disk: this, mode: 0o777, links: 1, target });
  }

  /** Gives a file one more name. */
  addName(parent: DirectoryNode, name: string, node: FileNode | LinkNode): void {
    node.links++;
    this.#link(parent, name, node);
  }

  /** Takes a name away, and with its last name what it names. */
  remove(parent: DirectoryNode, name: string): void {
    const node = parent.entries.get(name);
    if (!node) return;
    parent.entries.delete(name);
    this.release(node);
    this.#journal?.note([parent, node], () => this.#restore(parent, name, node));
  }

  /** Gives what has a name another one, and takes away what had that. */
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

  /** Replaces the bytes of a file. @throws DiskFull: then it is as it was */
  setBytes(file: FileNode, bytes: Uint8Array): void {
    if (file.links > 0) this.#take(bytes.length - file.bytes.length, 0);
    const before = file.bytes;
    if (before.length > 0) this.#journal?.noteTruncated(file, () => this.#resize(file, before));
    this.#journal?.noteGrown(file);
    file.bytes = bytes;
  }

  /** Adds bytes to a file. @throws DiskFull: then it is as it was */
  append(file: FileNode, added: Uint8Array): void {
    if (file.links > 0) this.#take(added.length, 0);
    this.#journal?.noteGrown(file);
    const bytes = new Uint8Array(file.bytes.length + added.length);
    bytes.set(file.bytes);
    bytes.set(added, file.bytes.length);
    file.bytes = bytes;
  }

  /** Makes last what a file or a directory is now. */
  sync(node: Inode): void {
    this.#journal?.sync(node);
  }

  /**
   * What a power cut does to it.
   *
   * @param random chooses what survives, among all that is legal: see {@link Journal}
   * @throws Error when it has no journal
   */
  cutPower(random: Random): void {
    if (!this.#journal)
      throw new Error(
        'Failed to cut the power: it is not known what was synced. Make the disk with { journal: true }.',
      );
    this.#journal.cut(random);
  }

  /** Leaves so many bytes of a file. */
  cutTo(file: FileNode, length: number): void {
    if (length < file.bytes.length) this.#resize(file, file.bytes.slice(0, length));
  }

  /** Takes room for what is no file here: an image. @throws DiskFull: then nothing was taken */
  reserve(bytes: number): void {
    this.#take(bytes, 0);
  }

  /** Gives room back that was reserved. */
  giveBack(bytes: number): void {
    this.#usedBytes -= bytes;
  }

  /** One name less: gives back what `node`, and all in it, took, when it was the last. */
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

  /** The reverse of {@link remove}: what was there before finds its room again. */
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

/** How many bytes the files in `node` take. */
export function bytesBelow(node: Inode): number {
  if (node.type === 'file') return node.bytes.length;
  if (node.type === 'symlink') return 0;
  let bytes = 0;
  for (const entry of node.entries.values()) bytes += bytesBelow(entry);
  return bytes;
}
