import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Deployment, Event, KubeObject, New, Node, Pod } from '../../api/objects.ts';
import { customResourceDefinitions } from '../../api/plain-resources.ts';
import {
  configMaps,
  deployments,
  events,
  namespaces,
  nodes,
  podDisruptionBudgets,
  pods,
  services,
} from '../../api/resource.ts';
import type { Components } from '../../contracts/component.ts';
import type { KeyValueStore, Transaction } from '../../contracts/store/index.ts';
import { MemoryLog } from '../../contracts/store/memory-log.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { definition, tab } from '../custom/cron-tabs.fixture.ts';
import { configMap, key, names, record, refusal } from '../verbs/replicas.fixture.ts';
import { createDefault, serverOn } from './mirrored.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** Opens the reference's store, empty and in memory. */
const referenceStore = () =>
  components.keyValueStore({
    clock: new ManualClock(),
    log: new MemoryLog(),
    signal: new AbortController().signal,
  });

const KEYS = { key: '/registry/', end: '/registry0' };
const A = '/registry/configmaps/default/a';

/** Writes as another client of the store. */
const write = (store: KeyValueStore, ...then: Transaction['then']) => store.transact({ then });

const put = (name: string, data: Record<string, string> = {}) => ({
  put: {
    key: `/registry/configmaps/default/${name}`,
    value: JSON.stringify({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { ...key(name), uid: name },
      data,
    }),
  },
});

/** Returns the store with some functions replaced. */
const varied = (store: KeyValueStore, own: Partial<KeyValueStore>): KeyValueStore => ({
  range: (request) => store.range(request),
  transact: (transaction) => store.transact(transaction),
  compact: (revision) => store.compact(revision),
  watch: (request) => store.watch(request),
  grantLease: (seconds) => store.grantLease(seconds),
  revokeLease: (id) => store.revokeLease(id),
  ...own,
});

describe('The keys and the values in the store', () => {
  test('are those of upstream, in JSON', async () => {
    const store = await referenceStore();
    const { server, clock } = await serverOn(store, new ManualClock());
    await createDefault({ server });
    await server.create(nodes, { metadata: { name: 'node-1' } } as Node);
    await server.create(configMaps, configMap('a', { x: 'ä' }));
    const ports = [{ port: 80, targetPort: 80, protocol: 'TCP' }];
    await server.create(services, { metadata: key('web'), spec: { ports } } as never);
    await server.create(customResourceDefinitions, definition() as never);
    for (let i = 0; i < 3; i++) {
      clock.advance(0);
      await setImmediate();
    }
    const [cronTabs] = server.customResources;
    await server.create(cronTabs as never, { ...tab(), metadata: key('nightly') } as never);
    const { kvs } = await store.range(KEYS);
    expect(kvs.map((kv) => kv.key)).toEqual([
      '/registry/apiextensions.k8s.io/customresourcedefinitions/crontabs.stable.example.com',
      A,
      '/registry/minions/node-1',
      '/registry/namespaces/default',
      '/registry/services/specs/default/web',
      '/registry/stable.example.com/crontabs/default/nightly',
    ]);
    const { resourceVersion, ...metadata } = (await server.get(configMaps, key('a'))).metadata;
    expect(kvs[1]?.value).toBe(
      JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { x: 'ä' } }),
    );
    expect(resourceVersion).toBe(String(kvs[1]?.modRevision));
  });
});

