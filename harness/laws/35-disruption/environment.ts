import type { KubeObject, Pod, PodDisruptionBudget } from '../../api/objects.ts';
import { statefulSets } from '../../api/plain-resources.ts';
import { deployments, podDisruptionBudgets, pods, type Resource, replicaSets } from '../../api/resource.ts';
import { StatusError } from '../../api/status.ts';
import { withCondition } from '../../apiserver/kinds/with-condition.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { newControllerRef } from '../../contracts/controller-ref.ts';
import { formatTime } from '../../sim/index.ts';
import { Stage } from '../../testing/rig/stage.ts';
import type { Snapshot } from './oracle.ts';
import type { Limit, Operation, Owner } from './scenario.ts';

const NAMESPACE = 'default';
const WEB = { app: 'web' };
const selector = { matchLabels: WEB };
const template = { metadata: { labels: WEB }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
const key = (name: string) => ({ namespace: NAMESPACE, name });

/** The names of the controllers of pods. `web-old` and `web-new` belong to the Deployment `web`. */
const OWNERS = { deployment: 'web-new', old: 'web-old', set: 'db' } as const;

/** The actor of evictions. */
export const DRAIN = 'drain';

/** The users, the kubelet, and an apiserver that crashes during an eviction. */
export class Environment {
  readonly #stage: Stage;
  readonly #now: () => string;
  /** The pods whose eviction was recorded. */
  readonly #recorded = new Set<number>();

  constructor(cluster: Cluster) {
    this.#stage = new Stage(cluster);
    this.#now = () => formatTime(cluster.clock.now());
  }

  /** Returns the objects that the controller reads and writes. */
  snapshot(): Snapshot {
    return {
      budgets: this.#stage.list(podDisruptionBudgets),
      pods: this.#stage.list(pods),
      deployments: this.#stage.list(deployments),
      replicaSets: this.#stage.list(replicaSets),
      statefulSets: this.#stage.list(statefulSets),
    };
  }

  /** Creates the controllers of pods, and the budget. */
  async begin(limit: Limit): Promise<void> {
    const workload = (name: string, replicas: number, owner?: KubeObject) => ({
      metadata: { ...key(name), ownerReferences: owner ? [newControllerRef(owner, 'Deployment')] : [] },
      spec: { replicas, selector, template },
    });
    await this.#create(deployments, workload('web', 5));
    const [deployment] = this.#stage.list(deployments);
    await this.#create(replicaSets, workload(OWNERS.deployment, 4, deployment));
    await this.#create(replicaSets, workload(OWNERS.old, 1, deployment));
    await this.#create(statefulSets, workload(OWNERS.set, 2));
    const budget = { metadata: key('web'), spec: { selector, ...limit } };
    await this.#create(podDisruptionBudgets, budget);
  }

  async act(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'add':
        return this.add(operation.pod, operation.owner, operation.ready);
      case 'evict':
        return this.#to(DRAIN, operation, (client, { metadata: { name } }) =>
          client.evict(key(name)).catch((error: unknown) => {
            // The budget does not allow it, or the controller wrote at the same time.
            if (!(error instanceof StatusError)) throw error;
          }),
        );
      case 'delete':
        return this.#to('user', operation, (client, { metadata: { name } }) =>
          client.delete(pods, key(name)),
        );
      case 'finish':
        return this.#to('kubelet', operation, async (client, { metadata: { name, deletionTimestamp } }) => {
          if (deletionTimestamp) await client.delete(pods, key(name), { gracePeriodSeconds: 0 });
        });
      case 'ready':
      case 'unready': {
        const condition = { type: 'Ready', status: operation.do === 'ready' ? 'True' : 'False' };
        return this.#setStatus(operation, (pod) => ({
          conditions: withCondition(pod.status.conditions, condition, this.#now()),
        }));
      }
      case 'fail':
        return this.#setStatus(operation, (pod) => ({
          phase: 'Failed',
          conditions: withCondition(pod.status.conditions, { type: 'Ready', status: 'False' }, this.#now()),
        }));
      case 'mark': {
        const reason = operation.by === 'kubelet' ? 'TerminationByKubelet' : 'EvictionByEvictionAPI';
        const condition = { type: 'DisruptionTarget', status: 'True', reason };
        return this.#setStatus(operation, (pod) => ({
          conditions: withCondition(pod.status.conditions, condition, this.#now()),
        }));
      }
      case 'record':
        return this.#record(operation.pod);
      case 'complete':
        if (!this.#recorded.delete(operation.pod)) return;
        return this.#to(DRAIN, operation, (client, { metadata: { name } }) => client.delete(pods, key(name)));
      case 'relabel':
        return this.#to('user', operation, (client, { metadata: { name } }) => {
          const body = { metadata: { labels: { app: operation.isCovered ? 'web' : 'other' } } };
          return client.patch(pods, key(name), { type: 'merge', body });
        });
      default:
        return this.#change(operation);
    }
  }

  async #change(operation: Extract<Operation, { do: 'scale' | 'orphan' | 'limit' }>): Promise<void> {
    if (operation.do === 'orphan') {
      return this.#stage.act('user', 'delete', 'deployments/web', (user) =>
        user.delete(deployments, key('web'), { propagationPolicy: 'Background' }),
      );
    }
    if (operation.do === 'limit') {
      const body = { spec: { minAvailable: null, maxUnavailable: null, ...operation.limit } };
      return this.#stage.act('user', 'limit', 'poddisruptionbudgets/web', (user) =>
        user.patch(podDisruptionBudgets, key('web'), { type: 'merge', body }),
      );
    }
    const isSet = operation.owner === 'set';
    const resource: Resource = isSet ? statefulSets : deployments;
    const name = isSet ? OWNERS.set : 'web';
    const body = { spec: { replicas: operation.replicas } };
    return this.#stage.act('user', `scale to ${operation.replicas}`, `${resource.plural}/${name}`, (user) =>
      user.patch(resource, key(name), { type: 'merge', body }),
    );
  }

  async add(number: number, owner: Owner, isReady: boolean): Promise<void> {
    if (this.#pod(number)) return;
    const metadata = { ...key(`pod-${number}`), labels: WEB, ownerReferences: this.#refsOf(owner) };
    const spec = { nodeName: 'node-1', containers: [{ name: 'web', image: 'web:1' }] };
    await this.#create(pods, { metadata, spec });
    const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }];
    await this.#setStatus({ do: 'add', pod: number }, () => ({ phase: 'Running', conditions }));
  }

  #refsOf(owner: Owner): readonly object[] {
    if (owner === 'none') return [];
    if (owner === 'missing') {
      return [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'gone', uid: 'gone', controller: true }];
    }
    const all: readonly KubeObject[] = this.#stage.list<KubeObject>(
      owner === 'set' ? (statefulSets as Resource) : (replicaSets as Resource),
    );
    const found = all.find(({ metadata }) => metadata.name === OWNERS[owner]);
    return found ? [newControllerRef(found, owner === 'set' ? 'StatefulSet' : 'ReplicaSet')] : [];
  }

  /** Counts an eviction in the budget, as the eviction API does, but does not delete the pod. */
  async #record(number: number): Promise<void> {
    const [budget] = this.#stage.list(podDisruptionBudgets);
    const pod = this.#pod(number);
    if (!budget || !pod || pod.metadata.deletionTimestamp || budget.status.disruptionsAllowed < 1) return;
    const { status, metadata } = budget;
    if (status.observedGeneration !== metadata.generation) return;
    const next: PodDisruptionBudget['status'] = {
      ...status,
      disruptionsAllowed: status.disruptionsAllowed - 1,
      disruptedPods: { ...status.disruptedPods, [pod.metadata.name]: this.#now() },
    };
    this.#recorded.add(number);
    await this.#stage.act(DRAIN, 'record', `pods/${pod.metadata.name}`, (client) =>
      client.updateStatus(podDisruptionBudgets, { ...budget, status: next }),
    );
  }

  #pod(number: number): Pod | undefined {
    return this.#stage.list(pods).find(({ metadata }) => metadata.name === `pod-${number}`);
  }

  async #to(
    actor: string,
    operation: { readonly do: string; readonly pod: number },
    act: (client: Parameters<Parameters<Stage['act']>[3]>[0], pod: Pod) => Promise<unknown>,
  ): Promise<void> {
    const pod = this.#pod(operation.pod);
    if (!pod) return;
    await this.#stage.act(actor, operation.do, `pods/${pod.metadata.name}`, (client) => act(client, pod));
  }

  async #setStatus(
    operation: { readonly do: string; readonly pod: number },
    next: (pod: Pod) => Partial<Pod['status']>,
  ): Promise<void> {
    await this.#to('kubelet', operation, (client, pod) =>
      client.updateStatus(pods, { ...pod, status: { ...pod.status, ...next(pod) } }),
    );
  }

  async #create<T extends KubeObject>(resource: Resource<T>, object: object): Promise<void> {
    const { name } = (object as KubeObject).metadata;
    await this.#stage.act('user', 'create', `${resource.plural}/${name}`, (user) =>
      user.create(resource, object as never),
    );
  }
}
