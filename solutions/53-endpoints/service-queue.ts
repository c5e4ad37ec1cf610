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
/** How often a Service is looked at whose cache is behind. */
const STALE_CACHE_MS = 1_000;

/**
 * The cache does not show what was written last. Nothing is wrong with the Service: it is looked at again, and no retry is used up.
 *
 * Differs: upstream counts a retry. A Service that has failed often is given up then, and stays as it is when the cache has caught up.
 */
export class CacheOutOfDate extends Error {}

/**
 * The Services that are to be looked at, because they or their pods have changed: what the two controllers have in
 * common.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/endpointslice/endpointslice_controller.go NewController,
 * Controller.Run
 */
export class ServiceQueue {
  readonly #context: ComponentContext;
  readonly #queue: RateLimitingWorkQueue<string>;
  readonly #services: SharedInformer<Service>;
  readonly #pods: SharedInformer<Pod>;

  /** @param rateLimiter how long a Service waits after a failure */
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

  /** Looks at the Service now, or after a while. */
  add(key: string, afterMs = 0): void {
    this.#queue.addAfter(key, afterMs);
  }

  /** The Service, if it is there. */
  service(key: string): Service | undefined {
    return this.#services.indexer.getByKey(key);
  }

  /** The pods that the Service selects. */
  podsOf(service: Service): Pod[] {
    const { namespace = '' } = service.metadata;
    return this.#pods.indexer.byIndex('namespace', namespace).filter((pod) => selects(service, pod));
  }

  /**
   * Works the queue off until the component is asked to stop.
   *
   * @param synced called when the caches are filled
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
 * Has the Service endpoints of its pods? One that is a mere name has none, and those of one without a selector are written
 * by its owner.
 */
export function hasEndpoints({ spec }: Service): boolean {
  return spec.type !== 'ExternalName' && spec.selector !== undefined;
}

/** What is known of an object that has gone. */
export function lastKnown<T>(last: T | DeletedFinalStateUnknown<T>): T {
  return last instanceof DeletedFinalStateUnknown ? last.object : last;
}

/** In a namespace that goes away nothing can be created, now or later: not worth another try. */
export function isNamespaceTerminating(error: unknown): boolean {
  const causes = error instanceof StatusError ? (error.status.details?.causes ?? []) : [];
  return causes.some(({ reason }) => reason === 'NamespaceTerminating');
}
