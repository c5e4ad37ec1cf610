import type { Random } from '../../sim/index.ts';
import type { FileNode, Inode } from './disk.ts';

/** One change of names: what it touched, and how it is taken back. */
interface Change {
  readonly touched: readonly Inode[];
  undo(): void;
}

/** Bytes reach a disk in pages of this size. */
const PAGE_BYTES = 4_096;

/**
 * What a power cut may take from a disk: what has changed on it since it was last synced.
 *
 * It is modelled on ext4 with `data=ordered`. Changes of names (create, link, rename, remove, truncate) are written to a journal in the
 * order in which they were made, so that a prefix of them survives, each as a whole. Bytes go their own way: a file may be there
 * without its bytes, or with the first pages of them. `fsync` of a file makes its bytes last; `fsync` of a file or a
 * directory makes all changes last up to the newest that touched it.
 *
 * Differs: nothing is synced by itself, as ext4 does every 5 s; and nothing of ext4's `auto_da_alloc` is here, which writes the bytes
 * out before a file is replaced by a rename or after it was truncated. POSIX promises less than ext4: there a name is safe only when
 * its directory was synced.
 */
export class Journal {
  #changes: Change[] = [];
  /** How many of the first bytes of a file are safe; of a file that is not here, all are. */
  readonly #safeBytes = new Map<FileNode, number>();

  /** Notes a change of names. */
  note(touched: readonly Inode[], undo: () => void): void {
    this.#changes.push({ touched, undo });
  }

  /** Notes that a file was emptied. @param undo gives it back what it said */
  noteTruncated(file: FileNode, undo: () => void): void {
    const safe = this.#safeBytes.get(file);
    this.note([file], () => {
      undo();
      if (safe === undefined) this.#safeBytes.delete(file);
      else this.#safeBytes.set(file, safe);
    });
    this.#safeBytes.set(file, 0);
  }

  /** Notes that a file gets bytes beyond those that it has. */
  noteGrown(file: FileNode): void {
    if (!this.#safeBytes.has(file)) this.#safeBytes.set(file, file.bytes.length);
  }

  /** Makes last what `node` is, and all changes up to the newest that touched it. */
  sync(node: Inode): void {
    if (node.type === 'file') this.#safeBytes.delete(node);
    const newest = this.#changes.findLastIndex(({ touched }) => touched.includes(node));
    this.#changes.splice(0, newest + 1);
  }

  /** Takes back what a power cut takes. @param random chooses among all that is legal */
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
