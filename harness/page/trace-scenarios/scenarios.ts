import type { Deployment, New } from '../../api/objects.ts';
import { deployments } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { editDeployment } from '../../cluster/edit-deployment.ts';
import { createWholeCluster } from '../../cluster/whole-cluster.ts';
import type { Components } from '../../contracts/component.ts';
import type { ScheduledFault } from '../../faults/index.ts';

/** The trace of a run, in short: equal for equal runs. */
export interface TraceHash {
  readonly hash: string;
  readonly entries: number;
}

/** The life of a Deployment in a whole cluster. */
interface Scenario {
  readonly replicas: number;
  readonly faults?: readonly ScheduledFault[];
  /** A new image at this time. */
  readonly rollOutAtMs?: number;
  /** The end, in virtual ms. */
  readonly untilMs: number;
}

const CREATED_AT_MS = 20_000;
const KEY = { namespace: 'default', name: 'web' };

/** Runs whose traces are equal on every platform, by name. */
export const traceScenarios: Readonly<Record<string, Scenario>> = {
  '3 replicas': { replicas: 3, untilMs: 60_000 },
  '30 replicas': { replicas: 30, untilMs: 80_000 },
  'a roll-out': { replicas: 3, rollOutAtMs: 40_000, untilMs: 80_000 },
  'faults of the nemesis': {
    replicas: 3,
    faults: [
      { atMs: 20_005, fault: 'cut-watches', process: 'replicaset-controller' },
      { atMs: 20_010, fault: 'lag', replica: 0, forMs: 2_000 },
      {
        atMs: 20_500,
        fault: 'crash',
        process: 'kube-scheduler',
        skip: 1,
        performed: true,
        restartAfterMs: 500,
      },
      { atMs: 22_000, fault: 'compact' },
      { atMs: 22_000, fault: 'fail-watches', process: 'kubelet-node-1', reason: 'Expired' },
      { atMs: 25_000, fault: 'restart-apiserver', replica: 0, forMs: 1_000 },
      { atMs: 30_000, fault: 'partition', node: 'node-3', forMs: 10_000 },
      { atMs: 31_000, fault: 'clock-jump', node: 'node-1', byMs: -5_000 },
    ],
    untilMs: 80_000,
  },
  'a power-off': {
    replicas: 3,
    faults: [{ atMs: 40_000, fault: 'node-death', node: 'node-2' }],
    untilMs: 400_000,
  },
};

/** Runs these scenarios on this platform, and returns the hash of each. */
export async function traceHashes(names: readonly string[]): Promise<Readonly<Record<string, TraceHash>>> {
  const hashes: Record<string, TraceHash> = {};
  for (const name of names) {
    const scenario = traceScenarios[name];
    if (!scenario) throw new RangeError(`Failed to run ${name}: no scenario has that name.`);
    hashes[name] = await traceHash(scenario);
  }
  return hashes;
}

async function traceHash(scenario: Scenario): Promise<TraceHash> {
  const { components } = (await import('#components')) as { readonly components: Components };
  const { cluster: whole } = await createWholeCluster({ components, secured: true });
  await using cluster = whole;
  const { replicas, faults = [], rollOutAtMs, untilMs } = scenario;
  cluster.nemesis.schedule(faults);
  await runUntil(cluster, CREATED_AT_MS);
  await cluster.settle(cluster.connect('kubectl').create(deployments, web(replicas)));
  if (rollOutAtMs !== undefined) {
    await runUntil(cluster, rollOutAtMs);
    await editDeployment(cluster.admin, KEY, { edit: 'image', image: 'nginx:1.28' });
  }
  await runUntil(cluster, untilMs);
  return { hash: cluster.trace.hash(), entries: cluster.trace.entries.length };
}

const runUntil = (cluster: Cluster, ms: number): Promise<void> => cluster.runFor(ms - cluster.sim.elapsedMs);

function web(replicas: number): New<Deployment> {
  const labels = { app: KEY.name };
  return {
    metadata: KEY,
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: KEY.name,
              image: 'nginx:1.27',
              ports: [{ containerPort: 80 }],
              readinessProbe: { httpGet: { path: '/', port: 80 } },
            },
          ],
        },
      },
    },
  } as unknown as New<Deployment>;
}
