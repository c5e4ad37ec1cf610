import { describe, expect, test } from 'vitest';
import {
  type ConfigMap,
  ConnectionError,
  configMaps,
  DeletedFinalStateUnknown,
  errors,
  type List,
  type ListOptions,
  type Selection,
  type SharedInformer,
  type WatchEvent,
} from '#harness';
import {
  type Cluster,
  createCluster,
  Simulation,
  seededRandom,
  type VectorCase,
  vectors,
} from '#harness/testing';
import {
  Backoff,
  createInformer,
  type Delta,
  DeltaFIFO,
  type Deltas,
  dedupDeltas,
  Indexer,
  joinResync,
  metaNamespaceKeyFunc,
  Reflector,
} from '#kata/21-informer/informer';
import { configMap, listOf, ScriptedServer, type ScriptedWatch } from '#laws/21-informer';

/** A stand-in for an object: the cache and the queue do not care what they hold. */
interface Thing {
  readonly name: string;
  readonly val?: number;
  readonly tags?: readonly string[];
}

/** So that each row of a table is a test with the row's name. */
const named = <I, E>(rows: readonly VectorCase<I, E>[]) => rows.map((row) => [row.name, row] as const);

const byName = ({ name }: Thing): string => name;
const namesOf = (things: readonly Thing[]): string[] => things.map(byName).sort();

describe('Level 1 · The cache', () => {
  const red = { name: 'apple', tags: ['red'] };
  const green = { name: 'leek', tags: ['green', 'white'] };

  test('keys an object by namespace and name, or by name alone', () => {
    expect(metaNamespaceKeyFunc(configMap('web', '1'))).toBe('default/web');
    const { metadata, ...rest } = configMap('node-1', '1');
    const { namespace, ...clusterScoped } = metadata;
    expect(metaNamespaceKeyFunc({ ...rest, metadata: clusterScoped })).toBe('node-1');
  });

  test('gives back by its key what was added, and the newest of it', () => {
    const indexer = new Indexer<Thing>(byName);
    indexer.add({ name: 'a', val: 1 });
    expect(indexer.getByKey('a')).toEqual({ name: 'a', val: 1 });
    indexer.update({ name: 'a', val: 2 });
    expect(indexer.getByKey('a')).toEqual({ name: 'a', val: 2 });
    expect(indexer.getByKey('b')).toBeUndefined();
  });

  test('lists all objects and all keys', () => {
    const indexer = new Indexer<Thing>(byName);
    for (const thing of [red, green]) indexer.add(thing);
    expect(namesOf(indexer.list())).toEqual(['apple', 'leek']);
    expect(indexer.listKeys().sort()).toEqual(['apple', 'leek']);
  });

  test('forgets what is deleted, and does not mind what it never knew', () => {
    const indexer = new Indexer<Thing>(byName);
    indexer.add(red);
    indexer.delete('apple');
    indexer.delete('nobody');
    expect(indexer.getByKey('apple')).toBeUndefined();
    expect(indexer.list()).toEqual([]);
  });

  test('is not changed by what the caller does with a list', () => {
    const indexer = new Indexer<Thing>(byName);
    indexer.add(red);
    indexer.list().pop();
    indexer.listKeys().pop();
    expect(namesOf(indexer.list())).toEqual(['apple']);
  });

  test('finds objects by every value that an index function gives', () => {
    const indexer = new Indexer<Thing>(byName, { colour: ({ tags = [] }) => tags });
    for (const thing of [red, green, { name: 'stone' }]) indexer.add(thing);
    expect(indexer.byIndex('colour', 'red')).toEqual([red]);
    expect(indexer.byIndex('colour', 'white')).toEqual([green]);
    expect(indexer.indexKeys('colour', 'green')).toEqual(['leek']);
    expect(indexer.byIndex('colour', 'blue')).toEqual([]);
  });

  test('moves an object in its indexes when it changes', () => {
    const indexer = new Indexer<Thing>(byName, { colour: ({ tags = [] }) => tags });
    indexer.add(red);
    indexer.update({ name: 'apple', tags: ['green'] });
    expect(indexer.byIndex('colour', 'red')).toEqual([]);
    expect(indexer.indexKeys('colour', 'green')).toEqual(['apple']);
  });

  test('refuses to look into an index that there is not, and names it', () => {
    const indexer = new Indexer<Thing>(byName, { colour: ({ tags = [] }) => tags });
    expect(() => indexer.byIndex('size', 'big')).toThrow(/size/);
    expect(() => indexer.indexKeys('size', 'big')).toThrow(/size/);
  });

  test('holds exactly the new list after a replace, in the indexes, too', () => {
    const indexer = new Indexer<Thing>(byName, { colour: ({ tags = [] }) => tags });
    indexer.add(red);
    indexer.add({ name: 'leek', tags: ['red'] });
    indexer.replace([green]);
    expect(indexer.list()).toEqual([green]);
    expect(indexer.byIndex('colour', 'red')).toEqual([]);
    expect(indexer.byIndex('colour', 'green')).toEqual([green]);
  });

  interface IndexInput {
    readonly objects: Record<string, string[]>;
    readonly lookups: string[];
    readonly thenDelete: string;
  }
  interface IndexExpect {
    readonly byIndex: Record<string, string[]>;
    readonly afterDelete: Record<string, string[]>;
  }
  test.each(named(vectors<IndexInput, IndexExpect>('informer', 'index', 1)))(
    'agrees with client-go: %s',
    (_, row) => {
      const indexer = new Indexer<Thing>(byName, { tag: ({ tags = [] }) => tags });
      for (const [name, tags] of Object.entries(row.input.objects)) indexer.add({ name, tags });
      for (const [tag, expected] of Object.entries(row.expect.byIndex)) {
        expect(namesOf(indexer.byIndex('tag', tag)), tag).toEqual([...expected].sort());
      }
      indexer.delete(row.input.thenDelete);
      for (const [tag, expected] of Object.entries(row.expect.afterDelete)) {
        expect(namesOf(indexer.byIndex('tag', tag)), tag).toEqual([...expected].sort());
      }
    },
  );
});

