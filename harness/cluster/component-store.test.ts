import { describe, expect, test } from 'vitest';
import type { Deployment, New } from '../api/objects.ts';
import { configMaps, deployments, events, leases, pods } from '../api/resource.ts';
import type { Components } from '../contracts/component.ts';
import type { KeyValueStore, NewKeyValueStore } from '../contracts/store/index.ts';
import { MemoryLog } from '../contracts/store/memory-log.ts';
import type { Cluster } from './cluster.ts';
import { createCluster } from './cluster.ts';
import { componentStore } from './component-store.ts';
import { withLeaseStandIn } from './optional/lease-stand-in.ts';
import { createWholeCluster } from './whole-cluster.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const labels = { app: 'web' };
const web = {
  metadata: { namespace: 'default', name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
  },
} as unknown as New<Deployment>;

const isAvailable = (cluster: Cluster) => () =>
  (cluster.storage.list(deployments, { namespace: 'default' }) as Deployment[]).some(
    ({ status }) => status?.availableReplicas === 2,
  );

const key = { namespace: 'default', name: 'a' };

describe('A whole cluster on the component keyValueStore', () => {
  test('runs a Deployment, and has its objects again after a restart', async () => {
    const log = new MemoryLog();
    const store = componentStore(components, log);
    const names = async () => {
      const { cluster: whole } = await createWholeCluster({ components, secured: true, store });
      await using cluster = whole;
      if (!cluster.isRestored) await cluster.settle(cluster.admin.create(deployments, web));
      expect(await cluster.runUntil(isAvailable(cluster), 120_000)).toBe(true);
      const { items } = await cluster.settle(cluster.admin.list(pods, { namespace: 'default' }));
      return { uids: items.map(({ metadata }) => metadata.uid), isRestored: cluster.isRestored };
    };
    const before = await names();
    const after = await names();
    expect([before.isRestored, after.isRestored]).toEqual([false, true]);
    expect(after.uids).toEqual(before.uids);
  });

  test('is the same twice with one seed', async () => {
    const hash = async () => {
      const store = componentStore(components);
      const { cluster: whole } = await createWholeCluster({ components, secured: true, store, seed: 7 });
      await using cluster = whole;
      await cluster.settle(cluster.admin.create(deployments, web));
      await cluster.runFor(30_000);
      return cluster.trace.hash();
    };
    expect(await hash()).toBe(await hash());
  });
});

describe('The store of a component', () => {
  test('restarts with its disk when the component is replaced', async () => {
    const started: string[] = [];
    const named =
      (name: string): NewKeyValueStore =>
      (context) => {
        started.push(name);
        return components.keyValueStore(context);
      };
    const current = { keyValueStore: named('first') };
    await using cluster = await createCluster({ store: componentStore(current) });
    await cluster.settle(cluster.admin.create(configMaps, { metadata: key }));
    const watch = await cluster.settle(cluster.admin.watch(configMaps));
    current.keyValueStore = named('second');
    await cluster.settle(cluster.admin.patch(configMaps, key, { type: 'merge', body: { data: { x: '1' } } }));
    await cluster.runFor(5_000);
    await cluster.settle(cluster.admin.delete(configMaps, key));
    expect(started).toEqual(['first', 'second']);
    const types: string[] = [];
    for await (const { type } of watch) {
      types.push(type);
      if (types.length === 3) break;
    }
    expect(types).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
  });

  test('answers a request in the middle of a restart with an error', async () => {
    const never = new Promise<never>(() => {});
    const slow: NewKeyValueStore = async (context) => ({
      ...(await components.keyValueStore(context)),
      transact: () => never,
    });
    const current = { keyValueStore: components.keyValueStore };
    await using cluster = await createCluster({ store: componentStore(current) });
    current.keyValueStore = slow;
    const refused = cluster.admin
      .create(configMaps, { metadata: key })
      .catch((error: Error) => error.message);
    await cluster.runFor(1_000);
    current.keyValueStore = components.keyValueStore;
    await cluster.settle(cluster.admin.list(configMaps));
    expect(await refused).toBe('etcdserver: server stopped');
    await cluster.settle(cluster.admin.create(configMaps, { metadata: key }));
  });

  test('fails when it never answers', async () => {
    const keyValueStore: NewKeyValueStore = () => new Promise<KeyValueStore>(() => {});
    await expect(createCluster({ store: componentStore({ keyValueStore }) })).rejects.toThrow(
      'An awaited promise never settles: no task is left that could settle it.',
    );
  });
});

describe('A stand-in for leases', () => {
  test('deletes Events after an hour, and nothing else', async () => {
    const sentences: string[] = [];
    const keyValueStore = withLeaseStandIn(components.keyValueStore, () => sentences.push('acts'));
    await using cluster = await createCluster({ store: componentStore({ keyValueStore }) });
    const event = { metadata: key, involvedObject: { namespace: 'default' }, type: 'Normal' } as never;
    await cluster.settle(cluster.admin.create(events, event));
    await cluster.settle(cluster.admin.create(leases, { metadata: key, spec: {} }));
    const counts = async () => [
      (await cluster.settle(cluster.admin.list(events))).items.length,
      (await cluster.settle(cluster.admin.list(leases))).items.length,
    ];
    await cluster.runFor(3_600_000);
    expect(await counts()).toEqual([1, 1]);
    await cluster.runFor(61_000);
    expect(await counts()).toEqual([0, 1]);
    expect(sentences).toEqual(['acts']);
  });
});
