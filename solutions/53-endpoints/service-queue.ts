import {
  type ComponentContext,
  DeletedFinalStateUnknown,
  keyOf,
  keyToString,
  messageOf,
  type Pod,
  pods,
  type RateLimiter,
  type RateLimitingWorkQueue,
  type Service,
  type SharedInformer,
  StatusError,
  services,
} from '#harness';
import { selects, servicesToUpdate } from './pod-news.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/endpointslice/config/v1alpha1/defaults.go */
const WORKERS = 5;
/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/endpointslice/endpointslice_controller.go maxRetries */
const MAX_RETRIES = 15;
/** The interval between syncs of a Service while its cache is out of date. */
const STALE_CACHE_MS = 1_000;

/**
 * The error for a cache that does not show the controller's last write. The Service itself is fine: it is synced again,
 * and this does not count as a retry.
 *
 * Differs: upstream counts a retry. It then drops a Service that has failed often, even though its cache catches up
 * later.
 */
export class CacheOutOfDate extends Error {}

/**
 * The queue of Services to sync, because they or their pods have changed. Both controllers use it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/endpointslice/endpointslice_controller.go NewController,
 * Controller.Run
 */
export class ServiceQueue {
  readonly #context: ComponentContext;
  readonly #queue: RateLimitingWorkQueue<string>;
  readonly #services: SharedInformer<Service>;
  readonly #pods: SharedInformer<Pod>;

  /** @param rateLimiter - the back-off of a Service after a failure */
  constructor(context: ComponentContext, rateLimiter?: RateLimiter<string>) {
    this.#context = context;
    this.#queue = context.newWorkQueue<string>(rateLimiter ? { rateLimiter } : {});
    this.#services = context.informers.forResource(services);
    this.#pods = context.informers.forResource(pods);
    const add = (service: Service): void => this.#queue.add(keyToString(keyOf(service)));
    this.#services.addEventHandler({
      onAdd: add,
      onUpdate: (_, current) => add(current),
      onDelete: (last) => add(lastKnown(last)),
    });
    this.#pods.addEventHandler({
      onAdd: (pod) => this.#podChanged(undefined, pod),
      onUpdate: (previous, current) => this.#podChanged(previous, current),
      onDelete: (last) => this.#podChanged(lastKnown(last), undefined),
    });
  }

  /** Queues a sync of the Service, now or after a delay. */
  add(key: string, afterMs = 0): void {
    this.#queue.addAfter(key, afterMs);
  }

  /** Returns the Service, if it exists. */
  service(key: string): Service | undefined {
    return this.#services.indexer.getByKey(key);
  }

  /** Returns the pods that the Service selects. */
  podsOf(service: Service): Pod[] {
    const { namespace = '' } = service.metadata;
    return this.#pods.indexer.byIndex('namespace', namespace).filter((pod) => selects(service, pod));
  }

  /**
   * Processes the queue until the component stops.
   *
   * @param synced - called when the caches have synced
   */
  async run(sync: (key: string) => Promise<void>, synced: () => void = () => {}): Promise<void> {
    const { informers, runWorkers, log } = this.#context;
    informers.start();
    await informers.waitForCacheSync();
    synced();
    await runWorkers({
      queue: this.#queue,
      workers: WORKERS,
      maxRetries: MAX_RETRIES,
      sync: (key) => this.#orLater(sync(key), key),
      onError: (error, key) => log(`sync of ${key} failed: ${messageOf(error)}`),
    });
  }

  async #orLater(synced: Promise<void>, key: string): Promise<void> {
    try {
      await synced;
    } catch (error) {
      if (!(error instanceof CacheOutOfDate)) throw error;
      this.#context.log(`${key} waits: ${error.message}`);
      this.add(key, STALE_CACHE_MS);
    }
  }

  #podChanged(previous: Pod | undefined, current: Pod | undefined): void {
    for (const key of servicesToUpdate(this.#services.indexer, previous, current)) this.#queue.add(key);
  }
}

/**
 * Reports whether the controllers write endpoints for the Service. An ExternalName Service has none, and the owner of a
 * Service without a selector writes them.
 */
export function hasEndpoints({ spec }: Service): boolean {
  return spec.type !== 'ExternalName' && spec.selector !== undefined;
}

/** Returns the last known state of a deleted object. */
export function lastKnown<T>(last: T | DeletedFinalStateUnknown<T>): T {
  return last instanceof DeletedFinalStateUnknown ? last.object : last;
}

/** Reports whether a create failed because its namespace is being deleted. A retry cannot succeed. */
export function isNamespaceTerminating(error: unknown): boolean {
  const causes = error instanceof StatusError ? (error.status.details?.causes ?? []) : [];
  return causes.some(({ reason }) => reason === 'NamespaceTerminating');
}
