import { describe, expect, test } from 'vitest';
import type { Pod } from '../../api/objects.ts';
import { deployments, podDisruptionBudgets, pods } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { createWholeCluster } from '../../cluster/whole-cluster.ts';
import type { Components } from '../../contracts/component.ts';
import { newKubectl } from './kubectl.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const labels = { app: 'web' };

/** Creates two pods, and a budget that requires one of them. */
async function serveWeb({ admin }: Cluster): Promise<void> {
  const metadata = { namespace: 'default', name: 'web' };
  await admin.create(podDisruptionBudgets, {
    metadata,
    spec: { minAvailable: 1, selector: { matchLabels: labels } },
  } as never);
  const spec = { containers: [{ name: 'web', image: 'nginx' }] };
  const template = { metadata: { labels }, spec };
  await admin.create(deployments, {
    metadata,
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  } as never);
}

function webPods({ storage }: Cluster): readonly Pod[] {
  return (storage.list(pods) as Pod[]).filter(({ metadata }) => metadata.labels?.app === 'web');
}

const readyIn = (cluster: Cluster): number =>
  webPods(cluster).filter(
    ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined &&
      status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
  ).length;

describe('Draining a node', () => {
  test('finishes, and leaves the pods that a PodDisruptionBudget requires', async () => {
    const { cluster: whole } = await createWholeCluster({
      components,
      nodes: 2,
      names: false,
      secured: true,
    });
    await using cluster = whole;
    cluster.connect('kubectl');
    const kubectl = newKubectl({ cluster, userOf: (as) => cluster.userOf('kubectl', as) });
    let text = '';
    let code: number | undefined;
    const type = (line: string): void => {
      code = undefined;
      const write = (more: string): void => {
        text += more;
      };
      const { signal } = new AbortController();
      void kubectl
        .run(line, { files: {}, input: (async function* () {})(), signal, out: write, err: write })
        .then((result) => {
          code = result;
        });
    };
    await cluster.runFor(10_000);
    type('kubectl cordon node-2');
    await cluster.runUntil(() => code !== undefined, 10_000);
    await serveWeb(cluster);
    await cluster.runUntil(() => readyIn(cluster) === 2, 60_000);
    type('kubectl uncordon node-2');
    await cluster.runUntil(() => code !== undefined, 10_000);
    expect(webPods(cluster).map(({ spec }) => spec.nodeName)).toEqual(['node-1', 'node-1']);
    type('kubectl drain node-1 --ignore-daemonsets');
    let fewest = 2;
    await cluster.runUntil(() => {
      fewest = Math.min(fewest, readyIn(cluster));
      return code !== undefined;
    }, 180_000);
    expect([code, fewest, text]).toEqual([0, 1, expect.stringContaining('node/node-1 drained')]);
    expect(text).toContain("Cannot evict pod as it would violate the pod's disruption budget.");
    await cluster.runUntil(() => readyIn(cluster) === 2, 60_000);
    expect(webPods(cluster).map(({ spec }) => spec.nodeName)).toEqual(['node-2', 'node-2']);
  });
});
