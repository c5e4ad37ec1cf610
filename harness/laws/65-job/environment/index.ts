import { type Job, keyOf, type New, type OwnerReference, type Pod } from '../../../api/objects.ts';
import { jobs } from '../../../api/plain-resources.ts';
import { controllerOf, hasEnded, isReady } from '../../../api/predicates.ts';
import { pods } from '../../../api/resource.ts';
import { hasReason } from '../../../api/status.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import type { Client } from '../../../contracts/client.ts';
import { Stage } from '../../../testing/rig/stage.ts';
import { type JobName, type JobShape, NAMESPACE, type NodeBehaviour, type Operation } from '../operations.ts';
import { isActive } from '../oracle/pods.ts';
import { Nodes } from './nodes.ts';

/** An owner of another kind. */
const STRANGER: OwnerReference = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'web',
  uid: 'a0000000-0000-4000-8000-000000000000',
  controller: true,
  blockOwnerDeletion: true,
};

/** Users, scheduler, kubelets and garbage collector. They have no latency and no faults. */
export class Environment {
  readonly #stage: Stage;
  readonly #nodes: Nodes;
  #made = 0;

  /** @param nodes how the nodes run pods. @defaultValue they wait for operations */
  constructor(cluster: Cluster, nodes?: NodeBehaviour) {
    this.#stage = new Stage(cluster);
    this.#nodes = new Nodes(cluster, this.#stage);
    if (nodes) this.#nodes.runPods(nodes);
  }