describe('Level 2 · What happened, by object', () => {
  /** Everything that is queued, popped in order. */
  const popAll = async <T>(fifo: DeltaFIFO<T>): Promise<Deltas<T>[]> => {
    fifo.close();
    const all: Deltas<T>[] = [];
    for (;;) {
      const deltas = await fifo.pop(() => {});
      if (!deltas) return all;
      all.push(deltas);
    }
  };

  test('keeps what happened to each object apart, in the order in which it happened', async () => {
    const fifo = new DeltaFIFO<Thing>({ keyFunc: byName });
    fifo.add({ name: 'a', val: 1 });
    fifo.add({ name: 'b', val: 1 });
    fifo.update({ name: 'a', val: 2 });
    expect(await popAll(fifo)).toEqual([
      [
        { type: 'Added', object: { name: 'a', val: 1 } },
        { type: 'Updated', object: { name: 'a', val: 2 } },
      ],
      [{ type: 'Added', object: { name: 'b', val: 1 } }],
    ]);
  });

  test('lets a pop wait until there is something', async () => {
    const fifo = new DeltaFIFO<Thing>({ keyFunc: byName });
    const popped = fifo.pop(() => {});
    fifo.add({ name: 'a' });
    expect(await popped).toEqual([{ type: 'Added', object: { name: 'a' } }]);
  });

  test('hands each object over before the pop returns, and says whether the first list brought it', async () => {
    const fifo = new DeltaFIFO<Thing>({ keyFunc: byName });
    fifo.replace([{ name: 'a' }, { name: 'b' }]);
    fifo.add({ name: 'c' });
    const seen: [string, boolean][] = [];
    for (let i = 0; i < 3; i++) {
      await fifo.pop((deltas, isInInitialList) => {
        seen.push([fifo.keyOf(deltas), isInInitialList]);
      });
    }
    expect(seen).toEqual([
      ['a', true],
      ['b', true],
      ['c', false],
    ]);
  });

  test('has synced for good when something came in before the first list', async () => {
    const fifo = new DeltaFIFO<Thing>({ keyFunc: byName });
    fifo.add({ name: 'a' });
    expect(fifo.hasSynced()).toBe(true);
    fifo.replace([{ name: 'a' }, { name: 'b' }]);
    expect(fifo.hasSynced()).toBe(true);
  });

  test('counts only the first list as initial', async () => {
    const fifo = new DeltaFIFO<Thing>({ keyFunc: byName });
    const initially: boolean[] = [];
    for (const name of ['a', 'b']) {
      fifo.replace([{ name }]);
      await fifo.pop((_, isInInitialList) => {
        initially.push(isInInitialList);
      });
    }
    expect(initially).toEqual([true, false]);
  });

  test('has synced only when what vanished by the first list was popped, too', async () => {
    const known = new Indexer<Thing>(byName);
    known.add({ name: 'gone' });
    const fifo = new DeltaFIFO<Thing>({ keyFunc: byName, knownObjects: known });
    fifo.replace([{ name: 'a' }]);
    await fifo.pop(() => {});
    expect(fifo.hasSynced()).toBe(false);
    await fifo.pop(() => {});
    expect(fifo.hasSynced()).toBe(true);
  });

  test('gives what is left after it is closed, then nothing', async () => {
    const fifo = new DeltaFIFO<Thing>({ keyFunc: byName });
    fifo.add({ name: 'a' });
    fifo.close();
    expect(await fifo.pop(() => {})).toHaveLength(1);
    expect(await fifo.pop(() => {})).toBeUndefined();
  });

  test('wakes a pop that waits when it is closed', async () => {
    const fifo = new DeltaFIFO<Thing>({ keyFunc: byName });
    const popped = fifo.pop(() => {});
    fifo.close();
    expect(await popped).toBeUndefined();
  });

  test('makes one of two deletions in a row, and keeps the one that knows more', () => {
    const object: Delta<Thing> = { type: 'Deleted', object: { name: 'a', val: 2 } };
    const tombstone: Delta<Thing> = {
      type: 'Deleted',
      object: new DeletedFinalStateUnknown('a', { name: 'a', val: 1 }),
    };
    const added: Delta<Thing> = { type: 'Added', object: { name: 'a', val: 1 } };
    expect(dedupDeltas([added, object, tombstone])).toEqual([added, object]);
    expect(dedupDeltas([added, tombstone, object])).toEqual([added, object]);
    expect(dedupDeltas([object, added])).toEqual([object, added]);
    expect(dedupDeltas([added, added])).toEqual([added, added]);
  });

  test('ignores the deletion of what nobody knows', async () => {
    const known = new Indexer<Thing>(byName);
    const fifo = new DeltaFIFO<Thing>({ keyFunc: byName, knownObjects: known });
    fifo.delete({ name: 'a' });
    expect(await popAll(fifo)).toEqual([]);
  });

  test('does not resync what is still queued: it would bring the old state back', async () => {
    const known = new Indexer<Thing>(byName);
    for (const name of ['a', 'b']) known.add({ name, val: 1 });
    const fifo = new DeltaFIFO<Thing>({ keyFunc: byName, knownObjects: known });
    fifo.update({ name: 'a', val: 2 });
    fifo.resync();
    expect(await popAll(fifo)).toEqual([
      [{ type: 'Updated', object: { name: 'a', val: 2 } }],
      [{ type: 'Sync', object: { name: 'b', val: 1 } }],
    ]);
  });

  type Tombstoned = { readonly tombstone: { readonly key: string; readonly obj: null } };
  type KeyInput = { readonly objects: (Thing | Tombstoned | { readonly deltas: (Thing | Tombstoned)[] })[] };
  test.each(named(vectors<KeyInput, { keys: string[] }>('informer', 'keyOf', 1)))(
    'agrees with client-go: %s',
    (_, row) => {
      const fifo = new DeltaFIFO<Thing>({ keyFunc: byName });
      const revive = (object: Thing | Tombstoned): Thing | DeletedFinalStateUnknown<Thing> =>
        'tombstone' in object
          ? new DeletedFinalStateUnknown(object.tombstone.key, null as unknown as Thing)
          : object;
      const keys = row.input.objects.map((object) =>
        fifo.keyOf(
          'deltas' in object
            ? object.deltas.map((each): Delta<Thing> => ({ type: 'Updated', object: revive(each) }))
            : revive(object),
        ),
      );
      expect(keys).toEqual(row.expect.keys);
    },
  );

  type FifoStep = Partial<{
    readonly add: Thing;
    readonly update: Thing;
    readonly delete: Thing;
    readonly replace: Thing[];
    readonly resync: 1;
    readonly pop: 1;
  }>;
  interface FifoInput {
    readonly known: Thing[] | null;
    readonly emitReplaced?: boolean;
    readonly steps: FifoStep[];
  }
  const fifoFor = ({ known, emitReplaced = false }: Partial<FifoInput>): DeltaFIFO<Thing> => {
    if (!known) return new DeltaFIFO<Thing>({ keyFunc: byName, emitDeltaTypeReplaced: emitReplaced });
    const knownObjects = new Indexer<Thing>(byName);
    for (const thing of known) knownObjects.add(thing);
    return new DeltaFIFO<Thing>({ keyFunc: byName, knownObjects, emitDeltaTypeReplaced: emitReplaced });
  };
  const take = async (fifo: DeltaFIFO<Thing>, steps: readonly FifoStep[]): Promise<void> => {
    for (const step of steps) {
      if (step.add) fifo.add(step.add);
      if (step.update) fifo.update(step.update);
      if (step.delete) fifo.delete(step.delete);
      if (step.replace) fifo.replace(step.replace);
      if (step.resync) fifo.resync();
      if (step.pop) await fifo.pop(() => {});
    }
  };
  type Written = readonly [type: string, val: number | { readonly tombstone: number }];
  const writtenOf = ({ type, object }: Delta<Thing>): Written =>
    object instanceof DeletedFinalStateUnknown
      ? [type, { tombstone: object.object.val ?? 0 }]
      : [type, object.val ?? 0];
  const said = ([type, val]: Written): string =>
    typeof val === 'object' ? `${type}, a tombstone of ${val.tombstone}` : `${type} ${val}`;
  /** Which vanished object is reported first is nobody's business: upstream walks a map. */
  const ordered = (pops: readonly Written[][]): string[] =>
    pops.map((pop) => pop.map(said).join(', ')).sort();

  test.each(named(vectors<FifoInput, { pops: Written[][] }>('informer', 'deltaFifo', 9)))(
    'agrees with client-go: %s',
    async (_, row) => {
      const fifo = fifoFor(row.input);
      await take(fifo, row.input.steps);
      const pops = (await popAll(fifo)).map((deltas) => deltas.map(writtenOf));
      expect(ordered(pops)).toEqual(ordered(row.expect.pops));
    },
  );

  test.each(named(vectors<{ steps: FifoStep[] }, { synced: boolean }>('informer', 'hasSynced', 5)))(
    'agrees with client-go on hasSynced: %s',
    async (_, row) => {
      const fifo = fifoFor({});
      expect(fifo.hasSynced()).toBe(false);
      await take(fifo, row.input.steps);
      expect(fifo.hasSynced()).toBe(row.expect.synced);
    },
  );
});

