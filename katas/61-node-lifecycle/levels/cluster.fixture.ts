/** A cluster without kubelets: the test writes the nodes, and plays their kubelets. */
import { components } from '#components';
import { type NodeLifecycle, newNodeLifecycle } from '#given/61-node-lifecycle';
import { type Component, type core, events, leases, type Node, nodes, type Pod, pods } from '#harness';
import { type Cluster, createCluster, type Process } from '#harness/testing';
import { executeTaints, taintChanges } from '#kata/61-node-lifecycle/node-lifecycle';
import { type NodeParts, nodeContents } from './objects.fixture.ts';

const NAMESPACE = 'kube-node-lease';
/** The name of every process under test. */
export const PROCESS = 'node-lifecycle-controller';

/** The parts of a pod that matter here. */
interface PodParts {
  readonly nodeName?: string;
  readonly tolerations?: readonly core.Toleration[];
  readonly ready?: boolean;
  readonly phase?: string;
  readonly finalizers?: readonly string[];
}

/** A cluster with the operations and queries of the tests. */
export class TestCluster implements AsyncDisposable {
  readonly cluster: Cluster;
  #process: Process | undefined;
  #lifecycle: NodeLifecycle | undefined;

  private constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  static async open(): Promise<TestCluster> {
    return new TestCluster(await createCluster({ components }));
  }

  /** Runs a controller. */
  async run(component: Component, name = PROCESS): Promise<void> {
    this.#process = this.cluster.run(name, component);
    await this.pass(0.1);
  }

  /** Starts the caches of a node lifecycle controller that does nothing by itself. */
  async startCaches(): Promise<NodeLifecycle> {
    await this.run(async (context) => {
      const lifecycle = newNodeLifecycle(context, {
        executeTaints: (node, allZonesDown) => executeTaints(node, allZonesDown),
        taintChanges: (node, wanted, managed) => taintChanges(node, wanted, managed),
      });
      await lifecycle.start();
      this.#lifecycle = lifecycle;
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    });
    return this.#lifecycle as NodeLifecycle;
  }

