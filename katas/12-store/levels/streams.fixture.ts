import { MemoryLog, type NewKeyValueStore, type WatchResponse } from '#given/12-store';
import { Simulation, soFar } from '#harness/testing';

/** Reads a stream without waiting. */
export class Reader<T> {
  readonly #iterator: AsyncIterator<T>;
  readonly #sim: Simulation;
  #next: Promise<IteratorResult<T>> | undefined;
  /** Whether the stream has ended. */
  ended = false;

  /** @param sim - the simulation that the stream belongs to, if any */
  constructor(stream: AsyncIterable<T>, sim = new Simulation()) {
    this.#iterator = stream[Symbol.asyncIterator]();
    this.#sim = sim;
  }

  /** Returns the messages that came since the last call. */
  async read(): Promise<readonly T[]> {
    const messages: T[] = [];
    while (!this.ended) {
      this.#next ??= this.#iterator.next();
      const result = await soFar(this.#next, this.#sim);
      if (result === 'waits') break;
      this.#next = undefined;
      if (result.done) this.ended = true;
      else messages.push(result.value);
    }
    return messages;
  }
}

/** Returns messages of a watch in short: `put a=1 @2, put b=1 @2`; `progress 7`; `compacted 5`. */
export const messagesIn = (messages: readonly WatchResponse[]): readonly string[] =>
  messages.map(({ revision, events, compactRevision }) => {
    if (compactRevision !== undefined) return `compacted ${compactRevision}`;
    if (events.length === 0) return `progress ${revision}`;
    const changes = events.map(({ type, kv, previous }) => {
      const what = type === 'PUT' ? `put ${kv.key}=${kv.value}` : `delete ${kv.key}`;
      return `${what} @${kv.modRevision}${previous ? ` before ${previous.value}` : ''}`;
    });
    return changes.join(', ');
  });

/** A log whose syncs wait until a test lets them end. */
export class SlowLog extends MemoryLog {
  /** The calls: `append 2` lines, `sync`, `truncate 17`. */
  readonly calls: string[] = [];
  /** The text that a crash now would leave at least. */
  safeText: string;
  #release: (() => void) | undefined;
  #error: Error | undefined;
  /** Whether syncs wait. */
  isSlow = false;

  constructor(text = '') {
    super(text);
    this.safeText = '';
  }

  override async append(text: string): Promise<void> {
    this.calls.push(`append ${text.split('\n').length - 1}`);
    await super.append(text);
  }

  override async sync(): Promise<void> {
    this.calls.push('sync');
    const { text } = this;
    if (this.isSlow) {
      await new Promise<void>((resolve) => {
        this.#release = resolve;
      });
    }
    if (this.#error) throw this.#error;
    this.safeText = text;
  }

  override async truncate(length: number): Promise<void> {
    this.calls.push(`truncate ${length}`);
    await super.truncate(length);
    this.safeText = this.text;
  }

  /** Lets the running sync end. */
  release(): void {
    this.#release?.();
  }

  /** Lets all syncs fail. */
  fail(error: Error): void {
    this.#error = error;
  }
}

/** Opens a store on a log. */
export async function openStore(
  newKeyValueStore: NewKeyValueStore,
  { log = new MemoryLog(), sim = new Simulation() } = {},
) {
  const process = new AbortController();
  const store = await newKeyValueStore({ clock: sim.clock, log, signal: process.signal });
  /** Puts a key, and returns its revision. */
  const put = async (key: string, value: string): Promise<number> =>
    (await store.transact({ then: [{ put: { key, value } }] })).revision;
  return { store, put, crash: () => process.abort() };
}
