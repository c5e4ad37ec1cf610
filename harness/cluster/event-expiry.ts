import { keyOf } from '../api/objects.ts';
import { events } from '../api/resource.ts';
import type { ObjectWrites } from '../apiserver/storage/object-writes.ts';
import { type Storage, sameResource } from '../apiserver/storage/storage.ts';

/** Lifetime of an Event after its last write. Upstream: kube-apiserver --event-ttl */
const EVENT_TTL_MS = 3_600_000;
/** All writes of one minute share an etcd lease, so Events are removed once a minute. */
export const EXPIRY_INTERVAL_MS = 60_000;

/**
 * Removes expired Events. Each write restarts an Event's lifetime.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/event/storage/storage.go NewREST, over
 * kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/lease_manager.go leaseManager.GetLease
 */
export class EventExpiry {
  readonly #storage: Storage;
  readonly #writes: ObjectWrites;
  readonly #nowMs: () => number;
  /** Writes, oldest first; all have the same lifetime. */
  #written: { readonly key: ReturnType<typeof keyOf>; readonly revision: string; readonly atMs: number }[] =
    [];

  /**
   * @param storage its writes are followed from now on
   * @param nowMs returns virtual ms since the cluster began
   * @param writes deletes Events. @defaultValue the storage itself
   */
  constructor(storage: Storage, nowMs: () => number, writes: ObjectWrites = storage) {
    this.#storage = storage;
    this.#writes = writes;
    this.#nowMs = nowMs;
    storage.follow({
      wrote: ({ resource, type, object }) => {
        if (type === 'DELETED' || !sameResource(resource, events)) return;
        this.#written.push({ key: keyOf(object), revision: object.metadata.resourceVersion, atMs: nowMs() });
      },
    });
  }

  /** Removes the expired Events. Call it every {@link EXPIRY_INTERVAL_MS}. */
  expire(): void {
    const dueMs = this.#nowMs() - EVENT_TTL_MS;
    const kept = this.#written.findIndex(({ atMs }) => atMs > dueMs);
    const due = kept < 0 ? this.#written : this.#written.slice(0, kept);
    this.#written = kept < 0 ? [] : this.#written.slice(kept);
    for (const { key, revision } of due) {
      const event = this.#storage.get(events, key);
      if (event?.metadata.resourceVersion !== revision) continue;
      const deleting = this.#writes.delete(events, key, revision);
      // Another write, or a store that does not answer, keeps the Event.
      if (deleting instanceof Promise) deleting.catch(() => {});
    }
  }
}
