import type { Deployment, ObjectKey, ReplicaSet } from '../../../api/objects.ts';
import { deployments, events, pods, replicaSets } from '../../../api/resource.ts';
import { type Cluster, type ClusterOptions, createCluster } from '../../../cluster/cluster.ts';
import type { Process } from '../../../cluster/process.ts';
import type { Client } from '../../../contracts/client.ts';
import type { Components } from '../../../contracts/component.ts';
import type { Fault } from '../../../faults/index.ts';
import { noteCluster } from '../../../testing/rig/play.ts';
import { NAMESPACE, PROCESS } from '../operations.ts';
import { isOf } from '../oracle/truth.ts';
import { aDeployment, aReplicaSet, type DeploymentParts, type ReplicaSetParts } from './objects.ts';

const KEY = { namespace: NAMESPACE, name: 'web' };

/** `Omit` of each of several. */
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** The parts of a ReplicaSet on a stage. */
export interface StagedReplicaSet
  extends Omit<ReplicaSetParts, 'reported' | 'available' | 'ready' | 'created'> {
  /** The Deployment that controls it. @defaultValue none */
  readonly ownerUid?: string;
  /** @defaultValue those that the Deployment `web` selects */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A cluster with one Deployment, `web`, in which a test decides the reports of ReplicaSets. */
export class Stage implements AsyncDisposable {
  readonly cluster: Cluster;

  private constructor(cluster: Cluster) {
    this.cluster = cluster;
    noteCluster(cluster);
  }

  /** Creates a stage without a running controller. */
  static async empty(options: ClusterOptions = {}): Promise<Stage> {
    return new Stage(await createCluster(options));
  }

  /** Creates a stage in which only the Deployment controller runs. */
  static async with(components: Components, options: ClusterOptions = {}): Promise<Stage> {
    const stage = await Stage.empty({ ...options, components });
    stage.start();
    await stage.pass();
    return stage;
  }

  get client(): Client {
    return this.cluster.admin;
  }

  start(): Process {
    return this.cluster.runComponents('deploymentController')[0] as Process;
  }

  /** Also runs the ReplicaSet controller: from now on tests need not report. */
  startReplicaSets(): void {
    this.cluster.runComponents('replicaSetController');
  }

  /** Lets the controllers do all immediate work; no timer is that short. */
  async pass(ms = 900): Promise<void> {
    await this.cluster.runFor(ms);
  }

  /** Creates it, and lets the controllers see to it. @param parts `maxSurge` is 1 unless they say otherwise */
  async create(parts: DeploymentParts = {}): Promise<Deployment> {
    const { metadata, spec } = aDeployment({ maxSurge: 1, ...parts });
    const { namespace, name, annotations } = metadata;
    const created = await this.client.create(deployments, {
      metadata: { namespace: namespace as string, name, ...(annotations ? { annotations } : {}) },
      spec,
    });
    await this.pass();
    return created;
  }

  deployment(): Deployment {
    return this.cluster.storage.get(deployments, KEY) as Deployment;
  }

  /** Changes the spec of the Deployment, as `kubectl edit` does, and lets the controllers sync. */
  async edit(
    change: Partial<Deployment['spec']> | ((spec: Deployment['spec']) => Deployment['spec']),
  ): Promise<void> {
    const current = this.deployment();
    const spec = typeof change === 'function' ? change(current.spec) : { ...current.spec, ...change };
    await this.client.update(deployments, { ...current, spec });
    await this.pass();
  }

  /** Runs `kubectl set image`, and lets the controllers sync. */
  setImage(image: string): Promise<void> {
    return this.edit((spec) => ({
      ...spec,
      template: { ...spec.template, spec: { containers: [{ name: 'web', image }] } },
    }));
  }

  /** Creates a ReplicaSet, and lets the controllers sync. */
  async addReplicaSet(name: string, parts: StagedReplicaSet = {}): Promise<ReplicaSet> {
    const { metadata, spec } = aReplicaSet(name, parts);
    const { ownerUid, labels = metadata.labels } = parts;
    const [owner] = metadata.ownerReferences ?? [];
    const created = await this.client.create(replicaSets, {
      metadata: {
        namespace: NAMESPACE,
        name,
        labels: { ...labels },
        ...(metadata.annotations ? { annotations: metadata.annotations } : {}),
        ...(ownerUid === undefined || !owner ? {} : { ownerReferences: [{ ...owner, uid: ownerUid }] }),
      },
      spec,
    });
    await this.pass();
    return created;
  }

  /** Creates a pod that a ReplicaSet controls, running by default. */
  async addPod(name: string, { metadata, spec }: ReplicaSet, phase = 'Running'): Promise<ObjectKey> {
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: metadata.name, uid: metadata.uid };
    const created = await this.client.create(pods, {
      metadata: {
        namespace: NAMESPACE,
        name,
        labels: { ...spec.template.metadata?.labels },
        ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
      },
      spec: { containers: [{ name: 'web', image: 'nginx:1' }], nodeName: 'node-1' },
    });
    await this.client.updateStatus(pods, { ...created, status: { phase } });
    await this.pass();
    return { namespace: NAMESPACE, name };
  }

  /** Injects a fault into the controller. */
  strike(fault: DistributiveOmit<Extract<Fault, { readonly process: string }>, 'process'>): void {
    this.cluster.nemesis.strike({ ...fault, process: PROCESS } as Fault);
  }

  /** All ReplicaSets that the Deployment controls, in order of creation. */
  owned(): ReplicaSet[] {
    const { metadata } = this.deployment();
    const known = [...this.cluster.journal.of(replicaSets)].filter(({ type }) => type === 'ADDED');
    return known
      .map(({ key }) => this.replicaSet(key.split('/')[1] ?? ''))
      .filter((each): each is ReplicaSet => isOf(each, { metadata } as Deployment));
  }

  replicaSet(name: string): ReplicaSet | undefined {
    return this.cluster.storage.get(replicaSets, { namespace: NAMESPACE, name }) as ReplicaSet | undefined;
  }

  /** The sizes of the Deployment's ReplicaSets, in order of creation. */
  sizes(): number[] {
    return this.owned().map(({ spec }) => spec.replicas);
  }

  /**
   * Reports for the Deployment's ReplicaSets, in order of creation, that all pods exist, and the number of available pods; then lets the
   * controllers sync.
   *
   * @param available - undefined: all pods
   */
  async report(...available: readonly (number | undefined)[]): Promise<void> {
    for (const [i, replicaSet] of this.owned().entries()) {
      const { replicas } = replicaSet.spec;
      const count = Math.min(replicas, available[i] ?? replicas);
      const status = { replicas, readyReplicas: count, availableReplicas: count };
      const { generation = 0 } = replicaSet.metadata;
      await this.client.updateStatus(replicaSets, {
        ...replicaSet,
        status: { ...status, observedGeneration: generation },
      });
    }
    await this.pass();
  }

  /** Reports all pods as available, until nothing changes any more. */
  async reportUntilDone(rounds = 30): Promise<void> {
    for (let i = 0; i < rounds; i++) {
      const before = this.cluster.storage.revision;
      await this.report();
      if (this.cluster.storage.revision === before) return;
    }
  }

  /** `Progressing False ProgressDeadlineExceeded`, or nothing. */
  condition(type: string): string | undefined {
    const found = this.deployment().status.conditions?.find((each) => each.type === type);
    return found && `${found.type} ${found.status} ${found.reason}`;
  }

  /** The Events that the controller emitted, in order. */
  emitted(): string[] {
    return this.cluster.journal
      .of(events)
      .filter(({ actor, type }) => actor === PROCESS && type === 'ADDED')
      .map(({ object }) => `${object.type} ${object.reason}: ${object.message}`);
  }

  /** The number of the controller's writes, except Events. */
  writes(): number {
    return this.cluster.journal.entries.filter(
      ({ actor, resource }) => actor === PROCESS && resource !== (events as typeof resource),
    ).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
  }
}
