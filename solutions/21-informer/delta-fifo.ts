/** Level 2 · What happened, by object: the queue between the reflector and the cache. */
import { DeletedFinalStateUnknown, type IndexReader } from '#harness';
import type { KeyFunc } from './indexer.ts';

export type DeltaType = 'Added' | 'Updated' | 'Deleted' | 'Replaced' | 'Sync';

export interface Delta<T> {
  readonly type: DeltaType;
  readonly object: T | DeletedFinalStateUnknown<T>;
}

/** What happened to one object, oldest first; never empty. */
export type Deltas<T> = readonly Delta<T>[];

/** What a {@link DeltaFIFO} needs to know of the cache that it feeds. */
export type KnownObjects<T> = Pick<IndexReader<T>, 'getByKey' | 'listKeys'>;

export interface DeltaFIFOOptions<T> {
  readonly keyFunc: KeyFunc<T>;
  /** What the consumer of this queue has already. Without it only what is queued counts as known. */
  readonly knownObjects?: KnownObjects<T>;
  /** Call what a list brought `Replaced`; otherwise it is a `Sync`. */
  readonly emitDeltaTypeReplaced?: boolean;
}

export function dedupDeltas<T>(deltas: Deltas<T>): Deltas<T> {
  const [older, newer] = deltas.slice(-2);
  if (older?.type !== 'Deleted' || newer?.type !== 'Deleted') return deltas;
  // A tombstone knows less than the object itself did.
  const kept = older.object instanceof DeletedFinalStateUnknown ? newer : older;
  return [...deltas.slice(0, -2), kept];
}

export class DeltaFIFO<T> {
  readonly #keyFunc: KeyFunc<T>;
  readonly #knownObjects: KnownObjects<T> | undefined;
  readonly #listed: DeltaType;
  /** In the order in which each key was first queued: a Map keeps it, and a key's place, until the key is popped. */
  readonly #items = new Map<string, Deltas<T>>();
  /** Has the first list, or anything else, come in? */
  #populated = false;
  /** How many keys of the first list have not been popped yet. */
  #initialPopulationCount = 0;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor({ keyFunc, knownObjects, emitDeltaTypeReplaced = false }: DeltaFIFOOptions<T>) {
    this.#keyFunc = keyFunc;
    this.#knownObjects = knownObjects;
    this.#listed = emitDeltaTypeReplaced ? 'Replaced' : 'Sync';
  }

  keyOf(object: T | DeletedFinalStateUnknown<T> | Deltas<T>): string {
    if (isDeltas<T>(object)) return this.keyOf((object.at(-1) as Delta<T>).object);
    return object instanceof DeletedFinalStateUnknown ? object.key : this.#keyFunc(object);
  }

  add(object: T): void {
    this.#populated = true;
    this.#queue('Added', object);
  }

  update(object: T): void {
    this.#populated = true;
    this.#queue('Updated', object);
  }

  delete(object: T): void {
    this.#populated = true;
    const key = this.keyOf(object);
    // A relist has reported this deletion already; to report it twice would be a second death.
    if (!this.#items.has(key) && this.#knownObjects?.getByKey(key) === undefined) return;
    this.#queue('Deleted', object);
  }

  replace(list: readonly T[]): void {
    const listed = new Set<string>();
    for (const object of list) {
      listed.add(this.keyOf(object));
      this.#queue(this.#listed, object);
    }
    const vanished = this.#vanished(listed);
    for (const tombstone of vanished) this.#queue('Deleted', tombstone);
    if (this.#populated) return;
    this.#populated = true;
    this.#initialPopulationCount = listed.size + vanished.length;
  }

  resync(): void {
    for (const key of this.#knownObjects?.listKeys() ?? []) {
      // What is queued is newer than what is known: a Sync behind it would bring the old state back.
      const object = this.#items.has(key) ? undefined : this.#knownObjects?.getByKey(key);
      if (object !== undefined) this.#queue('Sync', object);
    }
  }

  hasSynced(): boolean {
    return this.#populated && this.#initialPopulationCount === 0;
  }

  async pop(process: (deltas: Deltas<T>, isInInitialList: boolean) => void): Promise<Deltas<T> | undefined> {
    while (this.#items.size === 0) {
      if (this.#closed) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const isInInitialList = !this.hasSynced();
    const [key, deltas] = this.#items.entries().next().value as [string, Deltas<T>];
    this.#items.delete(key);
    if (this.#initialPopulationCount > 0) this.#initialPopulationCount--;
    process(deltas, isInInitialList);
    return deltas;
  }

  close(): void {
    this.#closed = true;
    this.#rouse();
  }

  /** What is queued or known but was not listed died unseen. What is queued is the newer knowledge of the two. */
  #vanished(listed: ReadonlySet<string>): DeletedFinalStateUnknown<T>[] {
    const tombstones: DeletedFinalStateUnknown<T>[] = [];
    for (const [key, deltas] of this.#items) {
      if (listed.has(key)) continue;
      const { object } = deltas.at(-1) as Delta<T>;
      const last = object instanceof DeletedFinalStateUnknown ? object.object : object;
      tombstones.push(new DeletedFinalStateUnknown(key, last));
    }
    for (const key of this.#knownObjects?.listKeys() ?? []) {
      if (listed.has(key) || this.#items.has(key)) continue;
      tombstones.push(new DeletedFinalStateUnknown(key, this.#knownObjects?.getByKey(key) as T));
    }
    return tombstones;
  }

  #queue(type: DeltaType, object: T | DeletedFinalStateUnknown<T>): void {
    const key = this.keyOf(object);
    this.#items.set(key, dedupDeltas([...(this.#items.get(key) ?? []), { type, object }]));
    this.#rouse();
  }

  #rouse(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

function isDeltas<T>(value: unknown): value is Deltas<T> {
  return Array.isArray(value);
}
