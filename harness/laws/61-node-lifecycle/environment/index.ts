import type * as core from '#api/core/v1';
import type { New, Node, Pod } from '../../../api/objects.ts';
import { namespaces, nodes, pods } from '../../../api/resource.ts';
import { sameResource } from '../../../apiserver/storage/storage.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import type { Client } from '../../../contracts/client.ts';
import { formatTime } from '../../../sim/index.ts';
import { Stage } from '../../../testing/rig/stage.ts';
import { type AskedPod, type Moment, NAMESPACE, type OfNode, type Operation } from '../operations.ts';
import { NOT_READY, UNREACHABLE } from '../oracle/taints.ts';
import { EXCLUDED } from '../oracle/zones.ts';
import { type AskedNode, type NodeScenario, nodeName, podName } from '../scenario.ts';
import { Machine } from './machine.ts';

/** The finalizer that holds a pod. */
const HOLD = 'example.com/hold';
/** The first renewals of the machines are this far apart. */
const APART_MS = 1_700;

/** Machines with their kubelets, users, and all other controllers. They have no latency and no faults. */
export class Environment {
  readonly #cluster: Cluster;
  readonly #stage: Stage;
  readonly #asked: readonly AskedNode[];
  readonly #machines: readonly Machine[];
  readonly #traps = new Set<Trap>();
  /** The names of the pods that another client changes all the time. */
  readonly #contested = new Set<string>();

