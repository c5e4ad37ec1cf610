import { describe, expect, test } from 'vitest';
import { configMaps, pods } from '../../api/resource.ts';
import type { WatchOptions } from '../../contracts/client.ts';
import { configMap, createAll, key, record, type World, world } from './replicas.fixture.ts';

const MINUTE = 60_000;

async function watching({ server, sim }: World, options: WatchOptions = {}) {
  const recorded = record(await server.watch(configMaps, options));
  await sim.run({ forMs: 0 });
  return recorded;
}

describe('Watch: the start', () => {
  test('from 0: sends the replica’s state, however old, and then changes', async () => {
    const made = await world();
    await createAll(made, 'a', 'b');
    made.server.cache.hold();
    await made.other.delete(configMaps, key('a'));
    const watch = await watching(made, { resourceVersion: '0' });
    expect(watch.told()).toEqual(['ADDED a@2', 'ADDED b@3']);
    made.server.cache.release();
    await made.sim.run({ forMs: 0 });
    expect(watch.told().slice(2)).toEqual(['DELETED a@4']);
  });

  test('from a revision: sends the changes since then in order, and then new ones', async () => {
    const made = await world();
    const resourceVersion = await createAll(made, 'a');
    await createAll(made, 'b', 'c');
    await made.server.delete(configMaps, key('b'));
    const watch = await watching(made, { resourceVersion });
    await createAll(made, 'd');
    await made.sim.run({ forMs: 0 });
    expect(watch.told()).toEqual(['ADDED b@3', 'ADDED c@4', 'DELETED b@5', 'ADDED d@6']);
  });

  test('from the future: sends no changes before that revision', async () => {
    const made = await world();
    const watch = await watching(made, { resourceVersion: '4', allowWatchBookmarks: true });
    await createAll(made, 'a');
    await made.sim.run({ forMs: MINUTE });
    await createAll(made, 'b', 'c', 'd');
    await made.sim.run({ forMs: MINUTE });
    // Bookmarks do not go back either.
    expect(watch.told()).toEqual(['ADDED d@5', 'BOOKMARK @5']);
  });

  test('from the future of a stale replica: continues without a gap', async () => {
    const made = await world();
    made.server.cache.hold();
    const resourceVersion = await createAll({ ...made, server: made.other }, 'a', 'b');
    await createAll({ ...made, server: made.other }, 'c');
    const watch = await watching(made, { resourceVersion });
    expect(watch.told()).toEqual([]);
    made.server.cache.release();
    await made.sim.run({ forMs: 0 });
    expect(watch.told()).toEqual(['ADDED c@4']);
  });

  test('from before the compaction: ends with an error in the stream', async () => {
    const made = await world();
    await createAll(made, 'a', 'b');
    made.storage.compact(3);
    const watch = await watching(made, { resourceVersion: '2' });
    expect(watch.events).toMatchObject([
      { type: 'ERROR', object: { code: 410, reason: 'Expired', message: 'too old resource version: 2 (3)' } },
    ]);
    expect([watch.over, made.server.cache.watcherCount]).toEqual([true, 0]);
    expect((await watching(made, { resourceVersion: '3' })).events).toEqual([]);
  });

  test('an open watch survives a compaction', async () => {
    const made = await world();
    const watch = await watching(made, { resourceVersion: '1' });
    made.server.cache.hold();
    await createAll(made, 'a', 'b');
    made.storage.compact(made.storage.revision);
    made.server.cache.release();
    await made.sim.run({ forMs: 0 });
    expect(watch.told()).toEqual(['ADDED a@2', 'ADDED b@3']);
  });
});

