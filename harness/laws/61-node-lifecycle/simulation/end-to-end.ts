import type * as core from '#api/core/v1';
import type { Deployment, EndpointSlice, New, Node, Pod, Service } from '../../../api/objects.ts';
import { clusterRoleBindings } from '../../../api/plain-resources.ts';
import { deployments, endpointSlices, nodes, pods, services } from '../../../api/resource.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import { createWholeCluster } from '../../../cluster/whole-cluster.ts';
import type { Components } from '../../../contracts/component.ts';
import { noteCluster } from '../../../testing/rig/play.ts';
import { statusOf } from '../oracle/taints.ts';

const MACHINES = ['node-1', 'node-2', 'node-3'];
const REPLICAS = 6;
const NAMESPACE = 'default';
/** A verdict comes 40 to 57 s after the last heartbeat, which was up to 10 s ago. */
const VERDICT_MS = { min: 39_000, max: 62_000 };
const TOLERATED_MS = 300_000;
const COLLECTED_MS = 100_000;

/**
 * Plays a day of a whole cluster of three nodes, in which each component writes with its own rights: one node dies, its
 * pods come back elsewhere, it returns; another dies, and a user deletes its Node.
 *
 * @returns the observations that differ from the promises, as sentences; none if all are kept
 */
export async function loseTwoNodes(components: Partial<Components>): Promise<readonly string[]> {
  const latencyMs = { min: 1, max: 5 };
  const whole = await createWholeCluster({ seed: 61, latencyMs, components, secured: true, names: false });
  await using cluster = whole.cluster;
  noteCluster(cluster);
  const story = new Story(cluster);
  await story.begin();
  await story.loseNode('node-2');
  await story.bringBack('node-2');
  await story.deleteNode('node-3');
  return story.complaints;
}

/** A component may list with its own client what others read with informers, which have the rights of their manager. */
const READS_EVERYTHING = {
  metadata: { name: 'controllers-read-everything' },
  roleRef: {
    apiGroup: 'rbac.authorization.k8s.io',
    kind: 'ClusterRole',
    name: 'system:kube-controller-manager',
  },
  subjects: ['node-controller', 'pod-garbage-collector'].map((name) => ({
    kind: 'ServiceAccount',
    namespace: 'kube-system',
    name,
  })),
};

class Story {
  readonly complaints: string[] = [];
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async begin(): Promise<void> {
    const { admin } = this.#cluster;
    await admin.create(clusterRoleBindings, READS_EVERYTHING);
    await this.#expect(60_000, 'all nodes are Ready', () => MACHINES.every((name) => this.#isClean(name)));
    await admin.create(deployments, DEPLOYMENT);
    await admin.create(services, SERVICE);
    await this.#expect(60_000, 'all pods are ready', () => this.#isWhole(MACHINES));
  }

