/** A file, a directory or a link, whatever it is called and wherever it is seen. */
export type Inode = FileNode | DirectoryNode | LinkNode;

interface NodeBase {
  readonly disk: Disk;
  mode: number;
  /** False as soon as no directory has it: from then on it takes no room, though a mount may still show it. */
  linked: boolean;
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
  #usedBytes = 0;
  #usedInodes = 1;

  constructor({
    capacityBytes = Number.POSITIVE_INFINITY,
    inodes = Number.POSITIVE_INFINITY,
  }: DiskOptions = {}) {
    this.capacityBytes = capacityBytes;
    this.inodes = inodes;
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
    return this.#link(parent, name, { type: 'file', disk: this, mode, linked: true, bytes });
  }

  /** Makes a link. @throws DiskFull */
  addLink(parent: DirectoryNode, name: string, target: string): LinkNode {
    this.#take(0, 1);
    return this.#link(parent, name, { type: 'symlink', disk: this, mode: 0o777, linked: true, target });
  }

  /** Replaces the bytes of a file. @throws DiskFull: then it is as it was */
  setBytes(file: FileNode, bytes: Uint8Array): void {
    if (file.linked) this.#take(bytes.length - file.bytes.length, 0);
    file.bytes = bytes;
  }

  /** Takes room for what is no file here: an image. @throws DiskFull: then nothing was taken */
  reserve(bytes: number): void {
    this.#take(bytes, 0);
  }

  /** Gives room back that was reserved. */
  giveBack(bytes: number): void {
    this.#usedBytes -= bytes;
  }

  /** Gives back what `node`, and all in it, took. */
  release(node: Inode): void {
    if (!node.linked) return;
    node.linked = false;
    this.#usedInodes--;
    if (node.type === 'file') this.#usedBytes -= node.bytes.length;
    if (node.type === 'directory') for (const entry of node.entries.values()) this.release(entry);
  }

  #directory(mode: number): DirectoryNode {
    return { type: 'directory', disk: this, mode, linked: true, entries: new Map() };
  }

  #link<N extends Inode>(parent: DirectoryNode, name: string, node: N): N {
    parent.entries.set(name, node);
    return node;
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
