import { components } from '#components';
import {
  type Client,
  events,
  formatTime,
  type KubeObject,
  keyOf,
  type OwnerReference,
  type Pod,
  pods,
  type ReplicaSet,
  replicaSets,
} from '#harness';
import { type ClusterOptions, createCluster, intercept, noteCluster, type Process } from '#harness/testing';
import { replicaSetController } from '#kata/23-replicaset/replicaset';
import { versionless } from '#laws/23-replicaset';
import { container, LABELS, type Labels } from './objects.fixture.ts';

/** The process that the controller runs in. */
export const PROCESS = 'replicaset-controller';
/** The namespace, if the test names no other. */
export const NAMESPACE = 'default';

/** Options of a cluster whose caches do not report which version they have reached. */
export const VERSIONLESS: ClusterOptions = {
  components: versionless({ ...components, replicaSetController }),
};

interface SetParts {
  readonly name?: string;
  readonly namespace?: string;
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly selector?: Labels;
  readonly ownerReferences?: OwnerReference[];
}

/** A cluster with a ReplicaSet controller, in which the test acts as the environment. */
export class Stage implements AsyncDisposable {
  readonly cluster;
  #process: Process | undefined;

  protected constructor(cluster: Awaited<ReturnType<typeof createCluster>>) {
    this.cluster = cluster;
    noteCluster(cluster);
  }

  /** Creates a cluster with the learner's controller and the reference's informers and queues. */
  static async cluster(options: ClusterOptions = {}) {
    return createCluster({ components: { ...components, replicaSetController }, ...options });
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

  /** @param beforeCreate - called before each create of a pod */
  async start(beforeCreate?: () => void, replica = 0): Promise<void> {
    this.#process = this.cluster.run(
      PROCESS,
      (context) => {
        if (!beforeCreate) return replicaSetController(context);
        const client = intercept(context.client, (request, send) => {
          if (request.verb === 'create' && request.resource === pods) beforeCreate();
          return send(request);
        });
        return replicaSetController({ ...context, client });
      },
      { replica },
    );
    await this.pass();
  }

  get admin(): Client {
    return this.cluster.admin;
  }

  get process(): Process {
    return this.#process as Process;
  }

  /** Lets the cluster run for this long. */
  async pass(ms = 500): Promise<void> {
    await this.cluster.runFor(ms);
    this.mustRun();
  }