describe('An apiserver on a store', () => {
  test('begins with the objects of the store, also with custom resources', async () => {
    const store = await referenceStore();
    const first = await serverOn(store, new ManualClock());
    await createDefault(first);
    const { metadata } = await first.server.create(configMaps, configMap('a'));
    await first.server.create(customResourceDefinitions, definition() as never);
    for (let i = 0; i < 3; i++) {
      first.clock.advance(0);
      await setImmediate();
    }
    const [cronTabs] = first.server.customResources;
    await first.server.create(cronTabs as never, { ...tab(), metadata: key('nightly') } as never);
    first.end();

    const { server } = await serverOn(store, new ManualClock());
    expect((await server.get(configMaps, key('a'))).metadata).toEqual(metadata);
    const [served] = server.customResources;
    expect(names(await server.list(served as never))).toEqual(['nightly']);
    const watch = record(await server.watch(configMaps, { resourceVersion: metadata.resourceVersion }));
    await setImmediate();
    expect(watch.events).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
  });

  test('takes the writes of others, with their revisions', async () => {
    const store = await referenceStore();
    const { server } = await serverOn(store, new ManualClock());
    await createDefault({ server });
    const watch = record(await server.watch(configMaps));
    const { revision } = await write(store, put('a', { by: 'another' }), put('b'));
    expect(await server.get(configMaps, key('a'))).toMatchObject({
      metadata: { resourceVersion: String(revision) },
      data: { by: 'another' },
    });
    await write(store, { delete: { key: A } });
    await write(store, put('b', { x: '1' }));
    expect(names(await server.list(configMaps))).toEqual(['b']);
    await setImmediate();
    expect(watch.told()).toEqual([
      `ADDED a@${revision}`,
      `ADDED b@${revision}`,
      `DELETED a@${revision + 1}`,
      `MODIFIED b@${revision + 2}`,
    ]);
    const past = { resourceVersionMatch: 'Exact' } as const;
    const at = async (r: number) =>
      names(await server.list(configMaps, { ...past, resourceVersion: String(r) }));
    expect([await at(revision - 1), await at(revision), await at(revision + 1)]).toEqual([
      [],
      ['a', 'b'],
      ['b'],
    ]);
  });

  test('lists at the newest revision of the store, whatever it is about', async () => {
    const store = await referenceStore();
    const { server } = await serverOn(store, new ManualClock());
    await write(store, { put: { key: '/elsewhere', value: '' } });
    await write(store, { put: { key: '/registry/unknown/a', value: '' } });
    const { revision } = await write(store, { put: { key: A, value: 'no object' } });
    const list = await server.list(configMaps);
    expect([list.metadata.resourceVersion, list.items]).toEqual([String(revision), []]);
    const watch = record(await server.watch(configMaps, { resourceVersion: String(revision) }));
    await createDefault({ server });
    await server.create(configMaps, configMap('b'));
    await setImmediate();
    expect(watch.told()).toEqual([`ADDED b@${revision + 2}`]);
  });

  test('is on time although the watch of the store is late', async () => {
    const reference = await referenceStore();
    const silent = { requestProgress: () => {}, stop: () => {}, async *[Symbol.asyncIterator]() {} };
    const { server } = await serverOn(varied(reference, { watch: () => silent }), new ManualClock());
    await createDefault({ server });
    await server.create(configMaps, configMap('a'));
    expect(names(await server.list(configMaps))).toEqual(['a']);
  });

  test('refuses what the store does not tell it within three seconds', async () => {
    const reference = await referenceStore();
    const silent = { requestProgress: () => {}, stop: () => {}, async *[Symbol.asyncIterator]() {} };
    const { server, clock } = await serverOn(varied(reference, { watch: () => silent }), new ManualClock());
    const { revision } = await write(reference, put('a'));
    const refused = refusal(server.list(configMaps));
    await setImmediate();
    clock.advance(3_000);
    expect(await refused).toBe(
      `504 Timeout: Timeout: Too large resource version: ${revision}, current: ${revision - 1}`,
    );
  });

  test('ends a request that the store does not answer within a minute', async () => {
    const reference = await referenceStore();
    const range = () => new Promise<never>(() => {});
    const clock = new ManualClock();
    const store = varied(reference, {
      range: (request) => (request.end ? reference.range(request) : range()),
    });
    const { server } = await serverOn(store, clock);
    const refused = refusal(server.list(configMaps));
    await setImmediate();
    clock.advance(60_000);
    expect(await refused).toBe('500 InternalError: context deadline exceeded');
  });

  test('answers with the words of the store, and reports a broken watch', async () => {
    const reference = await referenceStore();
    const broken = async (): Promise<never> => {
      throw new Error('etcdserver: request timed out');
    };
    const errors: unknown[] = [];
    const store = varied(reference, {
      transact: broken,
      watch: () => {
        throw new Error('no watch');
      },
    });
    const { server } = await serverOn(store, new ManualClock(), { onError: (error) => errors.push(error) });
    expect(await refusal(server.create(namespaces, { metadata: { name: 'a' }, spec: {} }))).toBe(
      '500 InternalError: etcdserver: request timed out',
    );
    expect(errors).toEqual([new Error('no watch'), new Error('etcdserver: request timed out')]);
  });
});

