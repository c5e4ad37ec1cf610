import { type CronJob, cronJobs, finishedCondition, formatTime } from '#given/66-cron-job';
import {
  type ComponentContext,
  controllerOf,
  deepEqual,
  isAlreadyExists,
  isConflict,
  isNamespaceTerminating,
  isNotFound,
  type Job,
  jobs,
  keyOf,
  messageOf,
} from '#harness';
import { jobsBeyondLimits } from './history.ts';
import { jobNameAt, newJob, referenceTo } from './new-job.ts';
import { InvalidSchedule, mostRecentScheduleTime, nextSyncMs, scheduleOf } from './times.ts';

/** The parts of the context that a sync uses. */
type SyncContext = Pick<ComponentContext, 'client' | 'clock' | 'recorder'>;

/**
 * One sync of a CronJob. It collects the changes of the status, and writes them once at the end.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/cronjob/cronjob_controllerv2.go sync, syncCronJob
 */
export class CronJobSync {
  readonly #context: SyncContext;
  readonly #children: readonly Job[];
  #cronJob: CronJob;
  #status: CronJob['status'];

  /**
   * @param cronJob from a cache
   * @param children the Jobs that it controls, from a cache
   */
  constructor(context: SyncContext, cronJob: CronJob, children: readonly Job[]) {
    this.#context = context;
    this.#cronJob = cronJob;
    this.#status = cronJob.status;
    this.#children = children;
  }

