import type { Deployment, New, Pod, Service } from '../api/objects.ts';
import { deployments, nodes, pods, services } from '../api/resource.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { powerOn } from '../cluster/nodes/power-on.ts';
import { logOf } from '../cluster/nodes/run-in-pod.ts';
import { createWholeCluster, throwFirstFailure } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { actsSince, type LifeStep, type StepsOptions, tellSteps } from './life-steps.ts';

/** One event in the life of a node. */
interface Happening {
  readonly typed: string;
  readonly look: string;
  readonly does: (cluster: Cluster) => unknown;
  /** Time until the next event, in virtual ms. */
  readonly forMs: number;
}

/** The node that dies, and the node that is deleted later. The client runs on a third node. */
const [DEAD, DELETED, CLIENTS] = ['node-3', 'node-2', 'node-1'];

/** Time until the nodes or the pods are ready, in virtual ms. */
const SETTLED_MS = 60_000;

const STORY: readonly Happening[] = [
  {
    typed: `poweroff    # on ${DEAD}`,
    look:
      `${DEAD} loses its power, and cannot report that. For the API nothing has changed: the pod on it is Ready, so the Service ` +
      'still sends a share of the requests there.',
    does: ({ nemesis }) => nemesis.strike({ fault: 'node-death', node: DEAD }),
    forMs: 30_000,
  },
  {
    typed: 'sleep 30',
    look:
      'The kubelet renews a Lease every ten seconds. 50 seconds after the last renewal the node lifecycle controller sets the ' +
      'conditions of the Node to Unknown, adds taints, and marks its pods as not ready. They leave the Service.',
    does: () => {},
    forMs: 30_000,
  },
  {
    typed: 'sleep 330',
    look:
      'Each pod tolerates the taint unreachable:NoExecute for 300 seconds, by default. Then the taint eviction controller deletes it. ' +
      'Its kubelet cannot confirm the end, so the pod stays Terminating. The ReplicaSet creates a new one for another node.',
    does: () => {},
    forMs: 330_000,
  },
  {
    typed: `poweron    # ${DEAD}`,
    look:
      'The kubelet starts, and finds its old pod deleted: it confirms the end, and starts nothing. The Node is Ready, and the taints ' +
      'are removed. The new pod stays where it is.',
    does: (cluster) => powerOn(cluster, DEAD),
    forMs: 60_000,
  },
  {
    typed: `poweroff    # on ${DELETED}; then: kubectl delete node ${DELETED}`,
    look:
      'An administrator deletes the Node of a machine that will not return. The pod garbage collector waits 40 seconds, asks the ' +
      'server, and deletes the pods of the missing Node. It does not wait for five minutes.',
    does: async (cluster) => {
      cluster.nemesis.strike({ fault: 'node-death', node: DELETED });
      await cluster.admin.delete(nodes, { name: DELETED });
    },
    forMs: 90_000,
  },
];

/** Runs the life of a node in a cluster of three nodes: it dies, returns, and another node is deleted. */
export async function nodeDeath(components: Partial<Components>): Promise<readonly LifeStep[]> {
  // A fixed schedule: the approved transcript must not depend on random choices.
  const { cluster: whole, processes } = await createWholeCluster({
    components,
    schedule: [],
    names: false,
    secured: true,
  });
  await using cluster = whole;
  await cluster.runFor(SETTLED_MS);
  await cluster.admin.create(deployments, WEB);
  await cluster.admin.create(services, SERVICE);
  await cluster.runFor(SETTLED_MS);
  const client = (await cluster.admin.create(pods, CLIENT)) as Pod;
  await cluster.runFor(SETTLED_MS);
  let read = (await logOf(cluster, client)).length;
  const steps: LifeStep[] = [];
  for (const { typed, look, does, forMs } of STORY) {
    const { revision } = cluster.storage;
    const atMs = cluster.sim.elapsedMs;
    await does(cluster);
    await cluster.runFor(forMs);
    const log = await logOf(cluster, client);
    const seen = [
      `$ kubectl logs client --since=${forMs / 1000}s | sort | uniq -c`,
      ...counted(log.slice(read)),
    ];
    read = log.length;
    steps.push({ typed, look, atMs, acts: actsSince(cluster, revision), seen });
    throwFirstFailure(processes);
  }
  return steps;
}

/** Returns the lines that `sort | uniq -c` prints. */
function counted(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)]
    .sort()
    .map((line) => `${`${lines.filter((each) => each === line).length}`.padStart(7)} ${line}`);
}

const LABELS = { app: 'web' };
const KEY = { namespace: 'default', name: 'web' };

const WEB = {
  metadata: KEY,
  spec: {
    replicas: 3,
    selector: { matchLabels: LABELS },
    template: {
      metadata: { labels: LABELS },
      spec: { containers: [{ name: 'nginx', image: 'nginx:1.27' }] },
    },
  },
} as unknown as New<Deployment>;

const SERVICE = {
  metadata: KEY,
  spec: { clusterIP: '10.96.0.80', selector: LABELS, ports: [{ port: 80 }] },
} as unknown as New<Service>;

const CLIENT = {
  metadata: { namespace: 'default', name: 'client' },
  spec: {
    nodeName: CLIENTS,
    containers: [
      {
        name: 'client',
        image: 'curlimages/curl',
        command: [
          'sh',
          '-c',
          'while true; do if curl -s -m 1 -o /dev/null http://10.96.0.80; then echo answered; else echo lost; fi; sleep 1; done',
        ],
      },
    ],
  },
} as unknown as New<Pod>;

/** Renders the life of a node. */
export function tellNodeDeath(
  steps: readonly LifeStep[],
  style: Omit<StepsOptions, 'legend'> = {},
): string[] {
  return tellSteps(steps, { ...style, legend: LEGEND });
}

const LEGEND =
  'A node dies: three pods on three nodes, behind a Service, and a client that sends it a request every second. Each command, and its ' +
  'effects, in seconds since the command; on the right, the ready and all Pods of each ReplicaSet, and (−1) for a Pod that is stopping.';