/** Lets a promise fail before somebody waits for it: what comes of it is looked at later. */
function begun<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** A reflector that fills a cache directly, against a server that says what the test tells it to say. */
function reflect(script: {
  selection?: Selection;
  resyncPeriodMs?: number;
  list: (options: ListOptions) => List<ConfigMap>;
  watches?: ScriptedWatch<ConfigMap>[];
}) {
  const sim = new Simulation();
  const server = new ScriptedServer<ConfigMap>(script);
  const cache = new Indexer<ConfigMap>(metaNamespaceKeyFunc);
  const failures: unknown[] = [];
  const resynced: number[] = [];
  const reflector = new Reflector<ConfigMap>({
    ...script.selection,
    client: server,
    resource: configMaps,
    resyncPeriodMs: () => script.resyncPeriodMs ?? 0,
    clock: sim.clock,
    random: seededRandom(1),
    onError: (error) => failures.push(error),
    store: {
      add: (object) => cache.add(object),
      update: (object) => cache.update(object),
      delete: (object) => cache.delete(metaNamespaceKeyFunc(object)),
      replace: (list) => cache.replace(list),
      resync: () => resynced.push(sim.elapsedMs),
    },
  });
  const controller = new AbortController();
  const stored = (): Record<string, string> =>
    Object.fromEntries(cache.list().map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
  return {
    sim,
    server,
    reflector,
    stored,
    failures,
    resynced,
    signal: controller.signal,
    stop: () => controller.abort(),
  };
}

const nothing = (resourceVersion: string): List<ConfigMap> => listOf(configMaps, resourceVersion, []);
const event = (
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  name: string,
  resourceVersion: string,
): WatchEvent<ConfigMap> => ({
  type,
  object: configMap(name, resourceVersion),
});
const bookmark = (resourceVersion: string): WatchEvent<ConfigMap> => ({
  type: 'BOOKMARK',
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { resourceVersion } },
});
const failure = (error: ReturnType<typeof errors.expired>): WatchEvent<ConfigMap> => ({
  type: 'ERROR',
  object: error.status,
});