describe('Watch: the duration', () => {
  test('lasts as long as requested, to the second', async () => {
    const made = await world();
    const watch = await watching(made, { timeoutSeconds: 7 });
    await made.sim.run({ forMs: 6_999 });
    expect(watch.over).toBe(false);
    await made.sim.run({ forMs: 1 });
    expect([watch.over, made.server.cache.watcherCount]).toEqual([true, 0]);
  });

  test('defaults to a random time from 30 to 60 minutes', async () => {
    const made = await world();
    const ends: number[] = [];
    for (let i = 0; i < 20; i++) {
      const watch = record(await made.server.watch(configMaps));
      const beganMs = made.sim.elapsedMs;
      await made.sim.run({ until: () => watch.over });
      ends.push((made.sim.elapsedMs - beganMs) / MINUTE);
    }
    expect(Math.min(...ends)).toBeGreaterThanOrEqual(30);
    expect(Math.max(...ends)).toBeLessThanOrEqual(60);
    expect(new Set(ends).size).toBe(20);
  });

  test('leaves no timer and no watcher behind when it stops', async () => {
    const made = await world();
    const watch = await made.server.watch(configMaps, { allowWatchBookmarks: true });
    expect(made.sim.pending).toBeGreaterThan(0);
    watch.stop();
    expect([made.sim.pending, made.server.cache.watcherCount]).toEqual([0, 0]);
  });
});

describe('Watch: bookmarks', () => {
  test('report the replica’s position every minute in which it moved', async () => {
    const made = await world();
    const watch = await watching(made, { resourceVersion: '1', allowWatchBookmarks: true });
    await made.sim.run({ forMs: MINUTE });
    expect(watch.told()).toEqual([]);
    await made.server.create(pods, {
      metadata: key('elsewhere'),
      spec: { containers: [{ name: 'a', image: 'a' }] },
    });
    await made.sim.run({ forMs: MINUTE - 1 });
    expect(watch.told()).toEqual([]);
    await made.sim.run({ forMs: 1 });
    expect(watch.told()).toEqual(['BOOKMARK @2']);
    await made.sim.run({ forMs: 5 * MINUTE });
    expect(watch.told()).toEqual(['BOOKMARK @2']);
    expect(watch.events[0]?.object).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { resourceVersion: '2' },
    });
  });

  test('are empty objects of their kind, as Go prints them', async () => {
    const { sim, server } = await world();
    const watch = await server.watch(pods, { resourceVersion: '1', allowWatchBookmarks: true });
    const events = record(watch);
    await server.create(configMaps, { metadata: key('elsewhere') });
    await sim.run({ forMs: MINUTE });
    expect(events.events.map(({ object }) => object)).toEqual([
      {
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: { resourceVersion: '2' },
        spec: { containers: null },
        status: {},
      },
    ]);
  });

  test('move a watch that resumed from an old revision forward, even without events', async () => {
    const made = await world();
    await made.server.create(pods, {
      metadata: key('elsewhere'),
      spec: { containers: [{ name: 'a', image: 'a' }] },
    });
    const watch = await watching(made, { resourceVersion: '1', allowWatchBookmarks: true });
    await made.sim.run({ forMs: MINUTE });
    expect(watch.told()).toEqual(['BOOKMARK @2']);
  });

  test('never exceed the last event of the stream', async () => {
    const made = await world();
    const watch = await watching(made, { resourceVersion: '1', allowWatchBookmarks: true });
    await createAll(made, 'a');
    made.server.cache.hold();
    await createAll(made, 'b');
    await made.sim.run({ forMs: MINUTE });
    made.server.cache.release();
    await made.sim.run({ forMs: 0 });
    expect(watch.told()).toEqual(['ADDED a@2', 'BOOKMARK @2', 'ADDED b@3']);
  });

  test('include a last one two seconds before the end', async () => {
    const made = await world();
    const watch = await watching(made, {
      resourceVersion: '1',
      allowWatchBookmarks: true,
      timeoutSeconds: 20,
    });
    await made.server.create(configMaps, configMap('a'));
    await made.sim.run({ forMs: 17_999 });
    expect(watch.told()).toEqual(['ADDED a@2']);
    await made.sim.run({ forMs: 1 });
    expect([watch.told(), watch.over]).toEqual([['ADDED a@2', 'BOOKMARK @2'], false]);
  });

  test('are sent only on request', async () => {
    const made = await world();
    const watch = await watching(made, { resourceVersion: '1' });
    await createAll(made, 'a');
    await made.sim.run({ forMs: 10 * MINUTE });
    expect(watch.told()).toEqual(['ADDED a@2']);
  });
});
