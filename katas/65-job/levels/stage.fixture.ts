import { components } from '#components';
import {
  type Client,
  events,
  formatTime,
  type Job,
  jobs,
  type KubeObject,
  keyOf,
  type Pod,
  pods,
} from '#harness';
import { type ClusterOptions, createCluster, noteCluster, type Process } from '#harness/testing';
import { jobController } from '#kata/65-job/job';

/** The process that the controller runs in. */
export const PROCESS = 'job-controller';
/** The namespace, if the test names no other. */
export const NAMESPACE = 'default';

/** A cluster with a Job controller. The test acts as the environment. */
export class Stage implements AsyncDisposable {
  readonly cluster;
  #process: Process | undefined;

  protected constructor(cluster: Awaited<ReturnType<typeof createCluster>>) {
    this.cluster = cluster;
    noteCluster(cluster);
  }

  /** Creates a cluster with the learner's controller and the reference's informers and queues. */
  static async cluster(options: ClusterOptions = {}) {
    return createCluster({ components: { ...components, jobController }, ...options });
  }

  /** Creates a stage without a running controller. */
  static async empty(options: ClusterOptions = {}): Promise<Stage> {
    return new Stage(await Stage.cluster(options));
  }

  /** Creates a stage with a running controller. */
  static async begin(options: ClusterOptions = {}): Promise<Stage> {
    const stage = await Stage.empty(options);
    await stage.start();
    return stage;
  }

  async start(): Promise<void> {
    this.#process = this.cluster.run(PROCESS, jobController);
    await this.pass(100);
  }

  get admin(): Client {
    return this.cluster.admin;
  }

  get process(): Process {
    return this.#process as Process;
  }

  /** Lets the cluster run for this long. */
  async pass(ms = 1_500): Promise<void> {
    await this.cluster.runFor(ms);
    if (this.#process?.failure !== undefined) throw this.#process.failure;
  }

  async addJob(spec: Partial<Job['spec']> = {}, name = 'pi'): Promise<Job> {
    const metadata = { name, namespace: NAMESPACE };
    const created = await this.admin.create(jobs, { metadata, spec: this.specOf(spec, name) });
    await this.pass(100);
    return created;
  }

  specOf(spec: Partial<Job['spec']> = {}, name = 'pi'): Job['spec'] {
    const template = {
      metadata: { labels: { app: name } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] },
    };
    return { template, ...spec };
  }

  /** Returns the stored Job. */
  job(name = 'pi'): Job {
    return this.cluster.storage.get(jobs, { namespace: NAMESPACE, name }) as Job;
  }

  async patchJob(body: object, name = 'pi'): Promise<void> {
    await this.admin.patch(jobs, { namespace: NAMESPACE, name }, { type: 'merge', body });
    await this.pass(100);
  }

  pods(): Pod[] {
    return this.cluster.storage.list(pods) as KubeObject[] as Pod[];
  }

  /** Acts as the kubelet: the pod reaches this phase. */
  async setPhase(
    pod: Pod,
    phase: 'Running' | 'Succeeded' | 'Failed',
    ready = phase === 'Running',
  ): Promise<void> {
    const current = this.pods().find(({ metadata }) => metadata.uid === pod.metadata.uid) as Pod;
    const now = formatTime(this.cluster.clock.now());
    const terminated = { exitCode: phase === 'Failed' ? 1 : 0, finishedAt: now };
    const state = phase === 'Running' ? { running: { startedAt: now } } : { terminated };
    const status = { name: 'main', image: 'busybox', imageID: '', restartCount: 0, ready, state };
    await this.admin.updateStatus(pods, {
      ...current,
      status: {
        phase,
        conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: now }],
        containerStatuses: [status],
      },
    });
  }

  /** Delays all watch events of this resource for the controller. */
  blind(resource: 'pods' | 'jobs', forMs: number): void {
    this.cluster.nemesis.strike({ fault: 'delay-watches', process: PROCESS, forMs, resource });
  }

  /** The versions of the Job whose status the controller wrote. */
  statuses(): Job[] {
    return this.cluster.journal
      .of(jobs)
      .filter(({ actor }) => actor === PROCESS)
      .map(({ object }) => object);
  }

  /** The names of the pods that still have the tracking finalizer. */
  held(): string[] {
    return this.pods()
      .filter(({ metadata }) => metadata.finalizers?.includes('batch.kubernetes.io/job-tracking'))
      .map(({ metadata }) => metadata.name)
      .sort();
  }

  /** The names of the pods that do their work, or will. */
  active(): string[] {
    return this.pods()
      .filter(
        ({ metadata, status }) =>
          !metadata.deletionTimestamp && !['Succeeded', 'Failed'].includes(status.phase ?? ''),
      )
      .map(({ metadata }) => metadata.name);
  }

  /** Lets every active pod succeed, and the controller count it. */
  async succeedAll(): Promise<void> {
    const names = this.active();
    for (const pod of this.pods())
      if (names.includes(pod.metadata.name)) await this.setPhase(pod, 'Succeeded');
    await this.pass(4_000);
  }

  /** The types of the true conditions of a Job, in their order. */
  conditions(name = 'pi'): string[] {
    return (this.job(name).status.conditions ?? [])
      .filter(({ status }) => status === 'True')
      .map(({ type, reason }) => `${type} ${reason}`);
  }

  /** The Events that the controller emitted. */
  emitted(): string[] {
    return this.cluster.journal
      .of(events)
      .filter(({ actor, type }) => actor === PROCESS && type === 'ADDED')
      .map(({ object }) => `${object.type} ${object.reason}: ${object.message}`);
  }

  /** The controller's writes, except Events: `update jobs/status`. */
  writes(): string[] {
    return this.cluster.journal.entries
      .filter(({ actor, resource }) => actor === PROCESS && resource.plural !== 'events')
      .map(({ verb, resource }) => `${verb} ${resource.plural}`);
  }

  async delete(pod: Pod): Promise<void> {
    await this.admin.delete(pods, keyOf(pod));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
  }
}