const AUTHOR = { annotations: { overtaken: 'yes' } };

/** Starts an apiserver whose every first write of a key comes after a write of another client. */
async function overtaken() {
  const reference = await referenceStore();
  const state = { on: false, times: 0 };
  const store = varied(reference, {
    async transact(transaction) {
      const [condition] = transaction.compare ?? [];
      const { kvs } = await reference.range({ key: condition?.key ?? '' });
      const [found] = kvs;
      if (state.on && found && !found.value.includes('overtaken')) {
        const object = JSON.parse(found.value) as KubeObject;
        const changed = { ...object, metadata: { ...object.metadata, ...AUTHOR } };
        await write(reference, { put: { key: found.key, value: JSON.stringify(changed) } });
        state.times++;
      }
      return reference.transact(transaction);
    },
  });
  const { server } = await serverOn(store, new ManualClock());
  await createDefault({ server });
  return { server, state };
}

describe('A write that another one overtakes', () => {
  test.each<[string, (server: Awaited<ReturnType<typeof overtaken>>['server']) => Promise<unknown>]>([
    [
      'patch',
      (server) => server.patch(pods, key('a'), { type: 'merge', body: { metadata: { labels: { x: 'y' } } } }),
    ],
    ['delete', (server) => server.delete(pods, key('a'), { gracePeriodSeconds: 0 })],
    ['deleteCollection', (server) => server.deleteCollection(pods, { namespace: 'default' })],
    ['bind', (server) => server.bind(key('a'), 'node-1')],
    ['evict', (server) => server.evict(key('a'))],
    [
      'updateStatus',
      async (server) => {
        const { resourceVersion: _, ...metadata } = (await server.get(pods, key('a'))).metadata;
        const pod = { ...(await server.get(pods, key('a'))), metadata } as unknown as Pod;
        return server.updateStatus(pods, { ...pod, status: { ...pod.status, phase: 'Running' } });
      },
    ],
    [
      'updateScale',
      (server) =>
        server.updateScale(deployments, key('web'), {
          apiVersion: 'autoscaling/v1',
          kind: 'Scale',
          metadata: key('web'),
          spec: { replicas: 5 },
        } as never),
    ],
  ])('is carried out again: %s', async (_, act) => {
    const { server, state } = await overtaken();
    const containers = [{ name: 'a', image: 'nginx' }];
    await server.create(pods, { metadata: key('a'), spec: { containers } } as New<Pod>);
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers } };
    const spec = { selector: { matchLabels: labels }, template };
    await server.create(deployments, { metadata: key('web'), spec } as unknown as New<Deployment>);
    state.on = true;
    await act(server);
    expect(state.times).toBe(1);
    for (const object of [...(await server.list(pods)).items, ...(await server.list(deployments)).items]) {
      if (object.metadata.annotations?.overtaken)
        expect(object.metadata.annotations).toEqual(AUTHOR.annotations);
    }
  });
});

describe('An eviction whose pod another write overtakes', () => {
  test('takes one disruption from the budget', async () => {
    const { server, state } = await overtaken();
    const containers = [{ name: 'a', image: 'nginx' }];
    const labels = { app: 'web' };
    await server.create(pods, { metadata: { ...key('a'), labels }, spec: { containers } } as New<Pod>);
    const pod = await server.get(pods, key('a'));
    const ready = { type: 'Ready', status: 'True' };
    await server.updateStatus(pods, {
      ...pod,
      status: { ...pod.status, phase: 'Running', conditions: [ready] },
    });
    const spec = { minAvailable: 0, selector: { matchLabels: labels } };
    const budget = await server.create(podDisruptionBudgets, { metadata: key('web'), spec } as never);
    const status = { ...budget.status, disruptionsAllowed: 5, observedGeneration: 1 };
    await server.updateStatus(podDisruptionBudgets, { ...budget, status });
    state.on = true;
    await server.evict(key('a'));
    expect(state.times).toBe(2);
    expect((await server.get(podDisruptionBudgets, key('web'))).status.disruptionsAllowed).toBe(4);
  });
});

