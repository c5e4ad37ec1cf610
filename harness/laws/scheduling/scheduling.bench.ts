/**
 * Measures the time to schedule a pod, from its creation to its binding, both through the apiserver, in clusters of three
 * sizes. The reference scheduler has its default plugins, and the workloads are upstream's own benchmarks.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 test/integration/scheduler_perf (SchedulingBasic, SchedulingNodeAffinity,
 * SchedulingPodAffinity, SchedulingPodAntiAffinity)
 */
import type { KubeObject, New, Node, Pod } from '../../api/objects.ts';
import { nodes, pods } from '../../api/resource.ts';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import { sideBySide, type Work } from '../../testing/side-by-side.ts';

const { components } = await import('#components');

/** The minimum number of pods in a measurement: small clusters are too fast for fewer. */
const PODS_MIN = 1_000;

/** The number of earlier pods, and of measured pods, per node. It leaves a separate node for each pod. */
const SHARE = 0.2;

/** A kind of pod, and upstream's throughput with it on a server machine: pods per second, at 5,000 nodes. */
interface Workload {
  readonly upstream: number;
  readonly pod: object;
  readonly labels?: Readonly<Record<string, string>>;
}

const ZONE = 'topology.kubernetes.io/zone';

const terms = (color: string, topologyKey: string) => ({
  requiredDuringSchedulingIgnoredDuringExecution: [
    { topologyKey, labelSelector: { matchLabels: { color } } },
  ],
});

const plain: Workload = { upstream: 680, pod: {} };

const workloads: Readonly<Record<string, Workload>> = {
  plain,
  'node affinity': {
    upstream: 220,
    pod: {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: ZONE, operator: 'In', values: ['zone1', 'zone2'] }] },
            ],
          },
        },
      },
    },
  },
  'pod affinity': {
    upstream: 35,
    labels: { color: 'blue' },
    pod: { affinity: { podAffinity: terms('blue', ZONE) } },
  },
  'pod anti-affinity': {
    upstream: 60,
    labels: { color: 'green' },
    pod: { affinity: { podAntiAffinity: terms('green', 'kubernetes.io/hostname') } },
  },
};

sideBySide('Pods scheduled, created to bound, by the reference scheduler', {
  unit: 'pods',
  rounds: 2,
  contenders: {
    '100 nodes': () => 100,
    '1,000 nodes': () => 1_000,
    '5,000 nodes': () => 5_000,
  },
  measures: {
    ...Object.fromEntries(
      Object.entries(workloads).map(([name, workload]) => [
        `${name} (upstream, 5,000 nodes: ${workload.upstream})`,
        (count: number) => schedule(count, workload),
      ]),
    ),
    'plain, while 100 wait for a larger node': (count) => schedule(count, plain, 100),
  },
});

/** @param waiting the number of pods that fit on no node */
async function schedule(count: number, workload: Workload, waiting = 0): Promise<Work> {
  const each = Math.round(count * SHARE);
  const stages: Stage[] = [];
  for (let measured = 0; measured < PODS_MIN; measured += each) {
    const stage = await Stage.of(count);
    await stage.leaveWaiting(waiting);
    await stage.schedule(workload, each);
    stages.push(stage);
  }
  return async () => {
    for (const stage of stages) {
      await stage.schedule(workload, each);
      await stage.cluster[Symbol.asyncDispose]();
    }
    return stages.length * each;
  };
}

/** A cluster that runs only the scheduler. */
class Stage {
  readonly cluster: Cluster;
  #created = 0;
  #bound = 0;

  private constructor(cluster: Cluster) {
    this.cluster = cluster;
    // A scan of all pods after each step would cost more than scheduling them.
    cluster.storage.follow({
      wrote: ({ object, previous }) => {
        if (!nodeNameOf(previous) && nodeNameOf(object)) this.#bound++;
      },
    });
  }

  static async of(nodeCount: number): Promise<Stage> {
    const cluster = await createCluster({ components });
    for (let i = 0; i < nodeCount; i++) await cluster.admin.create(nodes, newNode(i));
    cluster.runComponents('scheduler');
    return new Stage(cluster);
  }

  /** Creates pods that request more than any node has, and runs the cluster for a minute, so that the scheduler rejects them. */
  async leaveWaiting(count: number): Promise<void> {
    if (count === 0) return;
    for (let i = 0; i < count; i++) await this.#create(`large-${i}`, specOf({ cpu: '5' }));
    await this.cluster.runFor(60_000);
  }

  /** Creates `count` more pods, and resolves when the scheduler has bound them. */
  async schedule({ pod, labels }: Workload, count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      await this.#create(`pod-${this.#created++}`, { ...specOf(SMALL), ...pod }, labels);
    }
    if (await this.cluster.runUntil(() => this.#bound >= this.#created, 3_600_000)) return;
    throw new Error(`Of ${this.#created} pods ${this.#bound} were bound within an hour.`);
  }

  async #create(name: string, spec: object, labels?: Workload['labels']): Promise<void> {
    const metadata = { namespace: 'default', name, ...(labels ? { labels } : {}) };
    await this.cluster.admin.create(pods, { metadata, spec } as unknown as New<Pod>);
  }
}

function nodeNameOf(object: KubeObject | undefined): string | undefined {
  return (object as Partial<Pod> | undefined)?.spec?.nodeName;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 test/integration/scheduler_perf/config/templates/pod-default.yaml */
const SMALL = { cpu: '100m', memory: '500Mi' };

function specOf(requests: object): { readonly containers: readonly object[] } {
  return { containers: [{ name: 'pause', image: 'registry.k8s.io/pause:3.10', resources: { requests } }] };
}

/** Upstream: kubernetes/kubernetes@v1.36.3 test/integration/scheduler_perf/config/templates/node-default.yaml */
function newNode(index: number): New<Node> {
  const name = `node-${index}`;
  return {
    metadata: { name, labels: { 'kubernetes.io/hostname': name, [ZONE]: 'zone1' } },
    spec: {},
    status: { allocatable: { cpu: '4', memory: '32Gi', pods: '110' } },
  };
}