  async do(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'create':
      case 'edit':
      case 'touch':
      case 'delete':
        return this.#changeJob(operation);
      case 'collect':
        await this.#collect(operation.pods);
        return;
      case 'kill':
      case 'clean-up':
      case 'free':
      case 'hand-made':
        return this.#changePod(operation);
      case 'run':
        for (const pod of this.#pods()) await this.#nodes.start(pod);
        return;
      case 'end':
        return this.#toRunning(operation.pod, (pod) =>
          this.#nodes.end(pod, operation.code, operation.isDisrupted),
        );
      case 'end-all':
        for (const pod of this.#pods().filter(isRunning)) await this.#nodes.end(pod, operation.code);
        return;
      case 'restart':
        return this.#toRunning(operation.pod, (pod) =>
          this.#nodes.change(pod, `restarts ${operation.times} times`, isReady(pod), operation.times),
        );
      case 'flip':
        return this.#toRunning(operation.pod, (pod) =>
          this.#nodes.change(pod, 'readiness', !isReady(pod), 0),
        );
      case 'reap':
        for (const pod of this.#pods()) await this.#nodes.stop(pod, operation.code);
        return;
      case 'nothing':
    }
  }

  /** Lets the garbage collector finish. */
  async collectAll(): Promise<void> {
    while (await this.#collect(1));
  }

  async #changeJob(
    operation: Extract<Operation, { do: 'create' | 'edit' | 'touch' | 'delete' }>,
  ): Promise<void> {
    const name = operation.job;
    const job = this.#jobs().find(({ metadata }) => metadata.name === name);
    const act = (verb: string, change: (user: Client) => Promise<unknown>): Promise<void> =>
      this.#stage.act('user', verb, `jobs/${name}`, change);
    if (operation.do === 'create') {
      if (!job) await act('create', (user) => user.create(jobs, newJob(name, operation.shape)));
      return;
    }
    if (!job) return;
    switch (operation.do) {
      case 'edit':
        return act(`set ${JSON.stringify(operation.shape)}`, (user) =>
          user.update(jobs, { ...job, spec: { ...job.spec, ...operation.shape } }).catch(unlessInvalid),
        );
      case 'touch': {
        const annotations = { note: String(++this.#made) };
        return act('note', (user) =>
          user.update(jobs, { ...job, metadata: { ...job.metadata, annotations } }),
        );
      }
      case 'delete':
        return act(`delete --cascade=${operation.how.toLowerCase()}`, (user) =>
          user.delete(jobs, keyOf(job), { propagationPolicy: operation.how }),
        );
    }
  }

  async #changePod(
    operation: Extract<Operation, { do: 'kill' | 'clean-up' | 'free' | 'hand-made' }>,
  ): Promise<void> {
    switch (operation.do) {
      case 'kill':
        return this.#toPod(operation.pod, isActive, 'delete', (user, pod) => user.delete(pods, keyOf(pod)));
      case 'clean-up':
        return this.#toPod(operation.pod, hasEnded, 'delete', (user, pod) =>
          user.delete(pods, keyOf(pod), { gracePeriodSeconds: 0 }),
        );
      case 'free':
        return this.#toPod(
          operation.pod,
          (pod) => isActive(pod) && controllerOf(pod)?.kind === 'Job',
          'take the owners away',
          (user, pod) => user.update(pods, { ...pod, metadata: { ...pod.metadata, ownerReferences: [] } }),
        );
      case 'hand-made': {
        const job = this.#jobs().find(({ metadata }) => metadata.name === operation.job);
        if (!job) return;
        const { metadata = {}, spec } = job.spec.template;
        const name = `hand-made-${++this.#made}`;
        const ownerReferences = operation.isStrangers ? [STRANGER] : [];
        const pod = { metadata: { ...metadata, namespace: NAMESPACE, name, ownerReferences }, spec };
        return this.#stage.act('user', 'create', `pods/${name}`, (user) =>
          user.create(pods, pod as New<Pod>),
        );
      }
    }
  }

  /** Acts as garbage collector on up to `count` pods. Returns whether it changed anything. */
  async #collect(count: number): Promise<boolean> {
    const owners = new Map(this.#jobs().map((job) => [job.metadata.uid, job]));
    let left = count;
    for (const pod of this.#pods()) {
      const owner = controllerOf(pod);
      if (owner?.kind !== 'Job' || left === 0) continue;
      const job = owners.get(owner.uid);
      const orphans = job?.metadata.finalizers?.includes('orphan');
      const deletes = !job || job.metadata.finalizers?.includes('foregroundDeletion');
      if ((!orphans && !deletes) || (deletes && pod.metadata.deletionTimestamp)) continue;
      left--;
      await this.#stage.act('garbage-collector', orphans ? 'orphan' : 'delete', nameOf(pod), (collector) =>
        orphans
          ? collector.update(pods, { ...pod, metadata: { ...pod.metadata, ownerReferences: [] } })
          : collector.delete(pods, keyOf(pod), { gracePeriodSeconds: pod.spec.nodeName ? 30 : 0 }),
      );
    }
    let freed = 0;
    for (const job of owners.values()) {
      const { finalizers = [], deletionTimestamp, uid } = job.metadata;
      if (!deletionTimestamp || finalizers.length === 0) continue;
      if (this.#pods().some((pod) => controllerOf(pod)?.uid === uid)) continue;
      freed++;
      await this.#stage.act(
        'garbage-collector',
        'take the finalizer away',
        `jobs/${job.metadata.name}`,
        (collector) => collector.update(jobs, { ...job, metadata: { ...job.metadata, finalizers: [] } }),
      );
    }
    return left < count || freed > 0;
  }

  async #toPod(
    index: number,
    can: (pod: Pod) => boolean,
    verb: string,
    act: (user: Client, pod: Pod) => Promise<unknown>,
  ): Promise<void> {
    await this.#stage.toOne(
      'user',
      { resource: pods, candidates: this.#pods().filter(can), index },
      verb,
      act,
    );
  }

  async #toRunning(index: number, act: (pod: Pod) => Promise<void>): Promise<void> {
    const candidates = this.#pods().filter(isRunning);
    const pod = candidates[index % candidates.length];
    if (pod) await act(pod);
  }

  #pods(): Pod[] {
    return this.#stage.list(pods);
  }

  #jobs(): Job[] {
    return this.#stage.list(jobs);
  }
}

function unlessInvalid(error: unknown): void {
  if (!hasReason(error, 'Invalid')) throw error;
}

const isRunning = ({ status }: Pod): boolean => status.phase === 'Running';

const nameOf = ({ metadata }: Pod): string => `pods/${metadata.name}`;

function newJob(name: JobName, { restartPolicy = 'Never', ...spec }: JobShape): New<Job> {
  return {
    metadata: { namespace: NAMESPACE, name, labels: { team: 'maths' } },
    spec: {
      ...spec,
      ...(spec.manualSelector ? { selector: { matchLabels: { app: name } } } : {}),
      template: {
        metadata: { labels: { app: name }, annotations: { note: name } },
        spec: {
          restartPolicy,
          nodeSelector: { disk: 'ssd' },
          initContainers: [{ name: 'setup', image: 'busybox' }],
          containers: [{ name: 'main', image: 'busybox' }],
        },
      },
    },
  };
}
