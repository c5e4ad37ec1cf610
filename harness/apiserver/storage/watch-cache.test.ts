import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeObject, Pod } from '../../api/objects.ts';
import { configMaps, pods, type Resource } from '../../api/resource.ts';
import { isTooLargeResourceVersion, type StatusError } from '../../api/status.ts';
import type { WatchEvent } from '../../api/watch-event.ts';
import { Simulation } from '../../sim/index.ts';
import { apply, object, writes } from './objects.fixture.ts';
import { Storage } from './storage.ts';
import { WatchCache, type WatchScope } from './watch-cache.ts';

function world() {
  const sim = new Simulation();
  const storage = new Storage();
  const cache = new WatchCache(storage, sim.clock, (resource) =>
    resource === configMaps ? appOf : undefined,
  );
  const write = (name: string): number =>
    Number(storage.create(configMaps, object(name)).metadata.resourceVersion);
  return { sim, storage, cache, write };
}

const appOf = (it: KubeObject): string => it.metadata.labels?.app ?? '';

/** Starts a watcher that records its events as text. */
function watcher(
  cache: WatchCache,
  matches: (it: KubeObject) => boolean = () => true,
  scope: WatchScope = {},
  resource: Resource = configMaps,
) {
  const told: string[] = [];
  const send = ({ type, object: it }: WatchEvent): void => {
    const { metadata } = it as KubeObject;
    told.push(`${type} ${metadata.namespace}/${metadata.name}@${metadata.resourceVersion}`);
  };
  const stop = cache.watch(resource, { scope, matches, send, end: () => told.push('END') });
  return { told, stop };
}