describe('Level 3 · List', () => {
  const items = (count: number): ConfigMap[] =>
    Array.from({ length: count }, (_, i) => configMap(`c${i}`, `${i + 1}`));

  test('begins with any state that the server has at hand', async () => {
    const { sim, reflector, server, signal } = reflect({ list: () => nothing('7') });
    expect(reflector.lastSyncResourceVersion()).toBe('');
    await sim.settle(reflector.list(signal));
    expect(server.requests).toEqual(['list 0']);
  });

  test('replaces what is stored by what is listed, and remembers at which version it was listed', async () => {
    const { sim, reflector, stored, signal } = reflect({
      list: () => listOf(configMaps, '7', [configMap('a', '3'), configMap('b', '6')]),
    });
    await sim.settle(reflector.list(signal));
    expect(stored()).toEqual({ a: '3', b: '6' });
    expect(reflector.lastSyncResourceVersion()).toBe('7');
  });

  test('asks only for what is selected, on every page', async () => {
    const selection = { namespace: 'default', labelSelector: 'app=web', fieldSelector: 'metadata.name!=a' };
    const { sim, reflector, server, signal } = reflect({
      selection,
      list: ({ continue: token }) => listOf(configMaps, '7', [], token ? undefined : 'second'),
    });
    await sim.settle(reflector.list(signal));
    expect(server.asked).toHaveLength(2);
    for (const { options } of server.asked) expect(options).toMatchObject(selection);
  });

  test('never asks for less than it has seen', async () => {
    const { sim, reflector, server, signal } = reflect({ list: () => nothing('7') });
    await sim.settle(reflector.list(signal));
    expect(reflector.relistResourceVersion()).toBe('7');
    await sim.settle(reflector.list(signal));
    expect(server.requests).toEqual(['list 0', 'list 7']);
  });

  test('takes the newest state when the server does not have that version any more', async () => {
    const { sim, reflector, server, signal } = reflect({
      list: ({ resourceVersion }) => {
        if (resourceVersion === '7') throw errors.expired('compacted');
        return nothing(resourceVersion === '0' ? '7' : '9');
      },
    });
    await sim.settle(reflector.list(signal));
    await sim.settle(reflector.list(signal));
    expect(server.requests).toEqual(['list 0', 'list 7', 'list ""']);
    expect(reflector.lastSyncResourceVersion()).toBe('9');
    expect(reflector.relistResourceVersion()).toBe('9');
  });

  test('takes the newest state when the server does not have that version yet', async () => {
    const { sim, reflector, server, signal } = reflect({
      list: ({ resourceVersion }) => {
        if (resourceVersion === '7') throw errors.tooLargeResourceVersion(7, 5);
        return nothing(resourceVersion === '0' ? '7' : '9');
      },
    });
    await sim.settle(reflector.list(signal));
    await sim.settle(reflector.list(signal));
    expect(server.requests.slice(0, 3)).toEqual(['list 0', 'list 7', 'list ""']);
  });

  test('changes nothing when the list fails, and says so', async () => {
    let broken = false;
    const { sim, reflector, stored, signal } = reflect({
      list: () => {
        if (broken) throw errors.internal('no leader');
        return listOf(configMaps, '7', [configMap('a', '3')]);
      },
    });
    await sim.settle(reflector.list(signal));
    broken = true;
    await expect(sim.settle(reflector.list(signal))).rejects.toThrow(/no leader/);
    expect(stored()).toEqual({ a: '3' });
    expect(reflector.lastSyncResourceVersion()).toBe('7');
  });

  test('takes the newest state again, if that could not be had the first time', async () => {
    let broken = true;
    const { sim, reflector, server, signal } = reflect({
      list: ({ resourceVersion }) => {
        if (resourceVersion === '0') return nothing('7');
        if (resourceVersion === '7') throw errors.expired('compacted');
        if (broken) throw errors.internal('no leader');
        return nothing('9');
      },
    });
    await sim.settle(reflector.list(signal));
    await expect(sim.settle(reflector.list(signal))).rejects.toThrow(/no leader/);
    broken = false;
    await sim.settle(reflector.list(signal));
    expect(server.requests).toEqual(['list 0', 'list 7', 'list ""', 'list ""']);
  });

  test('fetches every page before it stores any', async () => {
    let storedMeanwhile: unknown;
    const { sim, reflector, stored, signal } = reflect({
      list: ({ continue: token }) => {
        if (token !== 'second') return listOf(configMaps, '7', [configMap('a', '1')], 'second');
        storedMeanwhile = stored();
        return listOf(configMaps, '7', [configMap('b', '2')]);
      },
    });
    await sim.settle(reflector.list(signal));
    expect(storedMeanwhile, 'when the second page was asked for').toEqual({});
    expect(stored()).toEqual({ a: '1', b: '2' });
  });

  test('starts over, in one piece, when the pages expire under its hands', async () => {
    const { sim, reflector, stored, signal } = reflect({
      list: ({ continue: token, limit }) => {
        if (token) throw errors.expired('the continue parameter is too old');
        if (limit) return listOf(configMaps, '7', [configMap('a', '1')], 'second');
        return listOf(configMaps, '9', [configMap('b', '8')]);
      },
    });
    await sim.settle(reflector.list(signal));
    expect(stored()).toEqual({ b: '8' });
    expect(reflector.lastSyncResourceVersion()).toBe('9');
  });

  interface ListsInput {
    readonly lists: Record<string, { resourceVersion: string; items: number; error?: string }>;
    readonly runs: number;
  }
  interface ListsExpect {
    readonly listCalls: string[];
    readonly storeSizes: number[];
  }
  const tables = vectors<Partial<ListsInput>, Partial<ListsExpect>>(
    'informer',
    'reflector',
    2,
    ({ input }) => input.lists !== undefined,
  );
  test.each(named(tables))('agrees with client-go: %s', async (_, { input, expect: expected }) => {
    const { sim, reflector, server, stored, signal } = reflect({
      list: ({ resourceVersion = '' }) => {
        const answer = input.lists?.[resourceVersion];
        if (!answer || answer.error) throw errors.expired('too old resource version');
        return listOf(configMaps, answer.resourceVersion, items(answer.items));
      },
    });
    const sizes: number[] = [];
    for (let run = 0; run < (input.runs ?? 0); run++) {
      await sim.settle(reflector.list(signal));
      sizes.push(Object.keys(stored()).length);
    }
    expect(server.asked.map(({ resourceVersion }) => resourceVersion)).toEqual(expected.listCalls);
    expect(sizes).toEqual(expected.storeSizes);
  });
});

