import { describe, expect, test } from 'vitest';
import type { ObjectListOptions, ObjectWatchOptions } from '#given/12-store';
import type { KubeObject } from '#harness';
import { named, soFar, vectors } from '#harness/testing';
import { newObjectStore, ObjectWriter, PROGRESS_EVERY_MS, WatchCache } from '#kata/12-store/store';
import { configMap, openContext, placeOf, shortEvents, shortList, withData } from './objects.fixture.ts';
import { errorOf } from './steps.fixture.ts';
import { Reader } from './streams.fixture.ts';

/** The revisions of {@link behind}. Everything below `COMPACTED` is compacted. */
const [COMPACTED, CACHED, NEWEST, FUTURE] = [4, 6, 8, 99];

/**
 * Opens objects whose cache is behind: it has `a`, `b` and `c` at 6. The store is at 8, and has changed `c` and removed
 * `a`.
 */
async function behind() {
  const { sim, store, context } = await openContext();
  const writer = new ObjectWriter(context);
  for (const name of ['a', 'b', 'c', 'other/d']) await writer.create(configMap(name));
  await writer.write(placeOf('other/d'), () => undefined);
  const objects = newObjectStore(context);
  await sim.run({ forMs: 0 });
  store.hold();
  await objects.update(placeOf('c'), (object) => withData(object, { changed: 'yes' }));
  await objects.delete(placeOf('a'));
  await store.compact(COMPACTED);
  const now = <T>(promise: Promise<T>) =>
    soFar(
      promise.then((value) => value, errorOf),
      sim,
    );
  return { sim, store, objects, now };
}

const OLD = 'a@2 b@3 c@4, at 6';
const NEW = 'b@3 c@7, at 8';

/** A token for tests: it continues at a revision, after `a`. */
const token = (rv: number): string =>
  btoa(JSON.stringify({ v: 'meta.k8s.io/v1', rv, start: 'ns/a\0' })).replace(/=+$/, '');

const inTable = (text: string | undefined, n: number): string | undefined => {
  const revisions: Readonly<Record<string, number>> = { N: n, compacted: COMPACTED - 1, future: FUTURE };
  const revision = text === undefined ? undefined : revisions[text];
  return revision === undefined ? text : String(revision);
};

interface ReadRow {
  readonly verb: string;
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly limit?: number;
}

interface ReadExpected {
  readonly semantics?: 'newest' | 'any' | 'notOlderThan' | 'exact';
  readonly code?: number;
  readonly message?: string;
  readonly event?: string;
  readonly initialEvents?: boolean;
  readonly bookmark?: boolean;
  readonly start?: string;
}