  /**
   * Deletes old Jobs, updates the list of active Jobs, and creates a Job if one is due.
   *
   * @returns the time until the next sync, in ms; undefined if only an event makes one necessary
   * @throws the first error, after the status is written
   */
  async run(): Promise<number | undefined> {
    const [cleaned] = await Promise.allSettled([this.#deleteOldJobs()]);
    const [scheduled] = await Promise.allSettled([this.#reconcile()]);
    const { client } = this.#context;
    if (!deepEqual(this.#status, this.#cronJob.status)) {
      await client.updateStatus(cronJobs, { ...this.#cronJob, status: this.#status });
    }
    if (scheduled.status === 'rejected') throw scheduled.reason;
    if (cleaned.status === 'rejected') throw cleaned.reason;
    return scheduled.value;
  }

  async #deleteOldJobs(): Promise<void> {
    for (const job of jobsBeyondLimits(this.#cronJob, this.#children)) await this.#delete(job);
  }

  async #reconcile(): Promise<number | undefined> {
    await this.#findUnexpected();
    for (const job of this.#children) if (finishedCondition(job)) this.#notice(job);
    await this.#dropMissing();
    const { metadata, spec } = this.#cronJob;
    if (metadata.deletionTimestamp !== undefined || spec.suspend) return undefined;
    return this.#schedule();
  }

  /**
   * Emits an Event about each unfinished Job that is not in `status.active`, such as a Job of `kubectl create job
   * --from`. A cache may lack the latest status, so it is read from the server first.
   */
  async #findUnexpected(): Promise<void> {
    const unexpected = (): readonly Job[] =>
      this.#children.filter((job) => !finishedCondition(job) && !this.#isActive(job));
    if (unexpected().length === 0) return;
    await this.#refresh();
    for (const { metadata } of unexpected()) {
      const message = `Saw a job that the controller did not create or forgot: ${metadata.name}`;
      this.#event('Warning', 'UnexpectedJob', message);
    }
  }

  /** Updates the status for a finished Job. */
  #notice(job: Job): void {
    const type = finishedCondition(job)?.type;
    if (this.#isActive(job)) {
      this.#removeFromActive(job.metadata.uid);
      this.#event('Normal', 'SawCompletedJob', `Saw completed job: ${job.metadata.name}, condition: ${type}`);
    }
    const { completionTime } = job.status;
    if (type !== 'Complete' || !completionTime) return;
    const { lastSuccessfulTime } = this.#status;
    if (lastSuccessfulTime && Date.parse(lastSuccessfulTime) >= Date.parse(completionTime)) return;
    this.#status = { ...this.#status, lastSuccessfulTime: completionTime };
  }

  /** Removes Jobs that no longer exist from `status.active`. A Job may be missing only in the cache. */
  async #dropMissing(): Promise<void> {
    const cached = new Set(this.#children.map(({ metadata }) => metadata.uid));
    for (const { name = '', uid = '' } of this.#status.active ?? []) {
      if (cached.has(uid)) continue;
      const found = await this.#find(name);
      if (found?.metadata.uid === uid) continue;
      this.#event('Normal', 'MissingJob', `Active job went missing: ${name}`);
      this.#removeFromActive(uid);
    }
  }

  /** Creates the Job of the latest scheduled time, unless it was created before, or must not run now. */
  async #schedule(): Promise<number | undefined> {
    const dueMs = this.#dueMs();
    if (dueMs === 'never') return undefined;
    if (dueMs === undefined || this.#isProcessed(dueMs)) return this.#nextSyncMs();
    const { concurrencyPolicy } = this.#cronJob.spec;
    const { active = [] } = this.#status;
    if (concurrencyPolicy === 'Forbid' && active.length > 0) {
      const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
      this.#event('Normal', 'JobAlreadyActive', message);
      return this.#nextSyncMs();
    }
    // The Job of this time may have been created, finished and deleted, or the CronJob suspended.
    if (await this.#refresh()) return this.#reconcile();
    if (concurrencyPolicy === 'Replace') await this.#deleteActive();
    await this.#create(dueMs);
    return this.#nextSyncMs();
  }

  /** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/cronjob/utils.go nextScheduleTime */
  #dueMs(): number | undefined | 'never' {
    const current = this.#current();
    const nowMs = this.#context.clock.now();
    try {
      const times = mostRecentScheduleTime(current, scheduleOf(current), { nowMs, withDeadline: true });
      if (times.mostRecentMs !== undefined && times.missed === 'many') {
        const message =
          'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
        this.#event('Warning', 'TooManyMissedTimes', message);
      }
      return times.mostRecentMs;
    } catch (error) {
      if (!(error instanceof InvalidSchedule)) throw error;
      const message = `invalid schedule: ${current.spec.schedule} : ${messageOf(error)}`;
      this.#event('Warning', 'InvalidSchedule', message);
      return 'never';
    }
  }

  #isProcessed(dueMs: number): boolean {
    const { active = [], lastScheduleTime } = this.#status;
    const name = jobNameAt(this.#cronJob, dueMs);
    const lastMs = lastScheduleTime ? Date.parse(lastScheduleTime) : undefined;
    return active.some((job) => job.name === name) || lastMs === dueMs;
  }

  /** Deletes the active Jobs, which the next one replaces. */
  async #deleteActive(): Promise<void> {
    for (const { name = '', uid = '' } of this.#status.active ?? []) {
      const job = await this.#find(name);
      if (job?.metadata.uid === uid) await this.#delete(job);
      else this.#removeFromActive(uid);
    }
  }

  async #create(dueMs: number): Promise<void> {
    const job = await this.#createOrFind(dueMs);
    // Another owner has taken the name of the Job.
    if (controllerOf(job)?.uid !== this.#cronJob.metadata.uid) return;
    const { active = [] } = this.#status;
    this.#status = {
      ...this.#status,
      active: [...active, referenceTo(job)],
      lastScheduleTime: formatTime(dueMs),
    };
  }

  /** Returns the existing Job after a create whose status was not written. */
  async #createOrFind(dueMs: number): Promise<Job> {
    const { client } = this.#context;
    const { namespace = '' } = this.#cronJob.metadata;
    const name = jobNameAt(this.#cronJob, dueMs);
    try {
      const job = await client.create(jobs, newJob(this.#cronJob, dueMs));
      this.#event('Normal', 'SuccessfulCreate', `Created job ${name}`);
      return job;
    } catch (error) {
      if (isAlreadyExists(error)) return client.get(jobs, { namespace, name });
      if (!isNamespaceTerminating(error)) {
        this.#event('Warning', 'FailedCreate', `Error creating job: ${messageOf(error)}`);
      }
      throw error;
    }
  }

  /** Deletes a Job, and its pods in the background. */
  async #delete(job: Job): Promise<void> {
    const { uid, name } = job.metadata;
    try {
      const options = { propagationPolicy: 'Background', preconditions: { uid } } as const;
      await this.#context.client.delete(jobs, keyOf(job), options);
      this.#event('Normal', 'SuccessfulDelete', `Deleted job ${name}`);
    } catch (error) {
      // It is gone, or another Job has its name.
      if (!isNotFound(error) && !isConflict(error)) {
        this.#event('Warning', 'FailedDelete', `Deleted job: ${messageOf(error)}`);
        throw error;
      }
    }
    this.#removeFromActive(uid);
  }

  /**
   * Reads the CronJob from the server. If it differs from the given one, the sync continues with it.
   *
   * @returns whether it differs
   * @throws StatusError NotFound; an Error when another CronJob has its name
   */
  async #refresh(): Promise<boolean> {
    const fresh = await this.#context.client.get(cronJobs, keyOf(this.#cronJob));
    const { uid, resourceVersion } = this.#cronJob.metadata;
    if (fresh.metadata.uid !== uid) throw new Error('the cache shows a CronJob that was deleted');
    if (fresh.metadata.resourceVersion === resourceVersion) return false;
    this.#cronJob = fresh;
    this.#status = fresh.status;
    return true;
  }

  /** Reads a Job from the server; undefined if it does not exist. */
  async #find(name: string): Promise<Job | undefined> {
    const { namespace = '' } = this.#cronJob.metadata;
    try {
      return await this.#context.client.get(jobs, { namespace, name });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Returns the CronJob with the status so far. */
  #current(): CronJob {
    return { ...this.#cronJob, status: this.#status };
  }

  #nextSyncMs(): number {
    const current = this.#current();
    return nextSyncMs(current, scheduleOf(current), this.#context.clock.now());
  }

  #isActive({ metadata }: Job): boolean {
    return this.#status.active?.some(({ uid }) => uid === metadata.uid) ?? false;
  }

  #removeFromActive(uid: string): void {
    const { active = [], ...rest } = this.#status;
    const others = active.filter((job) => job.uid !== uid);
    this.#status = others.length > 0 ? { ...rest, active: others } : rest;
  }

  #event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#context.recorder.event(this.#cronJob, type, reason, message);
  }
}
