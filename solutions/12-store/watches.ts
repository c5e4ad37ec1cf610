import {
  type KeyEvent,
  type KeyWatch,
  type KeyWatchRequest,
  MessageQueue,
  rangeHas,
  type WatchResponse,
} from '#given/12-store';
import type { Keyspace } from './keyspace.ts';

interface OpenWatch {
  readonly request: KeyWatchRequest;
  readonly stream: MessageQueue<WatchResponse>;
  /** All changes before this revision have been sent. */
  next: number;
}

// Level 5 · Watches

/** Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/watchable_store.go watchableStore */
export class Watches {
  readonly #space: Keyspace;
  readonly #open = new Set<OpenWatch>();
  /** The last revision that watches may know of: it is on disk. */
  #visible: number;

  constructor(space: Keyspace) {
    this.#space = space;
    this.#visible = space.revision;
  }

  open(request: KeyWatchRequest): KeyWatch {
    const stream = new MessageQueue<WatchResponse>(() => this.#open.delete(watch));
    const watch: OpenWatch = { request, stream, next: request.startRevision || this.#visible + 1 };
    const { compactedRevision } = this.#space;
    if (watch.next < compactedRevision) {
      stream.push({ revision: this.#visible, events: [], compactRevision: compactedRevision });
      stream.end();
    } else {
      this.#open.add(watch);
      this.#send(watch);
    }
    return Object.assign(stream, {
      requestProgress: () => stream.push({ revision: this.#visible, events: [] }),
    });
  }

  /** Sends all changes up to a revision. */
  advance(revision: number): void {
    this.#visible = revision;
    for (const watch of this.#open) this.#send(watch);
  }

  /** Ends all streams. */
  end(): void {
    for (const { stream } of this.#open) stream.end();
  }

  #send(watch: OpenWatch): void {
    const revision = this.#visible;
    if (watch.next > revision) return;
    const events = this.#space
      .eventsFrom(watch.next)
      .filter(({ kv }) => kv.modRevision <= revision && rangeHas(watch.request, kv.key));
    watch.next = revision + 1;
    for (const group of byRevision(events)) watch.stream.push({ revision, events: group });
  }
}

function byRevision(events: readonly KeyEvent[]): Iterable<readonly KeyEvent[]> {
  const groups = new Map<number, KeyEvent[]>();
  for (const event of events) {
    const { modRevision } = event.kv;
    const group = groups.get(modRevision) ?? [];
    groups.set(modRevision, group);
    group.push(event);
  }
  return groups.values();
}
