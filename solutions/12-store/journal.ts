import { type LogFile, seal, unseal } from '#given/12-store';

// Level 6 · A log on a disk

/** Upstream: etcd-io/etcd@v3.6.0 server/storage/wal/wal.go WAL */
export class Journal<R> {
  readonly #log: LogFile;
  readonly #onFlush: () => () => void;
  #text = '';
  #added = 0;
  #flushed = 0;
  #flushing: Promise<void> | undefined;

  /** @param onFlush - called when a flush begins; returns a function to call when it has succeeded */
  constructor(log: LogFile, onFlush: () => () => void) {
    this.#log = log;
    this.#onFlush = onFlush;
  }

  add(record: R): void {
    this.#text += seal(JSON.stringify(record));
    this.#added++;
  }

  /** Resolves when all records that were added before the call are on disk. */
  async safe(): Promise<void> {
    const wanted = this.#added;
    while (this.#flushed < wanted) {
      this.#flushing ??= this.#flush();
      await this.#flushing;
    }
  }

  /** After an error `#flushing` stays as it is: the memory is ahead of the disk, so nothing may be answered any more. */
  async #flush(): Promise<void> {
    const [text, added, onSuccess] = [this.#text, this.#added, this.#onFlush()];
    this.#text = '';
    await this.#log.append(text);
    await this.#log.sync();
    this.#flushed = added;
    this.#flushing = undefined;
    onSuccess();
  }
}

/** Upstream: etcd-io/etcd@v3.6.0 server/storage/wal/wal.go WAL.ReadAll; repair.go Repair */
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
  // A torn record would hide the records after it. Truncating also syncs the records that the dead process did not.
  await log.truncate(length);
}
