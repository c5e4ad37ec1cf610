import { describe, expect, test } from 'vitest';
import { type ConfigMap, configMaps, DeletedFinalStateUnknown, type SharedInformer } from '#harness';
import { type Cluster, createCluster, noteCaught, seededRandom, vectors } from '#harness/testing';
import { createInformer } from '#kata/21-informer/informer';
import { begun } from './reflect.fixture.ts';

describe('Level 8 · The informer', () => {
  /** Returns an informer of ConfigMaps in a quiet cluster, with a diary of the notifications to its handlers. */
  async function informed(): Promise<{
    cluster: Cluster;
    informer: SharedInformer<ConfigMap>;
    diary: string[];
    reported: unknown[];
    handler: (name: string) => Parameters<SharedInformer<ConfigMap>['addEventHandler']>[0];
    start: () => void;
    put: (name: string, written: string) => Promise<ConfigMap>;
    remove: (name: string) => Promise<unknown>;
    stop: () => void;
  }> {
    const cluster = await createCluster();
    const connection = cluster.connect('informer');
    const controller = new AbortController();
    const reported: unknown[] = [];
    const informer = createInformer<ConfigMap>({
      client: connection,
      resource: configMaps,
      clock: cluster.clock,
      random: seededRandom(1),
      indexers: { written: ({ data }) => [data?.written ?? ''] },
      resyncPeriodMs: 43_200_000,
      onError: (error) => {
        noteCaught(error);
        reported.push(error);
      },
    });
    const diary: string[] = [];
    const said = (object: ConfigMap): string => `${object.metadata.name}=${object.data?.written}`;
    return {
      cluster,
      informer,
      diary,
      reported,
      handler: (name) => ({
        onAdd: (object, isInInitialList) => {
          diary.push(`${name}: ${isInInitialList ? 'initially' : 'added'} ${said(object)}`);
        },
        onUpdate: (previous, current) => {
          diary.push(`${name}: ${said(previous)} became ${said(current)}`);
        },
        onDelete: (object) => {
          const unknown = object instanceof DeletedFinalStateUnknown;
          diary.push(`${name}: deleted ${unknown ? `${said(object.object)}, perhaps` : said(object)}`);
        },
      }),
      start: () => {
        informer.run(controller.signal).catch((error: unknown) => {
          diary.push(`run rejected: ${error}`);
        });
      },
      put: async (name, written) => {
        const object = { metadata: { namespace: 'default', name }, data: { written } };
        const there = cluster.storage.get(configMaps, { namespace: 'default', name });
        if (!there) return cluster.admin.create(configMaps, object);
        return cluster.admin.update(configMaps, { ...object, apiVersion: 'v1', kind: 'ConfigMap' });
      },
      remove: (name) => cluster.admin.delete(configMaps, { namespace: 'default', name }),
      stop: () => controller.abort(),
    };
  }

  test('fills its cache, then notifies handlers of the list and of changes', async () => {
    const { cluster, informer, diary, handler, start, put, remove } = await informed();
    await put('a', '1');
    informer.addEventHandler(handler('one'));
    start();
    await cluster.runFor(100);
    await put('b', '2');
    await cluster.runFor(100);
    await put('a', '3');
    await cluster.runFor(100);
    await remove('b');
    await cluster.runFor(100);
    expect(diary, 'the notifications, in order: first the list, marked as initial, then the changes').toEqual(
      ['one: initially a=1', 'one: added b=2', 'one: a=1 became a=3', 'one: deleted b=2'],
    );
    expect(
      informer.indexer.listKeys(),
      'the keys in the cache: processDelta (Level 3) must update it',
    ).toEqual(['default/a']);
    expect(
      informer.indexer.byIndex('written', '3'),
      'the index must be kept up to date: see Index.update (Level 1)',
    ).toHaveLength(1);
  });

  test('updates the cache before it notifies a handler', async () => {
    const { cluster, informer, start, put } = await informed();
    const found: (string | undefined)[] = [];
    informer.addEventHandler({
      onAdd: ({ metadata }) => {
        found.push(informer.indexer.getByKey(`default/${metadata.name}`)?.metadata.resourceVersion);
      },
    });
    start();
    await cluster.runFor(100);
    const { metadata } = await put('a', '1');
    await cluster.runFor(100);
    expect(
      found,
      'the version in the cache while the handler runs: update the cache before you notify',
    ).toEqual([metadata.resourceVersion]);
  });

  test('has synced when the first list is in the cache; a registration has when its handler has processed that list', async () => {
    const { cluster, informer, start, put } = await informed();
    await put('a', '1');
    const registration = informer.addEventHandler({ onAdd: () => cluster.clock.sleep(1_000) });
    start();
    expect(
      [informer.hasSynced(), registration.hasSynced()],
      'hasSynced of the informer and of the registration: before the list',
    ).toEqual([false, false]);
    await cluster.runFor(500);
    expect(
      [informer.hasSynced(), registration.hasSynced()],
      'the list is in the cache, but the slow handler still works on it',
    ).toEqual([true, false]);
    await cluster.runFor(1_000);
    expect([informer.hasSynced(), registration.hasSynced()], 'the handler is done with the list').toEqual([
      true,
      true,
    ]);
    expect(
      Number(informer.lastSyncResourceVersion()),
      'lastSyncResourceVersion after the list',
    ).toBeGreaterThan(0);
  });

  test('notifies a late handler of the cached objects, and then of changes', async () => {
    const { cluster, informer, diary, handler, start, put } = await informed();
    await put('a', '1');
    start();
    await cluster.runFor(100);
    const late = informer.addEventHandler(handler('late'));
    await cluster.runFor(100);
    await put('b', '2');
    await cluster.runFor(100);
    expect(diary, 'a late handler gets the content of the cache first, marked as initial').toEqual([
      'late: initially a=1',
      'late: added b=2',
    ]);
    expect(late.hasSynced(), 'hasSynced of the late registration').toBe(true);
  });

  test('notifies each handler at its own pace', async () => {
    const { cluster, informer, diary, handler, start, put } = await informed();
    informer.addEventHandler({ onAdd: () => new Promise(() => {}) });
    informer.addEventHandler(handler('quick'));
    start();
    await cluster.runFor(100);
    await put('a', '1');
    await put('b', '1');
    await cluster.runFor(100);
    expect(diary, 'the slow handler must not delay the quick one').toEqual([
      'quick: added a=1',
      'quick: added b=1',
    ]);
  });

  test('survives a handler that throws, and still sends it the next notification', async () => {
    const { cluster, informer, diary, handler, start, put } = await informed();
    const notified: string[] = [];
    informer.addEventHandler({
      onAdd: ({ metadata }) => {
        notified.push(metadata.name);
        throw new Error('broken handler');
      },
    });
    informer.addEventHandler(handler('sound'));
    start();
    await put('a', '1');
    await put('b', '1');
    await cluster.runFor(10_000);
    expect(notified, 'the handler that threw must get the next notification, too').toEqual(['a', 'b']);
    expect(diary, 'the other handler must get both notifications').toHaveLength(2);
  });

  test('reports errors of handlers and of the server', async () => {
    const { cluster, informer, start, put, reported } = await informed();
    informer.addEventHandler({
      onAdd: () => {
        throw new Error('broken handler');
      },
    });
    cluster.nemesis.strike({ fault: 'refuse', process: 'informer', reason: 'InternalError', requests: 2 });
    await put('a', '1');
    start();
    await cluster.runFor(10_000);
    expect(reported.map(String).join('\n'), 'errors of the server and of handlers must be reported').toMatch(
      /leader changed[\s\S]*broken handler/,
    );
  });

  test('sends a removed handler no further notification', async () => {
    const { cluster, informer, diary, handler, start, put } = await informed();
    const registration = informer.addEventHandler(handler('one'));
    start();
    await put('a', '1');
    await cluster.runFor(100);
    informer.removeEventHandler(registration);
    await put('b', '1');
    await cluster.runFor(100);
    expect(diary, 'a removed handler must get no further notification').toEqual(['one: initially a=1']);
  });

  test('drops the queued notifications of a removed handler', async () => {
    const { cluster, informer, start, put } = await informed();
    const notified: string[] = [];
    const slow = informer.addEventHandler({
      onAdd: ({ metadata }) => {
        notified.push(metadata.name);
        return cluster.clock.sleep(1_000);
      },
    });
    start();
    for (const name of ['a', 'b', 'c']) await put(name, '1');
    await cluster.runFor(500);
    informer.removeEventHandler(slow);
    await cluster.runFor(10_000);
    expect(notified, 'a removed handler must not get the notifications in its queue').toEqual(['a']);
  });

  test('reports an object that was deleted while no watch was open, with its last known state', async () => {
    const { cluster, informer, diary, handler, start, put, remove } = await informed();
    informer.addEventHandler(handler('one'));
    await put('a', '1');
    start();
    await cluster.runFor(100);
    cluster.replicas[0]?.goDown();
    await cluster.runFor(100);
    await put('a', '2');
    await remove('a');
    cluster.storage.compact(cluster.storage.revision);
    cluster.replicas[0]?.comeBack();
    await cluster.runFor(300_000);
    expect(
      diary,
      'a relist that lacks an object must send a delete with the last known state (replaceAll, Level 3)',
    ).toEqual(['one: initially a=1', 'one: deleted a=1, perhaps']);
  });

  test('resyncs handlers that asked for it, every period, and no other', async () => {
    const { cluster, informer, diary, handler, start, put } = await informed();
    await put('a', '1');
    informer.addEventHandler(handler('again'), { resyncPeriodMs: 10_000 });
    informer.addEventHandler(handler('once'));
    start();
    await cluster.runFor(25_000);
    expect(
      diary.filter((line) => line.startsWith('again')),
      'the handler that asked for a resync gets each object again every period',
    ).toEqual(['again: initially a=1', 'again: a=1 became a=1', 'again: a=1 became a=1']);
    expect(
      diary.filter((line) => line.startsWith('once')),
      'the handler without a resync period gets each object once',
    ).toEqual(['once: initially a=1']);
  });

  test('resyncs each handler at its own period', async () => {
    const { cluster, informer, start, put } = await informed();
    await put('a', '1');
    const again = { often: 0, seldom: 0 };
    informer.addEventHandler({ onUpdate: () => void again.often++ }, { resyncPeriodMs: 10_000 });
    informer.addEventHandler({ onUpdate: () => void again.seldom++ }, { resyncPeriodMs: 30_000 });
    start();
    await cluster.runFor(65_000);
    expect(again, 'resyncs of each handler in the same time: each has its own period').toEqual({
      often: 6,
      seldom: 2,
    });
  });

  test('caches only the selected objects', async () => {
    const { cluster, put } = await informed();
    const informer = createInformer<ConfigMap>({
      client: cluster.connect('selective'),
      resource: configMaps,
      clock: cluster.clock,
      random: seededRandom(1),
      namespace: 'default',
      fieldSelector: 'metadata.name!=b',
    });
    for (const name of ['a', 'b']) await put(name, '1');
    const controller = new AbortController();
    const running = begun(informer.run(controller.signal));
    await cluster.runFor(100);
    for (const name of ['b', 'c']) await put(name, '2');
    await cluster.runFor(100);
    expect(
      informer.indexer.listKeys().sort(),
      'the keys in the cache: list and watch must use the selector',
    ).toEqual(['default/a', 'default/c']);
    controller.abort();
    await cluster.settle(running);
  });

  test('returns after the abort, and notifies no handler after it', async () => {
    const { cluster, informer, diary, handler, put } = await informed();
    const controller = new AbortController();
    informer.addEventHandler(handler('one'));
    const running = begun(informer.run(controller.signal));
    await cluster.runFor(100);
    controller.abort();
    await cluster.settle(running);
    await put('a', '1');
    await cluster.runFor(300_000);
    expect(diary, 'notifications after the abort').toEqual([]);
    expect(cluster.replicas[0]?.server.cache.watcherCount, 'watches left open').toBe(0);
  });

  test('returns after the abort, even while a handler is at work', async () => {
    const { cluster, informer, put } = await informed();
    const controller = new AbortController();
    informer.addEventHandler({ onAdd: () => new Promise(() => {}) });
    await put('a', '1');
    const running = begun(informer.run(controller.signal));
    await cluster.runFor(100);
    controller.abort();
    await cluster.settle(running);
  });

  test('drops queued notifications after the abort', async () => {
    const { cluster, informer, put } = await informed();
    const controller = new AbortController();
    const notified: string[] = [];
    informer.addEventHandler({
      onAdd: ({ metadata }) => {
        notified.push(metadata.name);
        return cluster.clock.sleep(1_000);
      },
    });
    for (const name of ['a', 'b']) await put(name, '1');
    const running = begun(informer.run(controller.signal));
    await cluster.runFor(100);
    controller.abort();
    await cluster.settle(running);
    await cluster.runFor(10_000);
    expect(
      notified,
      'all notifications: one was running at the abort; the queued ones must be dropped',
    ).toHaveLength(1);
  });

  test('refuses to run twice', async () => {
    const { cluster, informer, start } = await informed();
    start();
    await cluster.runFor(100);
    expect(informer.hasSynced(), 'the first time').toBe(true);
    const again = informer.run(new AbortController().signal).then(
      () => 'ran',
      () => 'refused',
    );
    expect(await cluster.settle(again), 'a second run must reject').toBe('refused');
  });

  test('agrees with client-go: missed events are delivered by the relist, unchanged objects to handlers that resync', async () => {
    const [row] = vectors<unknown, Record<'noResyncHandler' | 'resyncHandler', string[]>>(
      'informer',
      'disruption',
      1,
    );
    const { cluster, informer, diary, handler, start, put } = await informed();
    await put('pod1', '1');
    await put('pod2', '2');
    informer.addEventHandler(handler('noResyncHandler'));
    informer.addEventHandler(handler('resyncHandler'), { resyncPeriodMs: 1_000 });
    start();
    // Long enough for a resync, and for the notifications of both handlers.
    await cluster.runFor(3_500);
    diary.length = 0;
    cluster.replicas[0]?.goDown();
    await put('pod3', '3');
    await put('pod2', '4');
    cluster.storage.compact(cluster.storage.revision);
    cluster.replicas[0]?.comeBack();
    await cluster.runFor(5_000);
    for (const name of ['noResyncHandler', 'resyncHandler'] as const) {
      const notified = diary
        .filter((line) => line.startsWith(name))
        .map((line) => /pod\d/.exec(line)?.[0] ?? '');
      // Handlers without a resync may also get unchanged objects: upstream notifies them if no handler resyncs.
      expect([...new Set(notified)], name).toEqual(expect.arrayContaining(row?.expect[name] ?? []));
    }
  });
});
