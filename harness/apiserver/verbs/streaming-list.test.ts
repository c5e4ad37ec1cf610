import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { configMaps, pods } from '../../api/resource.ts';
import { isInitialEventsEnd } from '../../api/watch-event.ts';
import type { WatchOptions } from '../../contracts/client.ts';
import { Simulation } from '../../sim/index.ts';
import { ApiServer } from '../apiserver.ts';
import { configMap, createAll, key, record, refusal, type World, world } from './replicas.fixture.ts';

const STREAM = {
  sendInitialEvents: true,
  resourceVersionMatch: 'NotOlderThan',
  allowWatchBookmarks: true,
} as const satisfies WatchOptions;

/** Creates a at revision 2, b at 3 and c at 4; `server` has seen revision 3. */
async function staleReplica() {
  const made = await world();
  await createAll(made, 'a', 'b');
  made.server.cache.hold();
  await createAll(made, 'c');
  return made;
}

/** Records the stream until no work is due. `releaseAfterMs` lets the replica catch up after that time. */
async function streamed({ server, sim }: World, options: WatchOptions, releaseAfterMs?: number) {
  if (releaseAfterMs !== undefined)
    sim.schedule(releaseAfterMs, 'test', 'release', () => server.cache.release());
  const recorded = record(await sim.settle(server.watch(configMaps, options)));
  await sim.run({ forMs: 0 });
  return recorded;
}

const AB = ['ADDED a@2', 'ADDED b@3'];

describe('Streaming list: which state it sends', () => {
  test.each(['0', '1', '3'])('from %s sends the replica’s state at once', async (resourceVersion) => {
    const made = await staleReplica();
    const stream = await streamed(made, { ...STREAM, resourceVersion });
    expect(stream.told()).toEqual([...AB, 'BOOKMARK @3']);
    expect(made.sim.elapsedMs).toBe(0);
  });

  test.each([{}, { resourceVersion: '4' }])('%j waits for the replica', async (from) => {
    const made = await staleReplica();
    const stream = await streamed(made, { ...STREAM, ...from }, 2_000);
    expect(stream.told()).toEqual([...AB, 'ADDED c@4', 'BOOKMARK @4']);
    expect(made.sim.elapsedMs).toBe(2_000);
  });

  test.each([{}, { resourceVersion: '4' }])(
    '%j ends with an error in the stream after three seconds',
    async (from) => {
      const made = await staleReplica();
      const { events, over } = await streamed(made, { ...STREAM, ...from });
      expect([made.sim.elapsedMs, over, events.length]).toEqual([3_000, true, 1]);
      expect(events[0]).toMatchObject({
        type: 'ERROR',
        object: {
          code: 504,
          reason: 'Timeout',
          message: 'Timeout: Too large resource version: 4, current: 3',
          details: { retryAfterSeconds: 1, causes: [{ reason: 'ResourceVersionTooLarge' }] },
        },
      });
      expect([made.server.cache.watcherCount, made.sim.pending]).toEqual([0, 0]);
    },
  );

  test('accepts a compacted revision, because it is only a minimum', async () => {
    const made = await staleReplica();
    made.server.cache.release();
    made.storage.compact(4);
    const stream = await streamed(made, { ...STREAM, resourceVersion: '2' });
    expect(stream.told()).toEqual([...AB, 'ADDED c@4', 'BOOKMARK @4']);
  });

  test('an aborted request stops waiting', async () => {
    const { sim, server } = await staleReplica();
    const [abort, reason] = [new AbortController(), new Error('enough')];
    const asked = { ...STREAM, signal: abort.signal };
    const opened = server.watch(configMaps, asked).catch((error: unknown) => error);
    abort.abort(reason);
    expect(await opened).toBe(reason);
    expect([sim.elapsedMs, sim.pending]).toEqual([0, 0]);
  });

  test('a request aborted while it opens gets no stream', async () => {
    const { server } = await world();
    const [abort, reason] = [new AbortController(), new Error('enough')];
    const opened = server.watch(configMaps, { ...STREAM, signal: abort.signal });
    abort.abort(reason);
    await expect(opened).rejects.toBe(reason);
    expect(server.cache.watcherCount).toBe(0);
  });

  test('sends the selected objects and their end, also if none are selected', async () => {
    const made = await staleReplica();
    const selecting = (fieldSelector: string) =>
      streamed(made, { ...STREAM, resourceVersion: '0', fieldSelector });
    expect((await selecting('metadata.name=b')).told()).toEqual(['ADDED b@3', 'BOOKMARK @3']);
    expect((await selecting('metadata.name=c')).told()).toEqual(['BOOKMARK @3']);
  });
});