describe('WatchCache', () => {
  test('follows the log immediately', () => {
    const { cache, write } = world();
    const { told } = watcher(cache);
    write('a');
    expect([cache.position, told]).toEqual([1, ['ADDED default/a@1']]);
    expect(cache.list(configMaps)).toHaveLength(1);
  });

  test('starts at the revision of the storage', () => {
    const { storage, sim, write } = world();
    write('a');
    const late = new WatchCache(storage, sim.clock, () => undefined);
    expect([late.position, late.list(configMaps).length, late.changesSince(configMaps, 1)]).toEqual([
      1,
      1,
      [],
    ]);
  });

  test('keeps its position while it is held, and catches up when it is released', () => {
    const { storage, cache, write } = world();
    const { told } = watcher(cache);
    write('a');
    cache.hold();
    write('b');
    write('c');
    expect([cache.position, storage.revision, told.length]).toEqual([1, 3, 1]);
    expect(cache.list(configMaps)).toHaveLength(1);
    cache.release();
    expect(told).toEqual(['ADDED default/a@1', 'ADDED default/b@2', 'ADDED default/c@3']);
  });

  test('sees each write after the delay, in order', async () => {
    const { sim, cache, write } = world();
    const { told } = watcher(cache);
    cache.delayMs = 100;
    write('a');
    await sim.run({ forMs: 60 });
    write('b');
    await sim.run({ forMs: 39 });
    expect(told).toEqual([]);
    await sim.run({ forMs: 1 });
    expect([cache.position, told]).toEqual([1, ['ADDED default/a@1']]);
    await sim.run({ forMs: 60 });
    expect(told).toEqual(['ADDED default/a@1', 'ADDED default/b@2']);
  });

  test('catches up when the delay ends, but not while it is held', async () => {
    const { cache, write } = world();
    cache.delayMs = 100;
    cache.hold();
    write('a');
    cache.delayMs = 0;
    expect(cache.position).toBe(0);
    cache.release();
    expect(cache.position).toBe(1);
  });

  test('stays held when a delayed write is due', async () => {
    const { sim, cache, write } = world();
    cache.delayMs = 10;
    write('a');
    cache.hold();
    await sim.run({ forMs: 50 });
    expect(cache.position).toBe(0);
  });

  test('returns the changes since a revision, up to its position', () => {
    const { cache, write } = world();
    for (const name of ['a', 'b', 'c']) write(name);
    cache.hold();
    write('d');
    const since = (revision: number): number[] =>
      cache.changesSince(configMaps, revision).map((entry) => entry.revision);
    expect([since(0), since(2), since(3), since(9)]).toEqual([[1, 2, 3], [3], [], []]);
    expect(cache.changesSince(pods, 0)).toEqual([]);
  });

  test('sends nothing to a stopped watcher', () => {
    const { cache, write } = world();
    const { told, stop } = watcher(cache);
    stop();
    stop();
    write('a');
    expect([told, cache.watcherCount]).toEqual([[], 0]);
  });

  test('stops no other watcher if one watcher stops twice', () => {
    const { cache, write } = world();
    const { stop } = watcher(cache);
    stop();
    const { told } = watcher(cache);
    stop();
    write('a');
    expect(told).toHaveLength(1);
  });

  test('ends every watch at once', () => {
    const { cache } = world();
    const one = watcher(cache);
    const other = watcher(cache, undefined, { namespace: 'default' });
    expect(cache.watcherCount).toBe(2);
    cache.endWatches();
    expect([one.told, other.told]).toEqual([['END'], ['END']]);
  });

  test('can start watches at the compacted revision, or at its position if it lags', () => {
    const { storage, cache, write } = world();
    for (const name of ['a', 'b', 'c']) write(name);
    expect(cache.oldest).toBe(0);
    storage.compact(2);
    expect(cache.oldest).toBe(2);
    cache.hold();
    write('d');
    storage.compact(4);
    expect(cache.oldest).toBe(3);
    cache.release();
    expect(cache.oldest).toBe(4);
  });

  test('sends events when an object enters or leaves a selection', () => {
    const { storage, cache } = world();
    const { told } = watcher(cache, (it) => appOf(it) === 'red');
    storage.create(configMaps, object('a', 'blue'));
    storage.update(configMaps, object('a', 'red'), '1');
    storage.update(configMaps, { ...object('a', 'red'), data: { data: 'other' } }, '2');
    storage.update(configMaps, object('a', 'blue'), '3');
    storage.update(configMaps, object('a', 'red'), '4');
    storage.delete(configMaps, { namespace: 'default', name: 'a' }, '5');
    expect(told).toEqual([
      'ADDED default/a@2',
      'MODIFIED default/a@3',
      'DELETED default/a@4',
      'ADDED default/a@5',
      'DELETED default/a@6',
    ]);
  });

  test('sends all watchers the same object', () => {
    const { cache, write } = world();
    const seen: unknown[] = [];
    for (const _ of [1, 2]) {
      cache.watch(configMaps, {
        scope: {},
        matches: () => true,
        end() {},
        send: (event) => seen.push(event.object),
      });
    }
    write('a');
    expect(seen).toHaveLength(2);
    expect(seen[0]).toBe(seen[1]);
  });

  test('Selective: indexed watchers get the same events as watchers that filter all changes', () => {
    const scopes: readonly WatchScope[] = [
      {},
      { namespace: 'default' },
      { namespace: 'other' },
      { namespace: 'default', name: 'a' },
      { name: 'a' },
      { indexed: 'red' },
      { namespace: 'other', indexed: 'blue' },
      { namespace: 'default', name: 'b', indexed: 'red' },
      { name: 'a', indexed: 'red' },
    ];
    const selects =
      ({ namespace, name, indexed }: WatchScope) =>
      (it: KubeObject) =>
        (namespace === undefined || it.metadata.namespace === namespace) &&
        (name === undefined || it.metadata.name === name) &&
        (indexed === undefined || appOf(it) === indexed);
    fc.assert(
      fc.property(fc.array(writes, { maxLength: 30 }), (history) => {
        const { storage, cache } = world();
        const pairs = scopes.map(
          (scope) => [watcher(cache, selects(scope), scope), watcher(cache, selects(scope))] as const,
        );
        for (const write of history) apply(storage, write);
        for (const [indexed, unindexed] of pairs) expect(indexed.told).toEqual(unindexed.told);
      }),
    );
  });

  test('Gapless: despite holds and delays, a position never skips, never runs ahead, and never goes back', async () => {
    type Step =
      | { readonly do: 'write' | 'hold' | 'release' | 'compact' }
      | { readonly delayMs: number }
      | { readonly passMs: number };
    const step: fc.Arbitrary<Step> = fc.oneof(
      { weight: 4, arbitrary: fc.constant({ do: 'write' } as const) },
      fc.record({ do: fc.constantFrom('hold', 'release', 'compact') }),
      fc.record({ delayMs: fc.constantFrom(0, 1, 10, 50) }),
      fc.record({ passMs: fc.integer({ min: 1, max: 40 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { sim, storage, cache, write } = world();
        const { told } = watcher(cache);
        let position = 0;
        for (const [i, each] of steps.entries()) {
          if ('passMs' in each) await sim.run({ forMs: each.passMs });
          else if ('delayMs' in each) cache.delayMs = each.delayMs;
          else if (each.do === 'write') write(`object-${i}`);
          else if (each.do === 'compact') storage.compact(storage.revision);
          else cache[each.do]();
          expect(cache.position).toBeGreaterThanOrEqual(position);
          expect(cache.position).toBeLessThanOrEqual(storage.revision);
          position = cache.position;
          expect(told.map((line) => Number(line.split('@')[1]))).toEqual(
            Array.from({ length: position }, (_, n) => n + 1),
          );
          expect(cache.list(configMaps)).toHaveLength(position);
        }
        cache.release();
        await sim.run({ forMs: 50 });
        expect(cache.position).toBe(storage.revision);
      }),
    );
  });
});

describe('WatchCache.reached', () => {
  test('resolves immediately at its position', async () => {
    const { cache, write } = world();
    write('a');
    await cache.reached(1);
    await cache.reached(0);
  });

  test('waits exactly until the revision', async () => {
    const { sim, cache, write } = world();
    cache.hold();
    write('a');
    const reached = cache.reached(1);
    sim.schedule(2_999, 'test', 'release', () => cache.release());
    await sim.settle(reached);
    expect([sim.elapsedMs, sim.pending]).toEqual([2_999, 0]);
  });

  test('rejects after three seconds and reports its position', async () => {
    const { sim, cache, write } = world();
    write('a');
    const error = await sim.settle(cache.reached(5)).catch((it: unknown) => it);
    expect(sim.elapsedMs).toBe(3_000);
    expect(error).toSatisfy(isTooLargeResourceVersion);
    const { status } = error as StatusError;
    expect([status.code, status.reason, status.message, status.details?.retryAfterSeconds]).toEqual([
      504,
      'Timeout',
      'Timeout: Too large resource version: 5, current: 1',
      1,
    ]);
    for (const name of ['b', 'c', 'd', 'e', 'f']) write(name);
    await sim.run();
  });

  test('finds pods by their node', () => {
    const { storage } = world();
    const nodeOf = (it: KubeObject): string => (it as Pod).spec?.nodeName ?? '';
    const cache = new WatchCache(storage, new Simulation().clock, () => nodeOf);
    const here = watcher(cache, (it) => nodeOf(it) === 'node-1', { indexed: 'node-1' }, pods);
    storage.create<KubeObject>(pods, object('a'));
    storage.update<KubeObject>(pods, { ...object('a'), spec: { nodeName: 'node-1' } } as KubeObject, '1');
    storage.update<KubeObject>(pods, { ...object('a'), spec: { nodeName: 'node-2' } } as KubeObject, '2');
    expect(here.told).toEqual(['ADDED default/a@2', 'DELETED default/a@3']);
  });
});
