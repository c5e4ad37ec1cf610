import { type CronJob, type Job, keyOf, type New } from '../../api/objects.ts';
import { cronJobs, jobs } from '../../api/plain-resources.ts';
import { controllerOf } from '../../api/predicates.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { newControllerRef } from '../../contracts/controller-ref.ts';
import { finishedCondition } from '../../contracts/job/facts.ts';
import { finishedJob } from '../../testing/rig/finished-job.ts';
import { Stage } from '../../testing/rig/stage.ts';
import type { CronJobScenario, Operation } from './scenario.ts';

const REPORT = { namespace: 'default', name: 'report' };
const JOB_SPEC = {
  template: { spec: { restartPolicy: 'Never', containers: [{ name: 'report', image: 'report:1' }] } },
} as const;

/** The users and the Job controller of a run. */
export class Environment {
  readonly stage: Stage;
  readonly #cluster: Cluster;
  readonly #scenario: CronJobScenario;
  #created = 0;

  constructor(cluster: Cluster, scenario: CronJobScenario) {
    this.stage = new Stage(cluster);
    this.#cluster = cluster;
    this.#scenario = scenario;
  }

  /** Returns the stored CronJob. */
  get cronJob(): CronJob | undefined {
    return this.stage.list(cronJobs)[0];
  }

  /** Returns the stored Jobs that the CronJob controls. */
  get children(): readonly Job[] {
    const uid = this.cronJob?.metadata.uid;
    return this.stage.list(jobs).filter((job) => controllerOf(job)?.uid === uid);
  }

  /** Creates the CronJob. */
  async create(): Promise<void> {
    const { cron, policy, deadlineSeconds, keepSucceeded, keepFailed } = this.#scenario;
    const cronJob: New<CronJob> = {
      metadata: { ...REPORT },
      spec: {
        schedule: cron,
        concurrencyPolicy: policy,
        ...(deadlineSeconds === undefined ? {} : { startingDeadlineSeconds: deadlineSeconds }),
        successfulJobsHistoryLimit: keepSucceeded,
        failedJobsHistoryLimit: keepFailed,
        jobTemplate: { spec: JOB_SPEC },
      },
    };
    await this.stage.act('user', 'create', 'cronjobs/report', (user) => user.create(cronJobs, cronJob));
  }

  /** Performs an operation. */
  async act(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'end':
        return this.#end(operation.job, operation.type);
      case 'delete':
        return this.#delete(this.children[operation.job]);
      case 'suspend':
        return this.set({ suspend: operation.suspend });
      case 'reschedule':
        return this.set({ schedule: operation.schedule });
      case 'policy':
        return this.set({ concurrencyPolicy: operation.policy });
      case 'manual':
      case 'other':
        return this.#createJob(operation.do);
      case 'recreate':
        return this.#recreate();
    }
  }

  /** Changes the spec of the CronJob. */
  async set(spec: Partial<CronJob['spec']>): Promise<void> {
    await this.stage.act('user', `set ${JSON.stringify(spec)}`, 'cronjobs/report', (user) =>
      user.patch(cronJobs, REPORT, { type: 'merge', body: { spec } }),
    );
  }

  /** Ends every Job that runs. */
  async endAll(): Promise<void> {
    while (this.#running().length > 0) await this.#end(0, 'Complete');
  }

  #running(): readonly Job[] {
    return this.children.filter((job) => !finishedCondition(job));
  }

  async #end(index: number, type: 'Complete' | 'Failed'): Promise<void> {
    const job = this.#running()[index];
    if (!job) return;
    const ended = finishedJob(job, type, this.#cluster.clock.now());
    await this.stage.act('job-controller', type, `jobs/${job.metadata.name}`, (controller) =>
      controller.updateStatus(jobs, ended),
    );
  }

  async #delete(job: Job | undefined): Promise<void> {
    if (!job) return;
    await this.stage.act('user', 'delete', `jobs/${job.metadata.name}`, (user) =>
      user.delete(jobs, keyOf(job), { propagationPolicy: 'Background' }),
    );
  }

  async #createJob(what: 'manual' | 'other'): Promise<void> {
    const { cronJob } = this;
    if (!cronJob) return;
    const name = `${what}-${this.#created++}`;
    const owner = newControllerRef(cronJob, 'CronJob');
    const ownerReferences = [
      what === 'manual' ? owner : { ...owner, apiVersion: 'example.com/v1', kind: 'Report', uid: 'other' },
    ];
    await this.stage.act('user', 'create', `jobs/${name}`, (user) =>
      user.create(jobs, {
        metadata: { namespace: 'default', name, ownerReferences },
        spec: JOB_SPEC,
      } as New<Job>),
    );
    if (what === 'manual') return;
    const [job] = this.stage.list(jobs).filter(({ metadata }) => metadata.name === name);
    if (!job) return;
    const ended = finishedJob(job, 'Complete', this.#cluster.clock.now());
    await this.stage.act('job-controller', 'Complete', `jobs/${name}`, (user) =>
      user.updateStatus(jobs, ended),
    );
  }

  async #recreate(): Promise<void> {
    const old = this.children;
    await this.stage.act('user', 'delete', 'cronjobs/report', (user) =>
      user.delete(cronJobs, REPORT, { propagationPolicy: 'Background' }),
    );
    for (const job of old) await this.#delete(job);
    await this.create();
  }
}