  constructor(cluster: Cluster, { nodes: asked, renewMs }: NodeScenario) {
    this.#cluster = cluster;
    this.#stage = new Stage(cluster);
    this.#asked = asked;
    this.#machines = asked.map((node, i) => {
      const firstMs = (i * APART_MS) % renewMs;
      return new Machine(cluster, { ...node, name: nodeName(i), renewMs, firstMs });
    });
    cluster.storage.follow({
      wrote: ({ resource, object, type }) => {
        if (type === 'DELETED' || !sameResource(resource, pods)) return;
        const { nodeName: on } = (object as Pod).spec;
        this.#machines.find(({ name }) => name === on)?.podChanged();
      },
    });
  }

  /** Creates the Nodes and the pods that exist before the controllers start. */
  async prepare(present: readonly AskedPod[]): Promise<void> {
    for (const i of this.#asked.keys()) await this.#createNode(i);
    for (const name of new Set(present.flatMap(({ namespace = [] }) => namespace)))
      await this.#stage.act('user', 'create', `namespaces/${name}`, (user) =>
        user.create(namespaces, { metadata: { name }, spec: {} }),
      );
    for (const pod of present) await this.#createPod(pod);
  }

  /** Performs an operation immediately. An operation on an absent object does nothing. */
  async do(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'wait':
        return;
      case 'contest':
        this.#contested.add(podName(operation.pod));
        return;
      case 'each':
        for (const node of operation.nodes) await this.#doToNode({ ...operation.then, node });
        return;
      case 'trap-node':
      case 'trap':
        this.#traps.add(operation);
        return;
      case 'create-pod':
      case 'tolerate':
      case 'delete-pod':
      case 'replace-pod':
      case 'release-pod':
        return this.#doToPod(operation);
      default:
        return this.#doToNode(operation);
    }
  }

  /** Performs the operations that wait for this moment between the requests for a pod. */
  async cameTo(when: Moment, name: string): Promise<void> {
    for (const trap of this.#traps) {
      if (trap.do !== 'trap' || podName(trap.pod) !== name || trap.when !== when) continue;
      this.#traps.delete(trap);
      await this.do(trap.then);
    }
  }

  /** Performs the operations that wait for a write of this Node. */
  async willBeWritten(name: string): Promise<void> {
    for (const trap of this.#traps) {
      if (trap.do !== 'trap-node' || nodeName(trap.trapped) !== name) continue;
      this.#traps.delete(trap);
      await this.do(trap.then);
    }
  }

  /** Changes a contested pod before a write of the lifecycle controller. */
  async podWillBeWritten(name: string): Promise<void> {
    if (!this.#contested.has(name)) return;
    const body = { metadata: { annotations: { touched: String(this.#cluster.storage.revision) } } };
    await this.#stage.act('user', 'annotate', `pods/${name}`, (user) =>
      user.patch(pods, { namespace: NAMESPACE, name }, { type: 'merge', body }),
    );
  }

  /** Returns whether the machine of a Node does not run. */
  isSilent(name: string): boolean {
    return this.#machines.find((machine) => machine.name === name)?.isAlive !== true;
  }

  /** Cancels the operations that wait for a request. */
  calmDown(): void {
    this.#traps.clear();
    this.#contested.clear();
  }

  async #doToNode(operation: OfNode): Promise<void> {
    const name = nodeName(operation.node);
    const machine = this.#machines[operation.node];
    const path = `nodes/${name}`;
    switch (operation.do) {
      case 'die':
        machine?.die();
        return this.#stage.note('machine', 'stops', path);
      case 'return':
        machine?.return();
        return this.#stage.note('machine', 'starts', path);
      case 'clock':
        machine?.shiftClock(operation.byMs);
        return this.#stage.note('machine', `its clock moves by ${operation.byMs} ms`, path);
      case 'report':
        this.#stage.note('kubelet', `sees Ready ${operation.isReady} ${operation.pressures.join()}`, path);
        return machine?.become(operation.isReady, operation.pressures);
      case 'judge':
        return this.#judge(name);
      case 'create-node':
        return this.#createNode(operation.node);
      case 'delete-node':
        if (!this.#node(name)) return;
        return this.#stage.act('user', 'delete', path, (user) => user.delete(nodes, { name }));
      default:
        return this.#changeNode(operation);
    }
  }

  async #judge(name: string): Promise<void> {
    const node = this.#node(name);
    if (!node) return;
    const conditions = (node.status.conditions ?? []).map((each) => ({
      ...each,
      status: 'Unknown' as const,
    }));
    await this.#stage.act('controller', 'Ready Unknown', `nodes/${name}`, (controller) =>
      controller.updateStatus(nodes, { ...node, status: { ...node.status, conditions } }),
    );
  }

  async #changeNode(operation: NodeChange): Promise<void> {
    const node = this.#node(nodeName(operation.node));
    if (!node) return;
    const path = `nodes/${node.metadata.name}`;
    if (operation.do === 'routes') {
      const status = operation.areThere ? 'False' : 'True';
      const condition = { type: 'NetworkUnavailable', status, reason: 'Routes', message: 'routes' };
      const others = (node.status.conditions ?? []).filter(({ type }) => type !== condition.type);
      const after = { ...node, status: { ...node.status, conditions: [...others, condition] } } as Node;
      return this.#stage.act('cloud', `NetworkUnavailable ${status}`, path, (cloud) =>
        cloud.updateStatus(nodes, after),
      );
    }
    await this.#stage.act('user', verbOf(operation), path, (user) =>
      user.update(nodes, changed(node, operation)),
    );
  }

  async #createNode(index: number): Promise<void> {
    const asked = this.#asked[index];
    const name = nodeName(index);
    if (!asked || this.#node(name)) return;
    const labels = {
      'topology.kubernetes.io/zone': asked.zone,
      ...(asked.isExcluded ? { [EXCLUDED]: 'true' } : {}),
    };
    await this.#stage.act('kubelet', 'create', `nodes/${name}`, (kubelet) =>
      kubelet.create(nodes, { metadata: { name, labels }, spec: {} }),
    );
    this.#machines[index]?.beat();
  }

  async #doToPod(operation: PodOperation): Promise<void> {
    const name = podName(operation.pod);
    const path = `pods/${name}`;
    const key = { namespace: NAMESPACE, name };
    const known = this.#cluster.storage.get(pods, key) as Pod | undefined;
    const act = (verb: string, send: (user: Client) => Promise<unknown>): Promise<void> =>
      this.#stage.act('user', verb, path, send);
    if (operation.do === 'create-pod') return this.#createPod(operation);
    if (!known) return;
    switch (operation.do) {
      case 'delete-pod':
        return act('delete', (user) => user.delete(pods, key));
      case 'replace-pod':
        await act('delete by force', (user) => user.delete(pods, key, { gracePeriodSeconds: 0 }));
        return this.#createPod(operation);
      case 'release-pod': {
        const body = { metadata: { finalizers: null } };
        return act('remove the finalizer', (user) => user.patch(pods, key, { type: 'merge', body }));
      }
      case 'tolerate': {
        const tolerations = merged(known.spec.tolerations ?? [], operation.tolerations);
        return act('tolerate', (user) =>
          user.update(pods, { ...known, spec: { ...known.spec, tolerations } }),
        );
      }
    }
  }

  async #createPod(asked: AskedPod): Promise<void> {
    const { storage, clock } = this.#cluster;
    const name = podName(asked.pod);
    const key = { namespace: asked.namespace ?? NAMESPACE, name };
    if (storage.get(pods, key)) return;
    await this.#stage.act('user', 'create', `pods/${name}`, (user) => user.create(pods, podOf(asked)));
    const created = storage.get(pods, key) as Pod | undefined;
    if (!created || asked.ended === undefined) return;
    const lastTransitionTime = formatTime(clock.now());
    const conditions = [
      { type: 'Ready', status: 'False' as const, reason: 'PodCompleted', lastTransitionTime },
    ];
    const status = { ...created.status, phase: asked.ended, conditions };
    storage.update(pods, { ...created, status }, created.metadata.resourceVersion, {
      actor: 'kubelet',
      verb: 'updateStatus',
    });
  }

  #node(name: string): Node | undefined {
    return this.#cluster.storage.get(nodes, { name }) as Node | undefined;
  }
}

