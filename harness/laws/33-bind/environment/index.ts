import type * as core from '#api/core/v1';
import type { New, Node, Pod } from '../../../api/objects.ts';
import { keyOf } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import { nodes, pods } from '../../../api/resource.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import type { Client } from '../../../contracts/client.ts';
import { formatTime } from '../../../sim/index.ts';
import { Stage } from '../../../testing/rig/stage.ts';
import { allocatableOf, mostAtOnce } from '../../scheduling/oracle/taking.ts';
import { NAMESPACE, type NodeIndex, type NodePlan, type Operation, PROCESS } from '../operations.ts';
import { isWaiting } from '../oracle/truth.ts';
import { WHIM } from '../simulation/filters.ts';
import { giant, plain } from '../workloads/plans.ts';
import { DEDICATED, nodeNameOf, nodeOf, podFor, podOf } from './objects.ts';

/** The highest number of unfinished pods. */
const PODS_MAX = 10;
/** No limit, for pods that a recipe needs. */
const MANY = Number.POSITIVE_INFINITY;

/** Plays users, kubelets and cloud providers, without latency and without faults. */
export class Environment {
  readonly #cluster: Cluster;
  readonly #stage: Stage;
  #made = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#stage = new Stage(cluster);
  }

  async do(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'create':
        return this.#create(podOf(this.#newName('p'), operation.pod));
      case 'delete':
        return this.#toPod('user', operation.pod, isLeft, 'delete', (user, pod) =>
          user.delete(pods, keyOf(pod)),
        );
      case 'recreate':
        return this.#toPod('user', operation.pod, isFree, 'recreate', async (user, pod) => {
          await user.delete(pods, keyOf(pod));
          await user.create(pods, podOf(pod.metadata.name, operation.as));
        });
      case 'ungate':
        return this.#toPod('user', operation.pod, isGated, 'remove the scheduling gates', (user, pod) =>
          user.update(pods, { ...pod, spec: { ...pod.spec, schedulingGates: [] } }),
        );
      case 'tolerate':
        return this.#toPod('user', operation.pod, isLeft, 'tolerate dedicated nodes', (user, pod) => {
          const toleration: core.Toleration = { ...DEDICATED, operator: 'Equal' };
          const tolerations = [...(pod.spec.tolerations ?? []), toleration];
          return user.update(pods, { ...pod, spec: { ...pod.spec, tolerations } });
        });
      case 'relabel':
        return this.#toPod('user', operation.pod, isLeft, `label app=${operation.app}`, (user, pod) =>
          user.update(pods, { ...pod, metadata: { ...pod.metadata, labels: { app: operation.app } } }),
        );
      case 'bind': {
        const there = this.#nodes();
        const node = there[operation.node % there.length]?.metadata.name;
        if (!node) return;
        return this.#toPod('other', operation.pod, isWaiting, `bind to ${node}`, (other, pod) =>
          other.bind(keyOf(pod), node),
        );
      }
      case 'place':
        if (!this.#node(operation.node)) return;
        return this.#create(podFor(nodeNameOf(operation.node), this.#newName('d'), operation.cpu, 'placed'));
      case 'pass': {
        if (!this.#node(operation.node)) return;
        const pod = podFor(nodeNameOf(operation.node), this.#newName('d'), operation.cpu, 'placed');
        await this.#stage.act('user', 'create and delete', `pods/${pod.metadata.name}`, async (user) => {
          const created = await user.create(pods, pod);
          await user.delete(pods, keyOf(created), { gracePeriodSeconds: 0 });
        });
        return;
      }
      case 'end':
        return this.#toPod('kubelet', operation.pod, runs, operation.phase, (kubelet, pod) =>
          kubelet.updateStatus(pods, { ...pod, status: { ...pod.status, phase: operation.phase } }),
        );
      case 'reap':
        return this.#remove('kubelet', ({ metadata }) => metadata.deletionTimestamp !== undefined);
      case 'collect':
        return this.#remove('pod-garbage-collector', ({ spec }) =>
          Boolean(spec.nodeName && !this.#nodes().some(({ metadata }) => metadata.name === spec.nodeName)),
        );
      case 'begin-anew':
        return this.#beginAnew(operation.as);
      case 'crowd':
        for (let i = 0; i < operation.giants; i++) await this.#create(podOf(this.#newName('g'), giant), MANY);
        return this.#create(podOf(this.#newName('p'), { ...plain(0), wish: 'tolerant' }), MANY);
      case 'whim': {
        const pod = podOf(this.#newName('w'), { ...plain(0), wish: 'tolerant' });
        const labels = { ...pod.metadata.labels, [WHIM]: operation.whim };
        return this.#create({ ...pod, metadata: { ...pod.metadata, labels } }, MANY);
      }
      case 'nothing':
        return;
      default:
        return this.#doToNode(operation);
    }
  }

  async #doToNode(operation: Extract<Operation, { node: NodeIndex }>): Promise<void> {
    const node = this.#node(operation.node);
    const name = nodeNameOf(operation.node);
    const act = (verb: string, how: (admin: Client) => Promise<unknown>): Promise<void> =>
      this.#stage.act('admin', verb, `nodes/${name}`, how);
    if (operation.do === 'add-node') {
      if (!node) await act('create', (admin) => admin.create(nodes, nodeOf(operation.node, operation.as)));
      return;
    }
    if (!node) return;
    switch (operation.do) {
      case 'remove-node':
        return act('delete', (admin) => admin.delete(nodes, { name }));
      case 'rebuild-node':
        return act('recreate', async (admin) => {
          await admin.delete(nodes, { name });
          await admin.create(nodes, nodeOf(operation.node, operation.as));
        });
      case 'cordon':
        return act(operation.on ? 'cordon' : 'uncordon', (admin) =>
          admin.update(nodes, { ...node, spec: { ...node.spec, unschedulable: operation.on } }),
        );
      case 'dedicate':
        return act(operation.on ? 'taint' : 'untaint', (admin) =>
          admin.update(nodes, {
            ...node,
            spec: { ...node.spec, taints: operation.on ? [{ ...DEDICATED }] : [] },
          }),
        );
      case 'redisk':
        return act(`label disk=${operation.disk}`, (admin) =>
          admin.update(nodes, {
            ...node,
            metadata: { ...node.metadata, labels: { ...node.metadata.labels, disk: operation.disk } },
          }),
        );
      case 'resize':
        return act(`resize to ${operation.cpu}m`, (admin) => {
          const allocatable = { ...node.status.allocatable, cpu: `${operation.cpu}m` };
          return admin.updateStatus(nodes, { ...node, status: { ...node.status, allocatable } });
        });
      case 'heartbeat':
        return act('heartbeat', (admin) => {
          const lastHeartbeatTime = formatTime(this.#cluster.clock.now());
          const ready = { type: 'Ready', status: 'True', lastHeartbeatTime };
          return admin.updateStatus(nodes, { ...node, status: { ...node.status, conditions: [ready] } });
        });
      case 'fill':
        return this.#fill(node);
    }
  }

  async #beginAnew(as: NodePlan): Promise<void> {
    await this.#remove('user', () => true);
    await this.#stage.act('admin', 'delete all, then create node-1', 'nodes', async (admin) => {
      for (const { metadata } of this.#nodes()) await admin.delete(nodes, { name: metadata.name });
      await admin.create(nodes, nodeOf(0, as));
    });
  }

  /** Creates a pod that requests all free cpu of a node, and a second pod, for which no room is left. */
  async #fill(node: Node): Promise<void> {
    const { name } = node.metadata;
    const there = this.#pods().filter((pod) => pod.spec.nodeName === name && !hasEnded(pod));
    const taken = there.reduce((sum, pod) => sum + (mostAtOnce(pod).get('cpu') ?? 0), 0);
    const left = (allocatableOf(node).get('cpu') ?? 0) - taken;
    if (left <= 0) return;
    await this.#create(podFor(name, this.#newName('f'), left, 'wishing'), MANY);
    await this.#create(podFor(name, this.#newName('f'), 1, 'wishing'), MANY);
  }

  async #create(pod: New<Pod>, most = PODS_MAX): Promise<void> {
    if (this.#pods().filter((each) => !hasEnded(each)).length >= most) return;
    const { name, labels } = pod.metadata;
    const [container] = pod.spec.containers;
    const asks = container?.resources?.requests?.cpu ?? 'nothing';
    const said = `create (${labels?.app}, requests ${asks}, priority ${pod.spec.priority})`;
    await this.#stage.act('user', said, `pods/${name}`, (user) => user.create(pods, pod));
  }

  async #remove(actor: string, which: (pod: Pod) => boolean): Promise<void> {
    for (const pod of this.#pods().filter(which)) {
      await this.#stage.act(actor, 'remove', `pods/${pod.metadata.name}`, async (client) => {
        if (pod.metadata.finalizers?.length) {
          await client.update(pods, { ...pod, metadata: { ...pod.metadata, finalizers: [] } });
        }
        await client.delete(pods, keyOf(pod), { gracePeriodSeconds: 0 });
      });
    }
  }

  async #toPod(
    actor: string,
    index: number,
    can: (pod: Pod) => boolean,
    verb: string,
    act: (client: Client, pod: Pod) => Promise<unknown>,
  ): Promise<void> {
    const candidates = this.#pods().filter(can);
    await this.#stage.toOne(actor, { resource: pods, candidates, index }, verb, act);
  }

  #newName(kind: string): string {
    return `${kind}${++this.#made}`;
  }

  #node(index: NodeIndex): Node | undefined {
    return this.#cluster.storage.get(nodes, { name: nodeNameOf(index) }) as Node | undefined;
  }

  #nodes(): Node[] {
    return this.#stage.list(nodes);
  }

  #pods(): Pod[] {
    return this.#stage.list(pods).filter(({ metadata }) => metadata.namespace === NAMESPACE);
  }
}

function isLeft({ metadata }: Pod): boolean {
  return !metadata.deletionTimestamp;
}

/** The pod waits for this scheduler and has no finalizer. */
function isFree(pod: Pod): boolean {
  return isWaiting(pod) && !pod.metadata.finalizers?.length;
}

function isGated({ metadata, spec }: Pod): boolean {
  return !metadata.deletionTimestamp && !spec.nodeName && (spec.schedulingGates ?? []).length > 0;
}

function runs(pod: Pod): boolean {
  return pod.spec.nodeName !== undefined && !hasEnded(pod) && pod.spec.schedulerName === PROCESS;
}
