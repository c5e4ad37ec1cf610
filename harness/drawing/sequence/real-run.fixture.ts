import type { Deployment, New, Service } from '../../api/objects.ts';
import { deployments, services } from '../../api/resource.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { createWholeCluster } from '../../cluster/whole-cluster.ts';
import type { Components } from '../../contracts/component.ts';
import type { TraceEntry } from '../../sim/index.ts';

const KEY = { namespace: 'default', name: 'web' };
const LABELS = { app: 'web' };

const DEPLOYMENT = {
  metadata: KEY,
  spec: {
    replicas: 3,
    selector: { matchLabels: LABELS },
    template: {
      metadata: { labels: LABELS },
      spec: {
        containers: [
          { name: 'nginx', image: 'nginx:1.27', readinessProbe: { httpGet: { path: '/', port: 80 } } },
        ],
      },
    },
  },
} as unknown as New<Deployment>;

const SERVICE = {
  metadata: KEY,
  spec: { selector: LABELS, ports: [{ port: 80 }] },
} as unknown as New<Service>;

/** The record of a run. */
export interface RealRun {
  readonly trace: readonly TraceEntry[];
  readonly journal: readonly JournalEntry[];
  /** When the Deployment was created, in virtual ms. */
  readonly beganMs: number;
}

/** Creates a Deployment of three replicas and a Service in a cluster of three nodes, and waits for a minute. */
export async function realRun(components: Partial<Components>): Promise<RealRun> {
  // A fixed schedule: approved pictures must not depend on random choices.
  const whole = await createWholeCluster({ components, schedule: [], names: false });
  await using cluster = whole.cluster;
  await cluster.runFor(20_000);
  const beganMs = cluster.sim.elapsedMs;
  const kubectl = cluster.connect('kubectl');
  await cluster.settle(kubectl.create(deployments, DEPLOYMENT).then(() => kubectl.create(services, SERVICE)));
  await cluster.runFor(60_000);
  return { trace: [...cluster.trace.entries], journal: [...cluster.journal.entries], beganMs };
}
