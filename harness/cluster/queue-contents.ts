import type { RateLimitingWorkQueue } from '../contracts/work-queue.ts';

/** The items of a queue at one moment, for observers. */
export interface QueueState {
  /** The items that wait for a worker, in the order of their addition. */
  readonly items: readonly unknown[];
  readonly processing: readonly unknown[];
  /** The items that are added later. `atMs` is unknown for a retry, because the queue's rate limiter decides. */
  readonly later: readonly { readonly item: unknown; readonly atMs?: number }[];
}

/**
 * The items of a queue, derived from the calls of its users. The queue itself returns only their number. A queue that
 * breaks its contract can hold other items.
 */
export class QueueContents<T> {
  readonly #nowMs: () => number;
  readonly #queued = new Set<T>();
  readonly #processing = new Set<T>();
  /** The items that were added while they were processed. */
  readonly #again = new Set<T>();
  /** The end of each delay, in virtual ms; undefined for a retry. */
  readonly #later = new Map<T, number | undefined>();

  /** @param nowMs returns virtual ms since the simulation began */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  added(item: T): void {
    if (this.#processing.has(item)) this.#again.add(item);
    else this.#queued.add(item);
  }

  addedAfter(item: T, delayMs: number): void {
    if (delayMs <= 0) {
      this.added(item);
      return;
    }
    const atMs = this.#nowMs() + Math.ceil(delayMs);
    this.#later.set(item, Math.min(atMs, this.#later.get(item) ?? atMs));
  }

  retried(item: T): void {
    if (!this.#later.has(item)) this.#later.set(item, undefined);
  }

  taken(item: T): void {
    this.#queued.delete(item);
    this.#processing.add(item);
    if ((this.#later.get(item) ?? 0) <= this.#nowMs()) this.#later.delete(item);
  }

  done(item: T): void {
    if (this.#processing.delete(item) && this.#again.delete(item)) this.#queued.add(item);
  }

  /** Returns the present state. */
  state(queue: Pick<RateLimitingWorkQueue<T>, 'len'>): QueueState {
    const due = (atMs: number | undefined): boolean => atMs !== undefined && atMs <= this.#nowMs();
    const queued = new Set(this.#queued);
    for (const [item, atMs] of this.#later) if (due(atMs) && !this.#processing.has(item)) queued.add(item);
    // More items than known: the first retries have ended their delays.
    for (const [item, atMs] of this.#later) {
      if (queued.size >= queue.len()) break;
      if (atMs === undefined) queued.add(item);
    }
    const later = [...this.#later].filter(([item, atMs]) => !queued.has(item) && !due(atMs));
    return {
      items: [...queued],
      processing: [...this.#processing],
      later: later.map(([item, atMs]) => ({ item, ...(atMs === undefined ? {} : { atMs }) })),
    };
  }
}
