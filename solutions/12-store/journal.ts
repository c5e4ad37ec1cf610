import { type LogFile, seal, unseal } from '#given/12-store';

// Level 6 · A log on a disk

/**
 * Upstream: etcd-io/etcd@v3.6.0 server/storage/wal/wal.go WAL
 *
 * Differs: the log only grows. etcd keeps its state in a database, and drops the log before a snapshot.
 */
export class Journal<R> {
  readonly #log: LogFile;
  readonly #onFlush: () => () => void;
  /** The lines that are not in the log yet. */
  #text = '';
  #added = 0;
  #flushed = 0;
  #flushing: Promise<void> | undefined;

  /** @param onFlush - called when a flush begins. It returns a function to call when all of it is on disk */
  constructor(log: LogFile, onFlush: () => () => void) {
    this.#log = log;
    this.#onFlush = onFlush;
  }

  /** Adds a record. Given. */
  add(record: R): void {
    this.#text += seal(JSON.stringify(record));
    this.#added++;
  }

  async safe(): Promise<void> {
    const wanted = this.#added;
    while (this.#flushed < wanted) {
      this.#flushing ??= this.#flush();
      await this.#flushing;
    }
  }

  /** After an error `#flushing` stays: the memory is ahead of the disk, so the store must not answer any more. */
  async #flush(): Promise<void> {
    const [text, added, onDisk] = [this.#text, this.#added, this.#onFlush()];
    this.#text = '';
    await this.#log.append(text);
    await this.#log.sync();
    this.#flushed = added;
    this.#flushing = undefined;
    onDisk();
  }
}

/** Upstream: etcd-io/etcd@v3.6.0 server/storage/wal/wal.go WAL.ReadAll; server/storage/wal/repair.go Repair */
export async function recover<R>(log: LogFile, replay: (record: R) => void): Promise<void> {
  const text = await log.read();
  let length = 0;
  for (;;) {
    const end = text.indexOf('\n', length);
    const record = end < 0 ? undefined : unseal(text.slice(length, end));
    if (record === undefined) break;
    replay(JSON.parse(record) as R);
    length = end + 1;
  }
  // A torn line would hide the lines after it. Truncating also syncs the lines that the crashed process did not sync.
  await log.truncate(length);
}
