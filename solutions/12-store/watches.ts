import {
  groupByRevision,
  type KeyWatch,
  KeyWatchQueue,
  type KeyWatchRequest,
  rangeHas,
} from '#given/12-store';
import type { Keyspace } from './keyspace.ts';

// Level 5 · Watches

/** An open watch. Given. */
export interface OpenWatch {
  readonly request: KeyWatchRequest;
  readonly stream: KeyWatchQueue;
  /** All changes before this revision have been sent. */
  next: number;
}

/** Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/watchable_store.go watchableStore */
export class Watches {
  readonly #space: Keyspace;
  readonly #safe: () => Promise<void>;
  readonly #open = new Set<OpenWatch>();
  /** The last revision that is on disk: watches may see it. */
  visible: number;

  /** @param safe - resolves when all steps of the store until now are on disk */
  constructor(space: Keyspace, safe: () => Promise<void>) {
    this.#space = space;
    this.#safe = safe;
    this.visible = space.revision;
  }

  open(request: KeyWatchRequest): KeyWatch {
    const stream = new KeyWatchQueue(
      () => this.#open.delete(watch),
      () => stream.push({ revision: this.visible, events: [] }),
    );
    const watch: OpenWatch = { request, stream, next: request.startRevision ?? this.visible + 1 };
    this.#open.add(watch);
    if (watch.next < this.#space.compactedRevision) void this.refuse(watch);
    else this.send(watch);
    return stream;
  }

  /** Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/watchable_store.go watchableStore.notify, syncWatchers */
  send(watch: OpenWatch): void {
    const revision = this.visible;
    const events = this.#space
      .eventsFrom(watch.next)
      .filter(({ kv }) => kv.modRevision <= revision && rangeHas(watch.request, kv.key));
    for (const group of groupByRevision(events)) watch.stream.push({ revision, events: group });
    watch.next = Math.max(watch.next, revision + 1);
  }

  /** Ends a watch: its start is compacted. Given. */
  async refuse(watch: OpenWatch): Promise<void> {
    const { stream } = watch;
    const { compactedRevision } = this.#space;
    watch.next = Number.POSITIVE_INFINITY;
    // It promises nothing any more.
    stream.requestProgress = () => {};
    await this.#safe();
    stream.push({ revision: this.visible, events: [], compactRevision: compactedRevision });
    stream.end();
  }

  /** Shows a revision to all watches. Given. */
  advance(revision: number): void {
    this.visible = revision;
    for (const watch of this.#open) this.send(watch);
  }

  /** Ends all streams. Given. */
  end(): void {
    for (const { stream } of this.#open) stream.end();
  }
}