describe('Streaming list: the end of the state', () => {
  test('ends with a bookmark of the kind at the replica’s revision, with the annotation', async () => {
    const { events } = await streamed(await staleReplica(), { ...STREAM, resourceVersion: '0' });
    expect(events.at(-1)).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { resourceVersion: '3', annotations: { 'k8s.io/initial-events-end': 'true' } },
      },
    });
    expect(events.map(isInitialEventsEnd)).toEqual([false, false, true]);
  });

  test('has no annotation on later bookmarks', async () => {
    const made = await staleReplica();
    const stream = await streamed(made, { ...STREAM, resourceVersion: '0' });
    made.server.cache.release();
    await made.sim.run({ forMs: 60_000 });
    expect(stream.told().slice(2)).toEqual(['BOOKMARK @3', 'ADDED c@4', 'BOOKMARK @4']);
    expect(stream.events.map(isInitialEventsEnd)).toEqual([false, false, true, false, false]);
  });

  test('has no end bookmark for a client that did not request bookmarks', async () => {
    const { allowWatchBookmarks: _, ...silent } = STREAM;
    const stream = await streamed(await staleReplica(), { ...silent, resourceVersion: '0' });
    expect(stream.told()).toEqual(AB);
  });

  test.each(['0', undefined])(
    'a plain watch from %s is a streaming list, as before the name existed',
    async (resourceVersion) => {
      const made = await staleReplica();
      made.server.cache.release();
      const plain = {
        allowWatchBookmarks: true,
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      };
      const stream = await streamed(made, plain);
      expect(stream.events).toEqual((await streamed(made, { ...plain, ...STREAM })).events);
      expect(stream.told()).toEqual([...AB, 'ADDED c@4', 'BOOKMARK @4']);
    },
  );
});

describe('Streaming list: disabled', () => {
  const NONE = { sendInitialEvents: false, resourceVersionMatch: 'NotOlderThan' } as const;
  const table: readonly [from: WatchOptions, told: readonly string[]][] = [
    // From now on, in the replica's view or in that of storage.
    [{ resourceVersion: '0' }, ['ADDED c@4', 'ADDED d@5']],
    [{}, ['ADDED d@5']],
    [{ resourceVersion: '2' }, ['ADDED b@3', 'ADDED c@4', 'ADDED d@5']],
    [{ resourceVersion: '4' }, ['ADDED d@5']],
  ];
  test.each(table)('sends only changes with sendInitialEvents=false and %j', async (from, told) => {
    const made = await staleReplica();
    const stream = await streamed(made, { ...NONE, ...from });
    expect(made.sim.elapsedMs).toBe(0);
    made.server.cache.release();
    await createAll(made, 'd');
    await made.sim.run({ forMs: 0 });
    expect(stream.told()).toEqual(told);
  });

  test('reports an error for changes before the compaction', async () => {
    const made = await staleReplica();
    made.server.cache.release();
    made.storage.compact(4);
    const { events } = await streamed(made, { ...NONE, resourceVersion: '2' });
    expect(events).toMatchObject([
      { type: 'ERROR', object: { code: 410, message: 'too old resource version: 2 (4)' } },
    ]);
  });

  test.each([
    [{ sendInitialEvents: true }, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'],
    [
      { resourceVersionMatch: 'NotOlderThan' },
      'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
  ] as const)('%j is rejected', async (options, why) => {
    const { server } = await world();
    expect(await refusal(server.watch(configMaps, options))).toBe(
      `422 Invalid: ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: ${why}`,
    );
  });
});

describe('Streaming list on a server without the feature', () => {
  async function without() {
    const made = await world();
    await createAll(made, 'a');
    const { sim, storage } = made;
    return new ApiServer({ clock: sim.clock, random: sim.random, storage, servesStreamingLists: false });
  }

  test('is rejected', async () => {
    expect(await refusal((await without()).watch(configMaps, STREAM))).toBe(
      '422 Invalid: ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
    );
  });

  test('still serves a watch without a resourceVersion, but without the end bookmark', async () => {
    const server = await without();
    const stream = record(await server.watch(configMaps, { allowWatchBookmarks: true }));
    await new Simulation().run({ forMs: 0 });
    expect(stream.told()).toEqual(['ADDED a@2']);
  });
});

describe('Streaming list: guarantees', () => {
  const write = fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    late: fc.boolean(),
  });

  test('Whole: events before the bookmark equal a list at its revision, and later events lead to the final state', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { maxLength: 12 }),
        fc.nat({ max: 12 }),
        fc.constantFrom(undefined, '0', '3'),
        async (writes, opensAt, resourceVersion) => {
          const made = await world();
          const { server, other, sim, storage } = made;
          await createAll(made, 'a', 'b');
          const toggle = async ({ name, late }: { name: string; late: boolean }) => {
            if (late) server.cache.hold();
            else server.cache.release();
            if (storage.get(configMaps, key(name))) await other.delete(configMaps, key(name));
            else await other.create(configMaps, configMap(name));
          };
          for (const each of writes.slice(0, opensAt)) await toggle(each);
          const from = resourceVersion === undefined ? {} : { resourceVersion };
          const stream = await streamed(made, { ...STREAM, ...from }, 1_000);
          for (const each of writes.slice(opensAt)) await toggle(each);
          server.cache.release();
          await sim.run({ forMs: 0 });

          const has = new Map<string, unknown>();
          for (const event of stream.events) {
            if (event.type === 'ADDED') has.set(event.object.metadata.name, event.object);
            if (event.type === 'DELETED') has.delete(event.object.metadata.name);
            if (!isInitialEventsEnd(event)) continue;
            const at = { resourceVersion: event.object.metadata?.resourceVersion ?? '' };
            const list = await server.list(configMaps, { ...at, resourceVersionMatch: 'Exact' });
            expect([...has.values()]).toEqual(list.items);
          }
          expect(stream.events.filter(isInitialEventsEnd)).toHaveLength(1);
          expect(new Set(has.values())).toEqual(new Set((await server.list(configMaps)).items));
        },
      ),
    );
  });

  test('sends no objects of another kind', async () => {
    const made = await world();
    await createAll(made, 'a');
    const stream = record(await made.server.watch(pods, STREAM));
    await made.sim.run({ forMs: 0 });
    expect(stream.told()).toEqual(['BOOKMARK @2']);
  });
});