describe('The history of the store', () => {
  test('is compacted by one of two apiservers, to the revision of the turn before', async () => {
    const store = await referenceStore();
    const [one, other] = [await serverOn(store, new ManualClock()), await serverOn(store, new ManualClock())];
    await createDefault(one);
    const { resourceVersion } = (await one.server.list(namespaces)).metadata;
    for (const { mirror } of [one, other]) await mirror.compact();
    const { revision } = await store.range({ key: 'compact_rev_key' });
    await one.server.create(configMaps, configMap('a'));
    await expect(store.range({ key: A, revision: 2 })).resolves.toBeDefined();
    for (const { mirror } of [other, one]) await mirror.compact();
    await expect(store.range({ key: A, revision: revision - 1 })).rejects.toMatchObject({
      code: 'Compacted',
    });
    await one.server.list(configMaps);
    for (const { server } of [one, other]) {
      await server.list(configMaps);
      const watch = record(
        await server.watch(configMaps, { resourceVersion: String(Number(resourceVersion) - 1) }),
      );
      await setImmediate();
      expect(watch.events).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
    }
  });

  test('may be forgotten while the apiserver cannot watch: then its watches end, and it has the newest state', async () => {
    const reference = await referenceStore();
    const watching: { stop(): void }[] = [];
    const store = varied(reference, {
      watch(request) {
        const watch = reference.watch(request);
        watching.push(watch);
        return watch;
      },
    });
    const { server, clock } = await serverOn(store, new ManualClock());
    await createDefault({ server });
    for (const name of ['a', 'b', 'c']) await server.create(configMaps, configMap(name));
    const watch = record(await server.watch(configMaps));
    const { resourceVersion } = (await server.list(configMaps)).metadata;
    watching[0]?.stop();
    await setImmediate();
    await write(reference, { delete: { key: A } });
    const { revision } = await write(reference, put('b', { x: '1' }), put('d'));
    await reference.compact(revision);
    clock.advance(1_000);
    await setImmediate();
    await setImmediate();
    expect(watch.over).toBe(true);
    const list = await server.list(configMaps);
    expect([names(list), list.metadata.resourceVersion]).toEqual([['b', 'c', 'd'], String(revision)]);
    const late = record(await server.watch(configMaps, { resourceVersion }));
    const next = record(await server.watch(configMaps, { resourceVersion: String(revision) }));
    await write(reference, put('e'));
    await server.list(configMaps);
    await setImmediate();
    expect(late.events).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
    expect(next.told()).toEqual([`ADDED e@${revision + 1}`]);
  });
});

describe('Events', () => {
  const event = (name: string) =>
    ({
      metadata: key(name),
      involvedObject: { namespace: 'default' },
      type: 'Normal',
    }) as unknown as New<Event>;

  test('share a lease of the store, which deletes them', async () => {
    const store = await referenceStore();
    const { server } = await serverOn(store, new ManualClock());
    await createDefault({ server });
    const watch = record(await server.watch(events));
    for (const name of ['a', 'b']) await server.create(events, event(name));
    const { kvs } = await store.range({ key: '/registry/events/', end: '/registry/events0' });
    const leases = new Set(kvs.map(({ lease }) => lease));
    expect([kvs.length, leases.size]).toEqual([2, 1]);
    await store.revokeLease([...leases][0] as string);
    expect((await server.list(events)).items).toEqual([]);
    await setImmediate();
    const revision = (kvs.at(-1)?.modRevision ?? 0) + 1;
    expect(watch.told().slice(2)).toEqual([`DELETED a@${revision}`, `DELETED b@${revision}`]);
  });
});
