import { describe, expect, test } from 'vitest';
import { horizontalPodAutoscalers, horizontalPodAutoscalersV1 } from '../api/plain-resources.ts';
import { configMaps, leases } from '../api/resource.ts';
import type { Components, SharedInformerFactory } from '../contracts/component.ts';
import { type Cluster, createCluster } from './cluster.ts';

const { components } = (await import('#components')) as { components: Components };

async function factoryIn(cluster: Cluster): Promise<SharedInformerFactory> {
  let factory: SharedInformerFactory | undefined;
  cluster.run('asking', async ({ informers, clock, signal }) => {
    factory = informers;
    await clock.sleep(1e12, signal).catch(() => {});
  });
  await cluster.runFor(0);
  if (!factory) throw new Error('The component did not start.');
  return factory;
}

const configMap = (namespace: string, name: string, app: string) => ({
  metadata: { namespace, name, labels: { app } },
});

describe('A factory of informers', () => {
  test('returns the same informer for a resource to every caller', async () => {
    await using cluster = await createCluster({ components });
    const informers = await factoryIn(cluster);
    expect(informers.forResource(configMaps)).toBe(informers.forResource(configMaps));
    expect(informers.forResource(configMaps)).not.toBe(informers.forResource(leases));
  });

  test('has a separate informer for each version of a resource', async () => {
    await using cluster = await createCluster({ components });
    const informers = await factoryIn(cluster);
    const { indexer: ofV1 } = informers.forResource(horizontalPodAutoscalersV1);
    const { indexer: ofV2 } = informers.forResource(horizontalPodAutoscalers);
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const metadata = { namespace: 'default', name: 'web' };
    const spec = { scaleTargetRef, maxReplicas: 5, targetCPUUtilizationPercentage: 50 };
    await cluster.admin.create(horizontalPodAutoscalersV1, { metadata, spec });
    informers.start();
    await cluster.settle(informers.waitForCacheSync());
    expect(ofV1.getByKey('default/web')).toMatchObject({ spec: { targetCPUUtilizationPercentage: 50 } });
    expect(ofV2.getByKey('default/web')).toMatchObject({ spec: { metrics: [{ type: 'Resource' }] } });
  });

  test('indexes every informer by namespace, and by the requested indexes', async () => {
    await using cluster = await createCluster({ components });
    const informers = await factoryIn(cluster);
    const byApp = {
      app: ({ metadata }: { metadata: { labels?: Record<string, string> } }) => [metadata.labels?.app ?? ''],
    };
    const { indexer } = informers.forResource(configMaps, byApp);
    await cluster.admin.create(configMaps, configMap('default', 'a', 'web'));
    await cluster.admin.create(configMaps, configMap('default', 'b', 'db'));
    await cluster.admin.create(configMaps, configMap('kube-public', 'c', 'web'));
    informers.start();
    await cluster.settle(informers.waitForCacheSync());
    const names = (index: string, value: string) =>
      indexer
        .byIndex(index, value)
        .map(({ metadata }) => metadata.name)
        .sort();
    expect(names('namespace', 'default')).toEqual(['a', 'b']);
    expect(names('namespace', 'kube-public')).toEqual(['c']);
    expect(names('app', 'web')).toEqual(['a', 'c']);
  });

  test('rejects an index for an existing informer, and returns the existing ones', async () => {
    await using cluster = await createCluster({ components });
    const informers = await factoryIn(cluster);
    const first = informers.forResource(configMaps, { app: () => [] });
    expect(informers.forResource(configMaps, { app: () => [] })).toBe(first);
    expect(() => informers.forResource(configMaps, { tier: () => [] })).toThrow(
      'Failed to index configmaps by tier: its informer already exists.',
    );
  });

  test('starts the informers requested since, and waits for all of them', async () => {
    await using cluster = await createCluster({ components });
    const informers = await factoryIn(cluster);
    await cluster.settle(informers.waitForCacheSync());
    const first = informers.forResource(configMaps);
    informers.start();
    await cluster.settle(informers.waitForCacheSync());
    const second = informers.forResource(leases);
    expect([first.hasSynced(), second.hasSynced()]).toEqual([true, false]);
    informers.start();
    informers.start();
    await cluster.settle(informers.waitForCacheSync());
    expect(second.hasSynced()).toBe(true);
    // An informer's first list is a streaming watch: each of the two has watched once.
    expect(cluster.trace.entries.filter(({ verb }) => verb === 'watch')).toHaveLength(2);
  });
});
