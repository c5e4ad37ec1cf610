import { type CronJob, cronJobs } from '#given/66-cron-job';
import {
  type Component,
  type ComponentContext,
  controllerOf,
  DeletedFinalStateUnknown,
  type Job,
  jobs,
  keyOf,
  keyToString,
  messageOf,
  type RateLimitingWorkQueue,
  type SharedInformer,
} from '#harness';
import { CronJobSync } from './cron-job-sync.ts';
import { nextSyncMs, scheduleOf } from './times.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/cronjob/config/v1alpha1/defaults.go ConcurrentCronJobSyncs */
const WORKERS = 5;
/** The index of Jobs by the uid of their controller. */
const BY_CONTROLLER = 'controller';

/**
 * Creates a Job at each scheduled time of a CronJob, and deletes old finished ones.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/cronjob/cronjob_controllerv2.go ControllerV2
 *
 * Differs: Jobs belong to a CronJob by its uid; upstream compares only its name. Before it creates a Job, the controller
 * reads the CronJob from the server, so a Job that has finished and was deleted does not run again. A failed delete of an
 * old Job is retried; upstream waits for the next sync. If another object has taken the name of a Job, the next
 * scheduled time is still on time; upstream waits for an event.
 */
class CronJobController {
  readonly #context: ComponentContext;
  readonly #queue: RateLimitingWorkQueue<string>;
  readonly #cronJobs: SharedInformer<CronJob>;
  readonly #jobs: SharedInformer<Job>;

  constructor(context: ComponentContext) {
    this.#context = context;
    this.#queue = context.newWorkQueue<string>();
    this.#cronJobs = context.informers.forResource(cronJobs);
    this.#jobs = context.informers.forResource(jobs, {
      [BY_CONTROLLER]: (job) => [controllerOf(job)?.uid ?? ''],
    });
  }

  /** Runs until the signal aborts. */
  async run(): Promise<void> {
    const { informers, runWorkers, log } = this.#context;
    this.#listen();
    informers.start();
    await informers.waitForCacheSync();
    await runWorkers({
      queue: this.#queue,
      workers: WORKERS,
      sync: (key) => this.#sync(key),
      onError: (error, key) => log(`error syncing CronJobController ${key}, requeuing: ${messageOf(error)}`),
    });
  }

  #listen(): void {
    this.#cronJobs.addEventHandler({
      onAdd: (cronJob) => this.#queue.add(keyToString(keyOf(cronJob))),
      onUpdate: (previous, current) => this.#onUpdate(previous, current),
    });
    this.#jobs.addEventHandler({
      onAdd: (job) => this.#enqueueController(job),
      onUpdate: (previous, current) => {
        if (previous.metadata.resourceVersion === current.metadata.resourceVersion) return;
        if (controllerOf(previous)?.uid !== controllerOf(current)?.uid) this.#enqueueController(previous);
        this.#enqueueController(current);
      },
      onDelete: (last) =>
        this.#enqueueController(last instanceof DeletedFinalStateUnknown ? last.object : last),
    });
  }

  /**
   * After a change of the schedule, the next sync is at the next scheduled time.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/cronjob/cronjob_controllerv2.go updateCronJob
   */
  #onUpdate(previous: CronJob, current: CronJob): void {
    const key = keyToString(keyOf(current));
    const isRescheduled =
      previous.spec.schedule !== current.spec.schedule || previous.spec.timeZone !== current.spec.timeZone;
    const afterMs = isRescheduled ? nextSyncMs(current, scheduleOf(current), this.#context.clock.now()) : 0;
    this.#queue.addAfter(key, afterMs);
  }

  #enqueueController(job: Job): void {
    const owner = controllerOf(job);
    if (owner?.kind !== cronJobs.kind) return;
    const key = keyToString({ namespace: job.metadata.namespace ?? '', name: owner.name });
    if (this.#cronJobs.indexer.getByKey(key)?.metadata.uid === owner.uid) this.#queue.add(key);
  }

  async #sync(key: string): Promise<void> {
    const cronJob = this.#cronJobs.indexer.getByKey(key);
    if (!cronJob) return;
    const children = this.#jobs.indexer.byIndex(BY_CONTROLLER, cronJob.metadata.uid);
    const nextMs = await new CronJobSync(this.#context, cronJob, children).run();
    if (nextMs !== undefined) this.#queue.addAfter(key, nextMs);
  }
}

/** The controller as it runs in a cluster. */
export const cronJobController: Component = (context) => new CronJobController(context).run();