type Trap = Extract<Operation, { readonly do: 'trap' | 'trap-node' }>;
type PodOperation = Extract<
  Operation,
  { readonly do: 'create-pod' | 'tolerate' | 'delete-pod' | 'replace-pod' | 'release-pod' }
>;
type NodeChange = Extract<OfNode, { readonly do: 'routes' | 'cordon' | 'taint' | 'untaint' | 'label' }>;
type UserChange = Exclude<NodeChange, { readonly do: 'routes' }>;

function podOf({ pod, namespace = NAMESPACE, node, tolerations, ...asked }: AskedPod): New<Pod> {
  const { isHeld = false, graceSeconds } = asked;
  return {
    metadata: { namespace, name: podName(pod), ...(isHeld ? { finalizers: [HOLD] } : {}) },
    spec: {
      ...(graceSeconds === undefined ? {} : { terminationGracePeriodSeconds: graceSeconds }),
      containers: [{ name: 'main', image: 'nginx:1.27' }],
      tolerations: withDefaults(tolerations),
      ...(node === 'none' ? {} : { nodeName: nodeName(node) }),
    },
  };
}

/** The seconds that the apiserver adds. */
const DEFAULT_SECONDS = 300;

/**
 * Returns the tolerations that the apiserver stores: a pod tolerates both `NoExecute` taints of a node that is not ready
 * for five minutes, unless it says otherwise.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/defaulttolerationseconds/admission.go Plugin.Admit
 */
function withDefaults(tolerations: readonly core.Toleration[]): core.Toleration[] {
  const isSaid = (key: string): boolean =>
    tolerations.some((one) => (!one.key || one.key === key) && (!one.effect || one.effect === 'NoExecute'));
  const added = [NOT_READY, UNREACHABLE].filter((key) => !isSaid(key));
  const rest = { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: DEFAULT_SECONDS } as const;
  return [...tolerations, ...added.map((key): core.Toleration => ({ key, ...rest }))];
}

function verbOf(operation: UserChange): string {
  switch (operation.do) {
    case 'cordon':
      return operation.isCordoned ? 'cordon' : 'uncordon';
    case 'taint':
      return `taint ${operation.taint.key}:${operation.taint.effect}`;
    case 'untaint':
      return `untaint ${operation.key}:${operation.effect ?? ''}`;
    case 'label':
      return `label example.com/mark=${operation.value}`;
  }
}

/** Returns the node after a user's change. */
function changed(node: Node, operation: UserChange): Node {
  const { metadata, spec } = node;
  const { taints = [] } = spec;
  switch (operation.do) {
    case 'label':
      return {
        ...node,
        metadata: { ...metadata, labels: { ...metadata.labels, 'example.com/mark': operation.value } },
      };
    case 'cordon':
      return { ...node, spec: { ...spec, unschedulable: operation.isCordoned } };
    case 'taint': {
      const { key, effect } = operation.taint;
      const others = taints.filter((taint) => taint.key !== key || taint.effect !== effect);
      return { ...node, spec: { ...spec, taints: [...others, operation.taint] } };
    }
    case 'untaint': {
      const { key, effect } = operation;
      const rest = taints.filter(
        (taint) => taint.key !== key || (effect !== undefined && taint.effect !== effect),
      );
      return { ...node, spec: { ...spec, taints: rest } };
    }
  }
}

/** Replaces the tolerations of the same key and effect, and appends the others. */
function merged(known: readonly core.Toleration[], changes: readonly core.Toleration[]): core.Toleration[] {
  const isSame = (a: core.Toleration, b: core.Toleration): boolean =>
    a.key === b.key && a.effect === b.effect;
  const kept = known.map((one) => changes.find((change) => isSame(one, change)) ?? one);
  return [...kept, ...changes.filter((change) => !known.some((one) => isSame(one, change)))];
}