describe('Level 4 · Watch', () => {
  test('watches from where the list was, asks for bookmarks, and for an end', async () => {
    const { sim, reflector, server, signal, stop } = reflect({ list: () => nothing('10') });
    await sim.settle(reflector.list(signal));
    const watching = begun(reflector.watch(signal));
    await sim.run({ forMs: 100 });
    const { options } = server.asked[1] ?? {};
    expect(server.requests).toEqual(['list 0', 'watch 10']);
    expect(options?.allowWatchBookmarks).toBe(true);
    expect(options?.timeoutSeconds, 'a watch that nobody ends may hang for ever').toBeGreaterThan(0);
    stop();
    await sim.settle(watching);
  });

  test('watches only what is selected', async () => {
    const selection = { namespace: 'default', labelSelector: 'app=web', fieldSelector: 'metadata.name!=a' };
    const { sim, reflector, server, signal, stop } = reflect({ selection, list: () => nothing('10') });
    await sim.settle(reflector.list(signal));
    const watching = begun(reflector.watch(signal));
    await sim.run({ forMs: 100 });
    expect(server.asked.at(-1)?.options).toMatchObject(selection);
    stop();
    await sim.settle(watching);
  });

  test('applies every event to the store', async () => {
    const { sim, reflector, stored, signal, stop } = reflect({
      list: () => listOf(configMaps, '10', [configMap('a', '3'), configMap('b', '6')]),
      watches: [
        {
          events: [event('ADDED', 'c', '11'), event('MODIFIED', 'a', '12'), event('DELETED', 'b', '13')],
          ends: false,
        },
      ],
    });
    await sim.settle(reflector.list(signal));
    const watching = begun(reflector.watch(signal));
    await sim.run({ forMs: 100 });
    expect(stored()).toEqual({ a: '12', c: '11' });
    expect(reflector.lastSyncResourceVersion()).toBe('13');
    stop();
    await sim.settle(watching);
  });

  test('resumes at the last event when the stream ends, and lists nothing', async () => {
    const { sim, reflector, server, signal, stop } = reflect({
      list: () => nothing('10'),
      watches: [{ events: [event('ADDED', 'a', '11'), event('DELETED', 'a', '14')], ends: true }],
    });
    await sim.settle(reflector.list(signal));
    const watching = begun(reflector.watch(signal));
    await sim.run({ forMs: 5_000 });
    expect(server.requests).toEqual(['list 0', 'watch 10', 'watch 14']);
    stop();
    await sim.settle(watching);
  });

  test('resumes at a bookmark, which stores nothing', async () => {
    const { sim, reflector, server, stored, signal, stop } = reflect({
      list: () => nothing('10'),
      watches: [{ events: [event('ADDED', 'a', '11'), bookmark('30')], ends: true }],
    });
    await sim.settle(reflector.list(signal));
    const watching = begun(reflector.watch(signal));
    await sim.run({ forMs: 5_000 });
    expect(server.requests.at(-1)).toBe('watch 30');
    expect(stored()).toEqual({ a: '11' });
    stop();
    await sim.settle(watching);
  });

  test('passes on what the server refuses', async () => {
    const { sim, reflector, signal } = reflect({
      list: () => nothing('10'),
      watches: [errors.internal('no leader')],
    });
    await sim.settle(reflector.list(signal));
    await expect(sim.settle(reflector.watch(signal))).rejects.toThrow(/no leader/);
  });

  test('ends when it is aborted, without a complaint', async () => {
    const { sim, reflector, signal, stop } = reflect({ list: () => nothing('10') });
    await sim.settle(reflector.list(signal));
    const watching = begun(
      reflector.watch(signal).catch((error: unknown) => {
        if (error !== signal.reason) throw error;
      }),
    );
    await sim.run({ forMs: 100 });
    stop();
    await sim.settle(watching);
  });

  interface EventsInput {
    readonly store?: string[];
    readonly listResourceVersion?: string;
    readonly events: { type: WatchEvent['type']; kind?: string; name?: string; resourceVersion?: string }[];
  }
  interface EventsExpect {
    readonly store?: Record<string, string>;
    readonly lastSyncResourceVersion?: string;
    readonly resourceVersions?: string[];
  }
  const tables = vectors<EventsInput, EventsExpect>(
    'informer',
    'reflector',
    2,
    ({ input }) => input.events !== undefined,
  );
  test.each(named(tables))('agrees with client-go: %s', async (_, { input, expect: expected }) => {
    const events = input.events.map(
      ({ type, kind, name = 'x', resourceVersion = '1' }): WatchEvent<ConfigMap> => {
        if (type === 'BOOKMARK') return bookmark(resourceVersion);
        const object = configMap(name, resourceVersion, kind === 'Service' ? 'Service' : 'ConfigMap');
        return { type, object } as WatchEvent<ConfigMap>;
      },
    );
    const present = (input.store ?? []).map((name) => configMap(name, '1'));
    const { sim, reflector, stored, signal, stop } = reflect({
      list: () => listOf(configMaps, input.listResourceVersion ?? '1', present),
      watches: [{ events, ends: false }],
    });
    await sim.settle(reflector.list(signal));
    const watching = begun(reflector.watch(signal));
    await sim.run({ forMs: 100 });
    if (expected.store) expect(stored()).toEqual(expected.store);
    const last = expected.lastSyncResourceVersion ?? expected.resourceVersions?.at(-1);
    expect(reflector.lastSyncResourceVersion()).toBe(last);
    stop();
    await sim.settle(watching);
  });
});

