import type { Resource } from '../../api/resource.ts';
import { events } from '../../api/resource.ts';
import type { KeyValueStore } from '../../contracts/store/index.ts';
import type { Clock } from '../../sim/index.ts';
import { sameResource } from '../storage/storage.ts';

/** Upstream: kube-apiserver --event-ttl */
const TTL_SECONDS = 3_600;
/** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/lease_manager.go defaultLeaseReuseDurationSeconds; 5 % of the TTL is more */
const REUSE_SECONDS = 60;
/** Upstream: the same file, defaultLeaseMaxObjectCount */
const OBJECTS_MAX = 1_000;

interface Granted {
  readonly id: Promise<string>;
  readonly untilMs: number;
  objects: number;
}

/**
 * The leases that delete Events after their lifetime. Events that are written within a minute share one.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/lease_manager.go leaseManager.GetLease
 */
export class EventLeases {
  readonly #store: KeyValueStore;
  readonly #clock: Pick<Clock, 'now'>;
  #newest: Granted | undefined;

  constructor(store: KeyValueStore, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns the lease for a write of this resource, if it needs one. */
  async leaseFor(resource: Resource): Promise<string | undefined> {
    if (!sameResource(resource, events)) return undefined;
    const nowMs = this.#clock.now();
    const { untilMs = 0, objects = 0 } = this.#newest ?? {};
    if (untilMs <= nowMs + TTL_SECONDS * 1_000 || objects >= OBJECTS_MAX) {
      const seconds = TTL_SECONDS + REUSE_SECONDS;
      this.#newest = { id: this.#grant(seconds), untilMs: nowMs + seconds * 1_000, objects: 0 };
    }
    const lease = this.#newest as Granted;
    lease.objects++;
    return lease.id;
  }

  async #grant(seconds: number): Promise<string> {
    try {
      return (await this.#store.grantLease(seconds)).id;
    } catch (error) {
      this.#newest = undefined;
      throw error;
    }
  }
}