  /** The machine loses its power. Its conditions become Unknown, its Service forgets it, its pods come back elsewhere. */
  async loseNode(name: string): Promise<void> {
    const { nemesis, sim } = this.#cluster;
    const others = MACHINES.filter((each) => each !== name);
    nemesis.strike({ fault: 'node-death', node: name });
    await this.#cluster.runFor(VERDICT_MS.min);
    this.#say(this.#ready(name) === 'True', `${name} is Unknown before it is silent for 40 s`);
    await this.#expect(
      VERDICT_MS.max - VERDICT_MS.min,
      `${name} is Unknown`,
      () => this.#ready(name) === 'Unknown',
    );
    const judgedMs = sim.elapsedMs;
    await this.#expect(8_000, `the Service sends nothing to ${name}`, () => !this.#servedBy(name));
    await this.#cluster.runFor(TOLERATED_MS - 20_000 - (sim.elapsedMs - judgedMs));
    this.#say(
      this.#isWaiting(name),
      `a pod on ${name} is deleted before it tolerated the taint for 300 s; the pods: ${this.#phases()}`,
    );
    await this.#expect(60_000, `six ready pods are on ${others.join(' and ')}`, () => this.#isWhole(others));
  }

  /** The machine gets its power back. Its kubelet finishes its old pods, and its taints go. */
  async bringBack(name: string): Promise<void> {
    this.#cluster.machine(name)?.powerOn();
    for (const process of this.#cluster.processes) if (process.node === name) process.start();
    await this.#expect(90_000, `${name} is Ready and has no taint`, () => this.#isClean(name));
    // The old pods still stop when the new ones are ready.
    await this.#expect(
      120_000,
      'six pods exist, and all are ready',
      () => this.#isWhole(MACHINES) && this.#pods.length === REPLICAS,
    );
  }

  /** The machine dies, and a user deletes its Node. Its pods are collected. */
  async deleteNode(name: string): Promise<void> {
    this.#cluster.nemesis.strike({ fault: 'node-death', node: name });
    await this.#cluster.admin.delete(nodes, { name });
    await this.#cluster.runFor(30_000);
    await this.#expect(
      COLLECTED_MS,
      `the pods of the deleted Node ${name} are gone`,
      () => this.#on(name).length === 0,
    );
    const others = MACHINES.filter((each) => each !== name);
    await this.#expect(60_000, `six ready pods are on ${others.join(' and ')}`, () => this.#isWhole(others));
  }

  async #expect(withinMs: number, what: string, isSo: () => boolean): Promise<void> {
    const isMet = await this.#cluster.runUntil(isSo, withinMs);
    this.#say(
      isMet,
      `after ${Math.round(withinMs / 1_000)} s it is not so that ${what}; the pods: ${this.#phases()}`,
    );
  }

  #say(isSo: boolean, complaint: string): void {
    if (!isSo) this.complaints.push(`at ${Math.round(this.#cluster.sim.elapsedMs)} ms: ${complaint}`);
  }

  get #pods(): readonly Pod[] {
    return this.#cluster.storage.list(pods, { namespace: NAMESPACE }) as Pod[];
  }

  #on(name: string): readonly Pod[] {
    return this.#pods.filter(({ spec }) => spec.nodeName === name);
  }

  #node(name: string): Node | undefined {
    return this.#cluster.storage.get(nodes, { name }) as Node | undefined;
  }

  #ready(name: string): string | undefined {
    const node = this.#node(name);
    return node && statusOf(node, 'Ready');
  }

  #isClean(name: string): boolean {
    return this.#ready(name) === 'True' && (this.#node(name)?.spec.taints ?? []).length === 0;
  }

  #servedBy(name: string): boolean {
    const slices = this.#cluster.storage.list(endpointSlices, { namespace: NAMESPACE }) as EndpointSlice[];
    return slices.some(({ endpoints }) =>
      endpoints?.some(({ nodeName, conditions }) => nodeName === name && conditions?.ready !== false),
    );
  }

  #isWaiting(name: string): boolean {
    const all = this.#on(name);
    return all.length > 0 && all.every(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  #isWhole(machines: readonly string[]): boolean {
    const ready = this.#pods.filter(
      ({ spec, status, metadata }) =>
        machines.includes(spec.nodeName ?? '') &&
        metadata.deletionTimestamp === undefined &&
        status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    );
    return ready.length === REPLICAS;
  }

  #phases(): string {
    return this.#pods
      .map(({ metadata, spec, status }) => {
        const going = metadata.deletionTimestamp === undefined ? '' : ', being deleted';
        return `${metadata.name} ${status.phase} on ${spec.nodeName ?? 'no node'}${going}`;
      })
      .join('; ');
  }
}

const LABELS = { app: 'web' };

const CONTAINER: core.Container = {
  name: 'main',
  image: 'nginx:1.27',
  readinessProbe: { httpGet: { port: 80 }, periodSeconds: 5 },
};

const DEPLOYMENT: New<Deployment> = {
  metadata: { namespace: NAMESPACE, name: 'web' },
  spec: {
    replicas: REPLICAS,
    selector: { matchLabels: LABELS },
    template: {
      metadata: { labels: LABELS },
      spec: { terminationGracePeriodSeconds: 5, containers: [CONTAINER] },
    },
  },
} as unknown as New<Deployment>;

const SERVICE: New<Service> = {
  metadata: { namespace: NAMESPACE, name: 'web' },
  spec: { selector: LABELS, ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] },
} as unknown as New<Service>;