describe('Level 5 · When it breaks', () => {
  const delays = (seed: number, count: number): number[] => {
    const backoff = new Backoff(new Simulation().clock, seededRandom(seed));
    return Array.from({ length: count }, () => backoff.nextMs());
  };

  test('waits 0.8 s, then twice as long each time, up to 30 s, and up to as much again', () => {
    const bases = [800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000];
    const waits = delays(1, bases.length);
    bases.forEach((baseMs, i) => {
      expect(waits[i], `wait ${i + 1}`).toBeGreaterThanOrEqual(baseMs);
      expect(waits[i], `wait ${i + 1}`).toBeLessThan(2 * baseMs);
    });
  });

  test('waits differently from everybody else, so that not all come back at once', () => {
    expect(delays(1, 4)).not.toEqual(delays(2, 4));
  });

  test('begins again at 0.8 s after two minutes without a failure', async () => {
    const sim = new Simulation();
    const backoff = new Backoff(sim.clock, seededRandom(1));
    for (let i = 0; i < 6; i++) backoff.nextMs();
    await sim.run({ forMs: 60_000 });
    expect(backoff.nextMs(), 'one minute later').toBeGreaterThanOrEqual(30_000);
    await sim.run({ forMs: 120_001 });
    expect(backoff.nextMs(), 'two minutes later').toBeLessThan(1_600);
  });

  test('tries a failed list again, after a pause', async () => {
    let failures = 2;
    const {
      sim,
      reflector,
      server,
      signal,
      stop,
      failures: reported,
    } = reflect({
      list: () => {
        if (failures-- > 0) throw errors.internal('no leader');
        return nothing('10');
      },
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 790 });
    expect(server.requests).toEqual(['list 0']);
    await sim.run({ forMs: 10_000 });
    expect(server.requests).toEqual(['list 0', 'list 0', 'list 0', 'watch 10']);
    expect(reported).toHaveLength(2);
    stop();
    await sim.settle(running);
  });

  test('lists again when the watch says 410, from what it has seen', async () => {
    const {
      sim,
      reflector,
      server,
      signal,
      stop,
      failures: reported,
    } = reflect({
      list: ({ resourceVersion }) => nothing(resourceVersion === '0' ? '10' : '20'),
      watches: [
        { events: [event('ADDED', 'a', '11'), failure(errors.tooOldResourceVersion(11, 15))], ends: true },
      ],
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 10_000 });
    expect(server.requests).toEqual(['list 0', 'watch 10', 'list 11', 'watch 20']);
    expect(reported, '410 is nothing to complain of').toEqual([]);
    stop();
    await sim.settle(running);
  });

  test('lists again when the server reports any other error in the stream', async () => {
    const { sim, reflector, server, signal, stop } = reflect({
      list: () => nothing('10'),
      watches: [{ events: [failure(errors.internal('no leader'))], ends: true }],
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 10_000 });
    expect(server.requests).toEqual(['list 0', 'watch 10', 'list 10', 'watch 10']);
    stop();
    await sim.settle(running);
  });

  test.each([
    ['is too busy (429)', errors.tooManyRequests('slow down', 1)],
    ['is not there', new ConnectionError('ECONNREFUSED', 'connection refused')],
  ])('keeps its place when the server %s: it watches again, and lists nothing', async (_, refusal) => {
    const { sim, reflector, server, signal, stop } = reflect({
      list: () => nothing('10'),
      watches: [refusal, refusal],
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 790 });
    expect(server.requests, 'before the pause is over').toEqual(['list 0', 'watch 10']);
    await sim.run({ forMs: 10_000 });
    expect(server.requests).toEqual(['list 0', 'watch 10', 'watch 10', 'watch 10']);
    stop();
    await sim.settle(running);
  });

  test('keeps its place when the stream ends with 429', async () => {
    const { sim, reflector, server, signal, stop } = reflect({
      list: () => nothing('10'),
      watches: [
        { events: [event('ADDED', 'a', '11'), failure(errors.tooManyRequests('slow down', 1))], ends: true },
      ],
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 10_000 });
    expect(server.requests).toEqual(['list 0', 'watch 10', 'watch 11']);
    stop();
    await sim.settle(running);
  });

  test('pauses when a watch ends at once and empty', async () => {
    const { sim, reflector, server, signal, stop } = reflect({
      list: () => nothing('10'),
      watches: [{ events: [], ends: true }],
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 790 });
    expect(server.requests).toEqual(['list 0', 'watch 10']);
    await sim.run({ forMs: 10_000 });
    expect(server.requests.length).toBeGreaterThan(2);
    stop();
    await sim.settle(running);
  });

  test('resyncs the store once a period while it watches, however often it had to start over', async () => {
    const broken = { events: [failure(errors.internal('no leader'))], ends: true };
    const { sim, reflector, resynced, signal, stop } = reflect({
      resyncPeriodMs: 10_000,
      list: () => nothing('10'),
      watches: [broken, broken, broken],
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 60_000 });
    const before = resynced.length;
    await sim.run({ forMs: 30_000 });
    expect(resynced.length - before).toBe(3);
    stop();
    await sim.settle(running);
  });

  test('ends at once when it is aborted in a pause', async () => {
    const { sim, reflector, server, signal, stop } = reflect({
      list: () => {
        throw errors.internal('no leader');
      },
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 100 });
    stop();
    const abortedMs = sim.elapsedMs;
    await sim.settle(running);
    expect(sim.elapsedMs).toBe(abortedMs);
    expect(server.requests).toHaveLength(1);
  });

  interface RunsInput {
    readonly runs: {
      readonly list?: { resourceVersion: string; items: Record<string, string> };
      readonly events?: ['ADDED' | 'MODIFIED' | 'DELETED', string, string][];
      readonly listError?: boolean;
      readonly watchError?: boolean;
    }[];
  }
  interface RunsExpect {
    readonly storeAfter: Record<string, string>[];
    readonly errors: boolean[];
  }
  const tables = vectors<RunsInput, RunsExpect>('informer', 'reflector', 1, ({ input }) =>
    Array.isArray(input.runs),
  );
  test.each(named(tables))('agrees with client-go: %s', async (_, { input, expect: expected }) => {
    const lists = input.runs.map((run) => run.list);
    const { sim, reflector, stored, signal } = reflect({
      list: () => {
        const list = lists.shift();
        if (!list) throw errors.internal('no list');
        return listOf(
          configMaps,
          list.resourceVersion,
          Object.entries(list.items).map(([name, version]) => configMap(name, version)),
        );
      },
      watches: input.runs
        .filter((run) => run.list)
        .map((run): ScriptedWatch<ConfigMap> => {
          if (run.watchError) return errors.internal('no watch');
          const events = (run.events ?? []).map((each) => event(...each));
          // Upstream's test ends each run with its stream; an error is what ends ours.
          return { events: [...events, failure(errors.expired('end of the run'))], ends: true };
        }),
    });
    for (const [i, run] of input.runs.entries()) {
      const outcome = await sim.settle(
        reflector.listAndWatch(signal).then(
          () => 'ended',
          (error: Error) => error.message,
        ),
      );
      expect(stored(), `after run ${i + 1}`).toEqual(expected.storeAfter[i]);
      if (run.listError) expect(outcome).toMatch(/no list/);
      if (run.watchError) expect(outcome).toMatch(/no watch/);
    }
  });
});