  mustRun(): void {
    if (this.#process?.failure !== undefined) throw this.#process.failure;
  }

  async addSet(parts: SetParts = {}): Promise<ReplicaSet> {
    const { name = 'web', namespace = NAMESPACE, replicas = 1, minReadySeconds, selector = LABELS } = parts;
    const created = await this.admin.create(replicaSets, {
      metadata: {
        name,
        namespace,
        ...(parts.ownerReferences ? { ownerReferences: parts.ownerReferences } : {}),
      },
      spec: {
        replicas,
        ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
        selector: { matchLabels: { ...selector } },
        template: {
          metadata: { labels: { ...selector, version: '1' }, annotations: { note: 'hello' } },
          spec: { containers: [container] },
        },
      },
    });
    await this.pass();
    return created;
  }

  set(name = 'web', namespace = NAMESPACE): ReplicaSet {
    return this.cluster.storage.get(replicaSets, { namespace, name }) as ReplicaSet;
  }

  async scale(replicas: number): Promise<void> {
    await this.admin.updateScale(replicaSets, { namespace: NAMESPACE, name: 'web' }, { replicas });
    await this.pass();
  }

  /** Annotates the ReplicaSet, so that the controller syncs it. */
  async poke(note: string): Promise<void> {
    const body = { metadata: { annotations: { note } } };
    await this.admin.patch(replicaSets, { namespace: NAMESPACE, name: 'web' }, { type: 'merge', body });
    await this.pass();
  }

  async addPod(
    name: string,
    parts: { labels?: Labels; ownerReferences?: OwnerReference[] } = {},
  ): Promise<Pod> {
    const { labels = LABELS, ownerReferences = [] } = parts;
    return this.admin.create(pods, {
      metadata: { namespace: NAMESPACE, name, labels: { ...labels }, ownerReferences },
      spec: { containers: [container] },
    });
  }

  /** Acts as scheduler and kubelet: the pod gets a node, runs and becomes ready. */
  async startPod(pod: KubeObject, node = 'node-1', ready = true): Promise<void> {
    await this.admin.bind(keyOf(pod), node);
    await this.setReady(pod, ready);
  }

  async setReady(pod: KubeObject, ready: boolean): Promise<void> {
    const current = this.pod(pod.metadata.name) as Pod;
    const lastTransitionTime = formatTime(this.cluster.clock.now());
    const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime }];
    await this.admin.updateStatus(pods, {
      ...current,
      status: { ...current.status, phase: 'Running', conditions },
    });
  }

  pod(name: string): Pod | undefined {
    return this.cluster.storage.get(pods, { namespace: NAMESPACE, name }) as Pod | undefined;
  }

  pods(): Pod[] {
    return this.cluster.storage.list(pods) as KubeObject[] as Pod[];
  }

  /** The active pods that this ReplicaSet controls. */
  active(name = 'web'): Pod[] {
    const uid = this.set(name)?.metadata.uid;
    return this.pods().filter(
      ({ metadata, status }) =>
        !metadata.deletionTimestamp &&
        status.phase !== 'Failed' &&
        metadata.ownerReferences?.some((each) => each.controller && each.uid === uid),
    );
  }

  /** The controller's writes, except Events. */
  writes() {
    return this.cluster.journal.entries.filter(
      ({ actor, resource }) =>
        actor === PROCESS && (resource.plural === 'pods' || resource.plural === 'replicasets'),
    );
  }

  /** The number of the controller's writes to pods with this verb. */
  count(verb: 'create' | 'delete' | 'patch'): number {
    return this.writes().filter((entry) => entry.verb === verb && entry.resource.plural === 'pods').length;
  }

  /** The outcomes of all creations, or of all deletions, of pods. */
  asked(what: 'create' | 'delete' = 'create'): string[] {
    return this.cluster.trace.entries
      .filter(({ actor, verb, object }) => actor === PROCESS && verb === what && object?.startsWith('pods'))
      .map(({ outcome = '' }) => outcome);
  }

  /** Every condition that a ReplicaSet ever had. */
  reportedFailures(): string[] {
    return this.cluster.journal
      .of(replicaSets)
      .flatMap(({ object }) => object.status?.conditions ?? [])
      .map(({ type, status, reason }) => `${type} ${status} ${reason}`);
  }

  /** The Events that the controller emitted. */
  emitted(): string[] {
    return this.cluster.journal
      .of(events)
      .filter(({ actor, type }) => actor === PROCESS && type === 'ADDED')
      .map(({ object }) => `${object.type} ${object.reason}: ${object.message}`);
  }

  /** Delays all watch events of this resource for the controller. */
  blind(resource: 'pods' | 'replicasets', forMs: number): void {
    this.cluster.nemesis.strike({ fault: 'delay-watches', process: PROCESS, forMs, resource });
  }

  refuse(reason: 'Forbidden' | 'InternalError' | 'Conflict' | 'TooManyRequests', requests: number): void {
    this.cluster.nemesis.strike({ fault: 'refuse', process: PROCESS, reason, requests });
  }

  /** The largest number of active pods of this ReplicaSet at any moment. */
  mostActive(uid: string): number {
    let most = 0;
    for (const { objects } of this.cluster.journal.states(pods)) {
      const mine = [...objects.values()].filter(
        ({ metadata }) =>
          !metadata.deletionTimestamp &&
          metadata.ownerReferences?.some((each) => each.controller && each.uid === uid),
      );
      most = Math.max(most, mine.length);
    }
    return most;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
  }
}

/** The key of the ReplicaSet, if the test names no other. */
export const KEY = { namespace: NAMESPACE, name: 'web' };