describe('Level 10 · Which state', () => {
  test('A cache that is there need not wait', async () => {
    const { sim } = await openContext();
    const cache = new WatchCache();
    cache.replace([], 5);
    expect(await soFar(cache.reached(5, sim.clock).then(() => 'reached'))).toBe('reached');
  });

  test('A cache resolves as soon as it has reached a revision', async () => {
    const { sim } = await openContext();
    const cache = new WatchCache();
    cache.replace([], 5);
    const reached = cache.reached(7, sim.clock).then(() => 'reached');
    await sim.run({ forMs: 1_234 });
    cache.apply({ revision: 6, events: [] });
    expect(await soFar(reached, sim)).toBe('waits');
    cache.apply({ revision: 7, events: [] });
    expect(await soFar(reached, sim)).toBe('reached');
  });

  test('A cache that waits asks for progress, again and again', async () => {
    const { sim } = await openContext();
    const cache = new WatchCache();
    cache.replace([], 5);
    const asked: number[] = [];
    cache.requestProgress = () => asked.push(sim.elapsedMs);
    const reached = cache.reached(7, sim.clock).catch(errorOf);
    await sim.run({ forMs: 3 * PROGRESS_EVERY_MS });
    expect(asked, 'the times of the requests, in ms').toEqual([0, 100, 200, 300]);
    await sim.run();
    await reached;
    expect(asked.length, 'requests for progress: the cache gives up after 3 seconds').toBeLessThanOrEqual(30);
  });

  test('After 3 seconds, the cache gives up', async () => {
    const { sim } = await openContext();
    const cache = new WatchCache();
    cache.replace([], 5);
    const reached = cache.reached(7, sim.clock).catch(errorOf);
    await sim.run({ forMs: 1_000 });
    cache.apply({ revision: 6, events: [] });
    await sim.run({ forMs: 1_999 });
    expect(await soFar(reached, sim)).toBe('waits');
    await sim.run({ forMs: 1 });
    expect(await soFar(reached, sim)).toBe('Timeout: Too large resource version: 7, current: 6');
  });

  test('A list of the newest state waits for the cache', async () => {
    const { objects, store, now } = await behind();
    const list = objects.list().then(shortList);
    expect(await now(list), 'the cache is at 6, and the store at 8').toBe('waits');
    store.release();
    expect(await now(list), 'the cache is at 8').toBe(NEW);
  });

  test('If the cache is too late, the store has the newest state', async () => {
    const { objects, sim, now } = await behind();
    const list = objects.list().then(shortList);
    await sim.run({ forMs: 2_999 });
    expect(await now(list)).toBe('waits');
    await sim.run({ forMs: 1 });
    expect(await now(list)).toBe(NEW);
  });

  test('An idle resource is fresh, although others are written', async () => {
    const { objects, store, now } = await behind();
    store.release();
    await store.transact({ then: [{ put: { key: '/registry/pods/ns/a', value: '{}' } }] });
    expect(await now(objects.list().then(shortList))).toBe('b@3 c@7, at 9');
  });

  test('A list of an empty resource has the revision of the store', async () => {
    const { sim, store, context } = await openContext();
    await store.transact({ then: [{ put: { key: '/registry/configmap', value: '{}' } }] });
    expect(await soFar(newObjectStore(context).list().then(shortList), sim)).toBe(', at 2');
  });

  test('A read of the first moment waits for the first list', async () => {
    const { sim, context } = await openContext();
    const objects = newObjectStore(context);
    const list = objects.list({ resourceVersion: '0' }).then(shortList);
    const watch = objects.watch({ resourceVersion: '5' }).catch(errorOf);
    expect(await soFar(list, sim)).toBe(', at 1');
    expect(await soFar(watch, sim)).toBeTypeOf('object');
  });

  test.each([
    ['a namespace', { namespace: 'other' }],
    ['a selector', { matches: ({ metadata }: KubeObject) => metadata.namespace === 'other' }],
  ])('A watch of %s gets its objects only', async (_, options) => {
    const { objects, store, sim } = await behind();
    store.release();
    const watch = new Reader(await objects.watch(options), sim);
    await objects.create(configMap('b2'));
    await objects.create(configMap('other/b2'));
    await objects.create(configMap('other-2/b2'));
    expect(shortEvents(await watch.read())).toEqual(['ADDED other/b2@10']);
  });

  test('Between the state and the changes, nothing is missing and nothing comes twice', async () => {
    const { objects, store, sim } = await behind();
    const watch = new Reader(await objects.watch({ resourceVersion: '0' }), sim);
    expect(shortEvents(await watch.read())).toEqual(['ADDED a@2', 'ADDED b@3', 'ADDED c@4']);
    store.release();
    expect(shortEvents(await watch.read())).toEqual(['MODIFIED c@7', 'DELETED a@8']);
  });

  test('A list and a watch from it miss nothing, although the cache is behind', async () => {
    const { objects, store, sim } = await behind();
    const { metadata } = await objects.list({ resourceVersion: '8', resourceVersionMatch: 'Exact' });
    const watch = new Reader(await objects.watch({ resourceVersion: metadata.resourceVersion }), sim);
    store.release();
    await objects.create(configMap('d'));
    expect(shortEvents(await watch.read())).toEqual(['ADDED d@9']);
  });

  test('When the watch of the store ends, watches end, and the cache lists again', async () => {
    const { objects, store, sim } = await behind();
    const watch = new Reader(await objects.watch({ resourceVersion: '6' }), sim);
    store.endWatches();
    await sim.run({ forMs: 2_000 });
    expect([await watch.read(), watch.ended]).toEqual([[], true]);
    store.release();
    expect(shortList(await objects.list({ resourceVersion: '0' }))).toBe(NEW);
  });

  // The cache has one state, and the store another: an answer shows which of them it is.
  const lists = vectors<ReadRow, ReadExpected>('resource-version-reads', 'list', 20);
  const gets = vectors<ReadRow, ReadExpected>('resource-version-reads', 'get', 5);
  const watches = vectors<ReadRow, ReadExpected>('resource-version-reads', 'watch', 12);

  test.each(named(lists))('The state of a list: %s', async (_, { input, expect: expected }) => {
    const { objects, store, sim, now } = await behind();
    const { verb: __, continue: after, ...rest } = input;
    const given = after?.replace('token@', '');
    const at = given === 'R' ? CACHED : given === 'compacted' ? COMPACTED - 1 : Number(given);
    const options = {
      ...rest,
      ...(after && { continue: token(at) }),
      resourceVersion: inTable(input.resourceVersion, CACHED),
    } as ObjectListOptions;
    const list = objects.list(options);
    const first = await now(list.then(shortList));
    if (expected.code !== undefined) {
      await sim.run({ forMs: 3_000 });
      const error = await list.catch((refused) => refused);
      expect(error.status?.code).toBe(expected.code);
      if (expected.message) expect(error.message).toBe(expected.message);
    } else if (expected.semantics === 'newest') {
      expect(first, 'the cache is at 6, and the store at 8').toBe('waits');
      store.release();
      expect(await now(list.then(shortList)), 'the cache is at 8').toBe(NEW);
    } else {
      const rows: Readonly<Record<string, string>> = after
        ? { exact: 'b@3 c@4, at 6' }
        : { any: OLD, notOlderThan: OLD, exact: OLD };
      const paged = input.limit === 2 && !after && expected.semantics !== 'any';
      expect(first, 'the cache is at 6, the store at 8, and the list asks for 6').toBe(
        paged ? 'a@2 b@3, at 6' : rows[expected.semantics ?? ''],
      );
    }
  });

  test.each([0, 2])(
    'A list not older than the newest revision waits for the cache: limit %i',
    async (limit) => {
      const { objects, store, now } = await behind();
      const list = objects.list({ resourceVersion: '8', resourceVersionMatch: 'NotOlderThan', limit });
      expect(await now(list.then(shortList))).toBe('waits');
      store.release();
      expect(await now(list.then(shortList))).toBe(NEW);
    },
  );

  test.each(named(gets))('The state of a get: %s', async (_, { input, expect: expected }) => {
    const { objects, sim, now } = await behind();
    const resourceVersion = inTable(input.resourceVersion, CACHED);
    const options = resourceVersion === undefined ? {} : { resourceVersion };
    const get = objects.get(placeOf('c'), options);
    const first = await now(get.then(({ metadata }) => metadata.resourceVersion));
    if (expected.code === undefined) {
      expect(first, 'c is at 4 in the cache, and at 7 in the store').toBe(
        expected.semantics === 'newest' ? '7' : '4',
      );
      return;
    }
    await sim.run({ forMs: 3_000 });
    const error = await get.catch((refused) => refused);
    expect(error.status.code).toBe(expected.code);
    if (expected.message) expect(error.message).toBe(expected.message);
  });

  test('A get in the cache does not find an object that only the store has', async () => {
    const { objects, now } = await behind();
    await objects.create(configMap('new'));
    expect(await now(objects.get(placeOf('new'), { resourceVersion: '0' }))).toBe(
      'configmaps "new" not found',
    );
    expect((await objects.get(placeOf('new'))).metadata.resourceVersion).toBe('9');
  });

  test.each(named(watches))('The start of a watch: %s', async (_, { input, expect: expected }) => {
    const { objects, store, sim, now } = await behind();
    const { verb: __, ...rest } = input;
    const options = {
      ...rest,
      resourceVersion: inTable(input.resourceVersion, CACHED),
    } as ObjectWatchOptions;
    const opened = objects.watch(options);
    const begun = now(opened.then(() => 'open'));
    if (expected.event === 'ERROR') {
      await begun;
      await sim.run({ forMs: expected.code === 504 ? 3_000 : 0 });
      const error = await opened.catch((refused) => refused);
      expect(error.status?.code).toBe(expected.code);
      return;
    }
    const isNewest = expected.start === 'newest' || input.resourceVersion === undefined;
    if (isNewest) {
      expect(await begun, 'the cache is behind the newest state').toBe('waits');
      store.release();
    } else expect(await begun).toBe('open');
    const watch = new Reader(await opened, sim);
    const start = isNewest ? NEWEST : CACHED;
    const state = isNewest ? ['ADDED b@3', 'ADDED c@7'] : ['ADDED a@2', 'ADDED b@3', 'ADDED c@4'];
    expect(shortEvents(await watch.read()), 'before the cache moves on').toEqual([
      ...(expected.initialEvents ? state : []),
      ...(expected.bookmark ? [`BOOKMARK ${start} k8s.io/initial-events-end`] : []),
    ]);
    store.release();
    const changes = isNewest || input.resourceVersion === 'future' ? [] : ['MODIFIED c@7', 'DELETED a@8'];
    expect(shortEvents(await watch.read()), 'the changes at 7 and 8').toEqual(changes);
  });
});
