import type { Random } from '../../sim/index.ts';

/** A file, which its disk can shorten. */
interface JournaledFile {
  readonly type: 'file';
  readonly bytes: Uint8Array;
  readonly disk: { cutTo(file: JournaledFile, length: number): void };
}

/** A file, a directory or a link, known by its identity. */
type Journaled = JournaledFile | { readonly type: 'directory' | 'symlink' };

/** A change of names: the nodes that it touched, and how to undo it. */
interface Change {
  readonly touched: readonly Journaled[];
  undo(): void;
}

/** Bytes reach a disk in pages of this size. */
const PAGE_BYTES = 4_096;

/**
 * The changes on a disk since its last sync, which a power failure may undo.
 *
 * The model is ext4 with `data=ordered`. Changes of names (create, link, rename, remove, truncate) go to a journal in
 * order. A prefix of them survives, each change completely. Content is written independently: a file may survive
 * without its content, or with only its first pages. `fsync` of a file makes its content durable. `fsync` of a file or
 * a directory also makes all changes durable, up to the last change that touched it.
 *
 * Differs: nothing is synced automatically, while ext4 syncs every 5 s. Nor does it model ext4's `auto_da_alloc`, which
 * writes content before a rename replaces a file, and after a truncation. POSIX promises less than ext4: there a name
 * is durable only after its directory was synced.
 */
export class Journal {
  #changes: Change[] = [];
  /** The number of leading bytes of a file that are durable. A file without an entry is completely durable. */
  readonly #safeBytes = new Map<JournaledFile, number>();

  /** Records a change of names. */
  note(touched: readonly Journaled[], undo: () => void): void {
    this.#changes.push({ touched, undo });
  }

  /** Records that a file was truncated. @param undo - restores its content */
  noteTruncated(file: JournaledFile, undo: () => void): void {
    const safe = this.#safeBytes.get(file);
    this.note([file], () => {
      undo();
      if (safe === undefined) this.#safeBytes.delete(file);
      else this.#safeBytes.set(file, safe);
    });
    this.#safeBytes.set(file, 0);
  }

  /** Records that a file will get additional bytes. */
  noteGrown(file: JournaledFile): void {
    if (!this.#safeBytes.has(file)) this.#safeBytes.set(file, file.bytes.length);
  }

  /** Makes the content of `node` durable, and all changes up to the last change that touched it. */
  sync(node: Journaled): void {
    if (node.type === 'file') this.#safeBytes.delete(node);
    const newest = this.#changes.findLastIndex(({ touched }) => touched.includes(node));
    this.#changes.splice(0, newest + 1);
  }

  /** Undoes the changes that a power failure loses. @param random - selects among all legal outcomes */
  cut(random: Random): void {
    const lasting = random.int(this.#changes.length + 1);
    for (const { undo } of this.#changes.splice(0).slice(lasting).reverse()) undo();
    for (const [file, safe] of this.#safeBytes) {
      const lengths = [file.bytes.length];
      for (let at = safe; at < file.bytes.length; at = (Math.floor(at / PAGE_BYTES) + 1) * PAGE_BYTES)
        lengths.push(at);
      file.disk.cutTo(file, lengths[random.int(lengths.length)] ?? safe);
    }
    this.#safeBytes.clear();
  }
}
