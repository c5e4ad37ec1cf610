import { finishedCondition } from '#given/67-ttl-after-finished';
import {
  type Component,
  type ComponentContext,
  isNotFound,
  type Job,
  jobs,
  keyOf,
  keyToString,
  messageOf,
  type RateLimitingWorkQueue,
  type SharedInformer,
} from '#harness';

/** Upstream: pkg/controller/ttlafterfinished/config/v1alpha1/defaults.go ConcurrentTTLSyncs */
const WORKERS = 5;

/**
 * Deletes a finished Job, and its pods, when the seconds of `ttlSecondsAfterFinished` have passed since its end.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/ttlafterfinished/ttlafterfinished_controller.go Controller
 *
 * Differs: the delete also requires the version of the Job that was checked, so a change of the seconds in the last
 * moment counts. Upstream requires only the uid.
 */
class TtlAfterFinishedController {
  readonly #context: ComponentContext;
  readonly #queue: RateLimitingWorkQueue<string>;
  readonly #jobs: SharedInformer<Job>;

  constructor(context: ComponentContext) {
    this.#context = context;
    this.#queue = context.newWorkQueue<string>();
    this.#jobs = context.informers.forResource(jobs);
  }

  /** Runs until the signal aborts. */
  async run(): Promise<void> {
    const { informers, runWorkers, log } = this.#context;
    const enqueue = (job: Job): void => {
      if (expiryMs(job) !== undefined) this.#queue.add(keyToString(keyOf(job)));
    };
    this.#jobs.addEventHandler({ onAdd: enqueue, onUpdate: (_, job) => enqueue(job) });
    informers.start();
    await informers.waitForCacheSync();
    await runWorkers({
      queue: this.#queue,
      workers: WORKERS,
      sync: (key) => this.#sync(key),
      onError: (error, key) => log(`error cleaning up Job ${key}, will retry: ${messageOf(error)}`),
    });
  }

  /** Upstream: processJob */
  async #sync(key: string): Promise<void> {
    const { client } = this.#context;
    const cached = this.#jobs.indexer.getByKey(key);
    if (!cached || !this.#isExpired(cached)) return;
    try {
      // The cache may lack a change of the seconds, or show a Job that was deleted and created again.
      const job = await client.get(jobs, keyOf(cached));
      if (!this.#isExpired(job)) return;
      const { uid, resourceVersion } = job.metadata;
      await client.delete(jobs, keyOf(job), {
        propagationPolicy: 'Foreground',
        preconditions: { uid, resourceVersion },
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /**
   * Returns whether the time of a Job is over. If it will be, the Job is synced again then.
   *
   * Upstream: processTTL
   */
  #isExpired(job: Job): boolean {
    const expiry = expiryMs(job);
    if (expiry === undefined) return false;
    const leftMs = expiry - this.#context.clock.now();
    if (leftMs > 0) this.#queue.addAfter(keyToString(keyOf(job)), leftMs);
    return leftMs <= 0;
  }
}

/**
 * Returns when the controller must delete a Job, in ms since 1970; undefined if it must not, or not yet: the Job runs,
 * has no time limit, or is already being deleted.
 *
 * Upstream: getFinishAndExpireTime
 */
export function expiryMs(job: Job): number | undefined {
  const { ttlSecondsAfterFinished } = job.spec;
  const finishedAt = finishedCondition(job)?.lastTransitionTime;
  if (ttlSecondsAfterFinished === undefined || !finishedAt) return undefined;
  if (job.metadata.deletionTimestamp !== undefined) return undefined;
  return Date.parse(finishedAt) + ttlSecondsAfterFinished * 1_000;
}

/** The controller as it runs in a cluster. */
export const ttlAfterFinishedController: Component = (context) =>
  new TtlAfterFinishedController(context).run();