describe('Level 6 · The informer', () => {
  /** An informer of ConfigMaps in a quiet cluster, with a diary of what its handlers are told. */
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
      onError: (error) => reported.push(error),
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

  test('fills its cache, then tells handlers what is there and what happens', async () => {
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
    expect(diary).toEqual([
      'one: initially a=1',
      'one: added b=2',
      'one: a=1 became a=3',
      'one: deleted b=2',
    ]);
    expect(informer.indexer.listKeys()).toEqual(['default/a']);
    expect(informer.indexer.byIndex('written', '3')).toHaveLength(1);
  });

  test('has the change in the cache when it tells of it', async () => {
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
    expect(found).toEqual([metadata.resourceVersion]);
  });

  test('has synced when the first list is in the cache, a handler when it was told', async () => {
    const { cluster, informer, start, put } = await informed();
    await put('a', '1');
    const registration = informer.addEventHandler({ onAdd: () => cluster.clock.sleep(1_000) });
    start();
    expect([informer.hasSynced(), registration.hasSynced()]).toEqual([false, false]);
    await cluster.runFor(500);
    expect([informer.hasSynced(), registration.hasSynced()]).toEqual([true, false]);
    await cluster.runFor(1_000);
    expect([informer.hasSynced(), registration.hasSynced()]).toEqual([true, true]);
    expect(Number(informer.lastSyncResourceVersion())).toBeGreaterThan(0);
  });

  test('tells a handler that comes late of everything that is there', async () => {
    const { cluster, informer, diary, handler, start, put } = await informed();
    await put('a', '1');
    start();
    await cluster.runFor(100);
    const late = informer.addEventHandler(handler('late'));
    await cluster.runFor(100);
    await put('b', '2');
    await cluster.runFor(100);
    expect(diary).toEqual(['late: initially a=1', 'late: added b=2']);
    expect(late.hasSynced()).toBe(true);
  });

  test('lets no handler wait for another', async () => {
    const { cluster, informer, diary, handler, start, put } = await informed();
    informer.addEventHandler({ onAdd: () => new Promise(() => {}) });
    informer.addEventHandler(handler('quick'));
    start();
    await cluster.runFor(100);
    await put('a', '1');
    await put('b', '1');
    await cluster.runFor(100);
    expect(diary).toEqual(['quick: added a=1', 'quick: added b=1']);
  });

  test('outlives a handler that throws, and tells it the next thing all the same', async () => {
    const { cluster, informer, diary, handler, start, put } = await informed();
    const told: string[] = [];
    informer.addEventHandler({
      onAdd: ({ metadata }) => {
        told.push(metadata.name);
        throw new Error('broken handler');
      },
    });
    informer.addEventHandler(handler('sound'));
    start();
    await put('a', '1');
    await put('b', '1');
    await cluster.runFor(10_000);
    expect(told).toEqual(['a', 'b']);
    expect(diary).toHaveLength(2);
  });

  test('leaves a handler that threw alone for a second', async () => {
    const { cluster, informer, start, put } = await informed();
    const toldMs: number[] = [];
    informer.addEventHandler({
      onAdd: () => {
        toldMs.push(cluster.sim.elapsedMs);
        throw new Error('broken handler');
      },
    });
    start();
    await put('a', '1');
    await put('b', '1');
    await cluster.runFor(10_000);
    expect(toldMs).toHaveLength(2);
    expect((toldMs[1] ?? 0) - (toldMs[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  test('reports what its handlers throw and what the server refuses', async () => {
    const { cluster, informer, start, put, reported } = await informed();
    informer.addEventHandler({
      onAdd: () => {
        throw new Error('broken handler');
      },
    });
    cluster.nemesis.strike({ fault: 'refuse', process: 'informer', reason: 'InternalError', requests: 1 });
    await put('a', '1');
    start();
    await cluster.runFor(10_000);
    expect(reported.map(String).join('\n')).toMatch(/leader changed[\s\S]*broken handler/);
  });

  test('tells a handler that was removed nothing more', async () => {
    const { cluster, informer, diary, handler, start, put } = await informed();
    const registration = informer.addEventHandler(handler('one'));
    start();
    await put('a', '1');
    await cluster.runFor(100);
    informer.removeEventHandler(registration);
    await put('b', '1');
    await cluster.runFor(100);
    expect(diary).toEqual(['one: initially a=1']);
  });

  test('tells a handler that was removed not even what already waited for it', async () => {
    const { cluster, informer, start, put } = await informed();
    const told: string[] = [];
    const slow = informer.addEventHandler({
      onAdd: ({ metadata }) => {
        told.push(metadata.name);
        return cluster.clock.sleep(1_000);
      },
    });
    start();
    for (const name of ['a', 'b', 'c']) await put(name, '1');
    await cluster.runFor(500);
    informer.removeEventHandler(slow);
    await cluster.runFor(10_000);
    expect(told).toEqual(['a']);
  });

  test('reports what vanished while nobody watched, with the state that it last knew', async () => {
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
    expect(diary).toEqual(['one: initially a=1', 'one: deleted a=1, perhaps']);
  });

  test('tells again of everything, every period, those who asked for it', async () => {
    const { cluster, informer, diary, handler, start, put } = await informed();
    await put('a', '1');
    informer.addEventHandler(handler('again'), { resyncPeriodMs: 10_000 });
    informer.addEventHandler(handler('once'));
    start();
    await cluster.runFor(25_000);
    expect(diary.filter((line) => line.startsWith('again'))).toEqual([
      'again: initially a=1',
      'again: a=1 became a=1',
      'again: a=1 became a=1',
    ]);
    expect(diary.filter((line) => line.startsWith('once'))).toEqual(['once: initially a=1']);
  });

  test('tells each of them at its own period', async () => {
    const { cluster, informer, start, put } = await informed();
    await put('a', '1');
    const again = { often: 0, seldom: 0 };
    informer.addEventHandler({ onUpdate: () => void again.often++ }, { resyncPeriodMs: 10_000 });
    informer.addEventHandler({ onUpdate: () => void again.seldom++ }, { resyncPeriodMs: 30_000 });
    start();
    await cluster.runFor(65_000);
    expect(again).toEqual({ often: 6, seldom: 2 });
  });

  test('sees only what it was asked to see', async () => {
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
    expect(informer.indexer.listKeys().sort()).toEqual(['default/a', 'default/c']);
    controller.abort();
    await cluster.settle(running);
  });

  test('is quiet when it is stopped, and returns', async () => {
    const { cluster, informer, diary, handler, put } = await informed();
    const controller = new AbortController();
    informer.addEventHandler(handler('one'));
    const running = begun(informer.run(controller.signal));
    await cluster.runFor(100);
    controller.abort();
    await cluster.settle(running);
    await put('a', '1');
    await cluster.runFor(300_000);
    expect(diary).toEqual([]);
    expect(cluster.replicas[0]?.server.cache.watcherCount, 'watches left open').toBe(0);
  });

  test('runs once', async () => {
    const { cluster, informer, start } = await informed();
    start();
    const again = informer.run(new AbortController().signal).then(
      () => 'ran',
      () => 'refused',
    );
    expect(await cluster.settle(again)).toBe('refused');
  });

  interface PeriodsInput {
    readonly informerSeconds: number;
    readonly handlersAddedSeconds: number[];
  }
  interface PeriodsExpect {
    readonly checkPeriodAfterEach: number[];
    readonly handlerPeriods: number[];
  }
  test.each(named(vectors<PeriodsInput, PeriodsExpect>('informer', 'resyncPeriod', 1)))(
    'agrees with client-go: %s',
    (_, row) => {
      let checkPeriodMs = row.input.informerSeconds * 1_000;
      const periods = row.input.handlersAddedSeconds.map((seconds) => {
        const joined = joinResync(checkPeriodMs, seconds * 1_000, false);
        checkPeriodMs = joined.checkPeriodMs;
        return joined;
      });
      expect(periods.map((each) => each.checkPeriodMs / 1_000)).toEqual(row.expect.checkPeriodAfterEach);
      expect(periods.map((each) => each.handlerPeriodMs / 1_000)).toEqual(row.expect.handlerPeriods);
    },
  );

  test('lets nobody who joins a running informer hurry it, nor resync one that does not', () => {
    expect(joinResync(10_000, 5_000, true)).toEqual({ checkPeriodMs: 10_000, handlerPeriodMs: 10_000 });
    expect(joinResync(0, 5_000, true)).toEqual({ checkPeriodMs: 0, handlerPeriodMs: 0 });
    expect(joinResync(10_000, 30_000, true)).toEqual({ checkPeriodMs: 10_000, handlerPeriodMs: 30_000 });
    expect(joinResync(0, 5_000, false)).toEqual({ checkPeriodMs: 0, handlerPeriodMs: 0 });
    expect(joinResync(60_000, 5, false)).toEqual({ checkPeriodMs: 1_000, handlerPeriodMs: 1_000 });
  });

  test('agrees with client-go: missed events are delivered by the relist, unchanged objects only to those who resync', async () => {
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
    // Long enough for the resync handler to be due, and for both to have been told.
    await cluster.runFor(3_500);
    diary.length = 0;
    cluster.replicas[0]?.goDown();
    await put('pod3', '3');
    await put('pod2', '4');
    cluster.storage.compact(cluster.storage.revision);
    cluster.replicas[0]?.comeBack();
    await cluster.runFor(5_000);
    for (const name of ['noResyncHandler', 'resyncHandler'] as const) {
      const told = diary.filter((line) => line.startsWith(name)).map((line) => /pod\d/.exec(line)?.[0] ?? '');
      expect([...new Set(told)].sort(), name).toEqual(row?.expect[name]);
    }
  });
});