  /** Advances the clock. @throws the error that ended the controller, such as that of a function that is not implemented yet */
  async pass(seconds: number): Promise<void> {
    await this.cluster.runFor(seconds * 1_000);
    if (this.#process?.failure !== undefined) throw this.#process.failure;
  }

  /** Lets the cluster work until the promise has settled. */
  async settled<T>(promise: Promise<T>): Promise<T> {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    promise.then(done, done);
    await this.cluster.runUntil(() => isDone, 60_000);
    const result = await promise;
    await this.pass(0.1);
    return result;
  }

  async addNode(name: string, parts: NodeParts = {}): Promise<Node> {
    const { labels, spec, status } = nodeContents(parts);
    await this.cluster.admin.create(nodes, { metadata: { name, labels }, spec });
    return this.setNode(name, (node) => ({ ...node, status }));
  }

  /** Changes a node, its status included. */
  async setNode(name: string, change: (node: Node) => Node): Promise<Node> {
    const changed = change(await this.node(name));
    const { metadata } = await this.cluster.admin.update(nodes, changed);
    return this.cluster.admin.updateStatus(nodes, {
      ...changed,
      metadata: { ...changed.metadata, resourceVersion: metadata.resourceVersion },
    });
  }

  /** Plays the kubelet of a node, which posts this status of `Ready` now. */
  post(name: string, ready: string): Promise<Node> {
    const condition = { type: 'Ready', status: ready, lastHeartbeatTime: this.#now() };
    return this.setNode(name, (node) => ({ ...node, status: { ...node.status, conditions: [condition] } }));
  }

  /** Plays the kubelets of these nodes, which renew their Leases now. */
  async renew(...names: readonly string[]): Promise<void> {
    const renewTime = this.#now().replace('Z', '000Z');
    for (const name of names) {
      const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime };
      const { items } = await this.cluster.admin.list(leases, { namespace: NAMESPACE });
      const old = items.find(({ metadata }) => metadata.name === name);
      if (old) await this.cluster.admin.update(leases, { ...old, spec });
      else await this.cluster.admin.create(leases, { metadata: { namespace: NAMESPACE, name }, spec });
    }
  }

  /** Lets time pass. Meanwhile the kubelets of these nodes renew their Leases every ten seconds. */
  async passRenewing(seconds: number, ...names: readonly string[]): Promise<void> {
    for (let rest = seconds; rest > 0; rest -= 10) {
      await this.renew(...names);
      await this.pass(Math.min(10, rest));
    }
  }

  async addPod(name: string, parts: PodParts = {}): Promise<Pod> {
    const { nodeName = 'node-1', tolerations, ready = true, phase = 'Running', finalizers } = parts;
    const metadata = { namespace: 'default', name, ...(finalizers && { finalizers: [...finalizers] }) };
    const spec = {
      containers: [{ name: 'main', image: 'nginx' }],
      ...(nodeName && { nodeName }),
      ...(tolerations && { tolerations: [...tolerations] }),
    };
    const pod = await this.cluster.admin.create(pods, { metadata, spec });
    const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
    return this.cluster.admin.updateStatus(pods, { ...pod, status: { phase, conditions } });
  }

  /** Adds tolerations; no other change of them is valid. */
  async setTolerations(name: string, tolerations: readonly core.Toleration[]): Promise<void> {
    const pod = await this.cluster.admin.get(pods, { namespace: 'default', name });
    await this.cluster.admin.update(pods, { ...pod, spec: { ...pod.spec, tolerations: [...tolerations] } });
  }

  /** Replaces the conditions in the status of a pod. */
  async setConditions(name: string, conditions: readonly core.PodCondition[]): Promise<void> {
    const pod = await this.cluster.admin.get(pods, { namespace: 'default', name });
    const status = { ...pod.status, conditions: [...conditions] };
    await this.cluster.admin.updateStatus(pods, { ...pod, status });
  }

  async deletePod(name: string, gracePeriodSeconds = 30): Promise<void> {
    await this.cluster.admin.delete(pods, { namespace: 'default', name }, { gracePeriodSeconds });
  }

  /** Deletes a pod at once, and creates another one with its name. */
  async replacePod(name: string, parts: PodParts): Promise<void> {
    await this.deletePod(name, 0);
    await this.addPod(name, parts);
  }

  node(name: string): Promise<Node> {
    return this.cluster.admin.get(nodes, { name });
  }

  /** Returns the taints of a node as `key:effect`, sorted. */
  async taints(name: string): Promise<readonly string[]> {
    const { taints = [] } = (await this.node(name)).spec;
    return taints.map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`).sort();
  }

  /** Returns the status of the condition `Ready` of a node. */
  async ready(name: string): Promise<string | undefined> {
    return (await this.node(name)).status.conditions?.find(({ type }) => type === 'Ready')?.status;
  }

  /** Returns the pod in the API; undefined after its deletion. */
  async pod(name: string): Promise<Pod | undefined> {
    const { items } = await this.cluster.admin.list(pods, { namespace: 'default' });
    return items.find(({ metadata }) => metadata.name === name);
  }

  /** Returns whether the pod still exists, and nobody deletes it. */
  async stays(name: string): Promise<boolean> {
    const pod = await this.pod(name);
    return pod !== undefined && pod.metadata.deletionTimestamp === undefined;
  }

  /** Returns the status of the condition `Ready` of a pod. */
  async podReady(name: string): Promise<string | undefined> {
    return (await this.pod(name))?.status.conditions?.find(({ type }) => type === 'Ready')?.status;
  }

  /** Returns the condition `DisruptionTarget` of a pod. */
  async disruption(name: string): Promise<core.PodCondition | undefined> {
    const { conditions = [] } = (await this.pod(name))?.status ?? {};
    return conditions.find(({ type }) => type === 'DisruptionTarget');
  }

  /** Returns the events about an object, in order: `Normal NodeNotReady Node node-1 status is now: NodeNotReady`. */
  async events(name: string): Promise<readonly string[]> {
    const { items } = await this.cluster.admin.list(events);
    return items
      .filter(({ involvedObject }) => involvedObject.name === name)
      .map(({ type, reason, message }) => `${type} ${reason} ${message}`);
  }

  #now(): string {
    return new Date(this.cluster.sim.clock.now()).toISOString();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
  }
}
