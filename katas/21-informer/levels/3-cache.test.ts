import { describe, expect, test } from 'vitest';
import { type Delta, Indexer, type Notification } from '#given/21-informer';
import { type ConfigMap, DeletedFinalStateUnknown } from '#harness';
import { named, vectors } from '#harness/testing';
import { processDelta, replaceAll } from '#kata/21-informer/informer';
import { delta, object, told, type WrittenDelta, written } from './deltas.fixture.ts';

describe('Level 3 · From the queue into the cache', () => {
  /** Returns a cache of these objects, without indexes. */
  function cacheOf(...objects: readonly string[]): Indexer<ConfigMap> {
    const cache = new Indexer<ConfigMap>({}, () => {
      throw new Error('This cache has no index.');
    });
    for (const each of objects) cache.update(object(each));
    return cache;
  }

  const contents = (cache: Indexer<ConfigMap>): string[] => cache.list().map(written).sort();

  /** Processes a delta, and describes the notifications. */
  const process = (
    cache: Indexer<ConfigMap>,
    of: WrittenDelta | Delta<ConfigMap>,
    isInInitialList = false,
  ): string[] => processDelta('type' in of ? of : delta(of), cache, isInInitialList).map(told);

  /** Replaces the cache with a list, and describes the notifications. */
  function replace(
    cache: Indexer<ConfigMap>,
    objects: readonly string[],
    at: string,
    isInInitialList = false,
  ): string[] {
    const list = delta({ replace: objects, at });
    if (list.type !== 'ReplacedAll') throw new Error('This is no list.');
    return replaceAll(list, cache, isInInitialList).map(told);
  }

  /** Returns an object that was deleted and created again under this name. */
  function madeAgain(nameAtVersion: string): ConfigMap {
    const { metadata, ...others } = object(nameAtVersion);
    return { ...others, metadata: { ...metadata, uid: 'made-again' } };
  }

  describe('processDelta', () => {
    interface Row {
      readonly cache: readonly string[];
      readonly delta: WrittenDelta;
      readonly told: readonly string[];
      readonly after: readonly string[];
      readonly version: string;
    }
    const rows: readonly (readonly [what: string, row: Row])[] = [
      [
        'notifies of an add, and stores the object, for an Added of a new object',
        { cache: ['b@1'], delta: { add: 'a@2' }, told: ['add a@2'], after: ['a@2', 'b@1'], version: '2' },
      ],
      [
        'notifies of an update, and stores the new object, for an Updated of a known object',
        {
          cache: ['a@1'],
          delta: { update: 'a@2' },
          told: ['update a@1 to a@2'],
          after: ['a@2'],
          version: '2',
        },
      ],
      [
        'notifies of an update for an Added of a known object: the cache decides, not the delta',
        { cache: ['a@1'], delta: { add: 'a@2' }, told: ['update a@1 to a@2'], after: ['a@2'], version: '2' },
      ],
      [
        'notifies of an add for an Updated of an unknown object',
        { cache: ['b@1'], delta: { update: 'a@2' }, told: ['add a@2'], after: ['a@2', 'b@1'], version: '2' },
      ],
      [
        'notifies of an update even if nothing changed',
        {
          cache: ['a@1'],
          delta: { update: 'a@1' },
          told: ['update a@1 to a@1'],
          after: ['a@1'],
          version: '1',
        },
      ],
      [
        'stores the last object, whatever its version',
        {
          cache: ['a@9'],
          delta: { update: 'a@5' },
          told: ['update a@9 to a@5'],
          after: ['a@5'],
          version: '5',
        },
      ],
      [
        'notifies of a deletion with the object of the delta, and removes it',
        {
          cache: ['a@1', 'b@2'],
          delta: { delete: 'a@3' },
          told: ['delete a@3'],
          after: ['b@2'],
          version: '3',
        },
      ],
      [
        'notifies of a deletion even if the cache does not have the object',
        { cache: ['b@2'], delta: { delete: 'a@3' }, told: ['delete a@3'], after: ['b@2'], version: '3' },
      ],
      [
        'stores the version of a bookmark, and notifies of nothing',
        { cache: ['a@1'], delta: { bookmark: '30' }, told: [], after: ['a@1'], version: '30' },
      ],
      [
        'replaces the cache with a list, as replaceAll does',
        {
          cache: ['a@1', 'b@2'],
          delta: { replace: ['b@4', 'c@5'], at: '9' },
          told: ['delete a@1 (last known)', 'update b@2 to b@4', 'add c@5'],
          after: ['b@4', 'c@5'],
          version: '9',
        },
      ],
    ];
    test.each(rows)('%s', (_, row) => {
      const cache = cacheOf(...row.cache);
      expect(
        process(cache, row.delta),
        'the notifications; "in the initial list" only if isInInitialList is true; "(last known)" is a DeletedFinalStateUnknown',
      ).toEqual(row.told);
      expect(contents(cache), 'the objects in the cache').toEqual(row.after);
      expect(
        cache.lastStoreSyncResourceVersion(),
        'the version of the cache: that of the last object, bookmark or list',
      ).toBe(row.version);
    });

    test('treats a tombstone as a deletion, and passes it on', () => {
      const cache = cacheOf('a@1', 'b@2');
      const tombstone = new DeletedFinalStateUnknown('default/a', object('a@1'));
      expect(
        process(cache, { type: 'Deleted', object: tombstone }),
        'the notifications of Deleted with a tombstone of a@1',
      ).toEqual(['delete a@1 (last known)']);
      expect(contents(cache), 'the objects in the cache').toEqual(['b@2']);
    });

    test('notifies of an update for an object that was created again under its name', () => {
      const cache = cacheOf('a@1');
      const [notification, ...others] = processDelta(
        { type: 'Added', object: madeAgain('a@5') },
        cache,
        false,
      );
      expect(
        notification,
        'the notification of Added, for another uid than the a in the cache',
      ).toMatchObject({
        type: 'update',
        previous: { metadata: { uid: 'uid-of-a', resourceVersion: '1' } },
        current: { metadata: { uid: 'made-again', resourceVersion: '5' } },
      });
      expect(others, 'further notifications').toEqual([]);
    });

    test('distinguishes objects of one name in two namespaces and without a namespace', () => {
      const cache = cacheOf('a@1');
      const { metadata, ...others } = object('a@2');
      const elsewhere = { ...others, metadata: { ...metadata, namespace: 'elsewhere' } };
      const { namespace: _, ...clusterScoped } = metadata;
      expect(
        process(cache, { type: 'Added', object: elsewhere }),
        'the notifications of Added elsewhere/a: the cache has default/a',
      ).toEqual(['add a@2']);
      expect(
        process(cache, { type: 'Added', object: { ...others, metadata: clusterScoped } }),
        'the notifications of Added a, without a namespace: the cache has default/a and elsewhere/a',
      ).toEqual(['add a@2']);
      expect(cache.listKeys().sort(), 'the keys in the cache').toEqual(['a', 'default/a', 'elsewhere/a']);
      expect(
        process(cache, { type: 'Deleted', object: elsewhere }),
        'the notifications of Deleted elsewhere/a',
      ).toEqual(['delete a@2']);
      expect(cache.listKeys().sort(), 'the keys in the cache').toEqual(['a', 'default/a']);
    });

    test('notifies on a SyncAll of every object in the cache, as an update from itself to itself', () => {
      const cache = cacheOf('a@1', 'b@2', 'c@3');
      const all = ['update a@1 to a@1', 'update b@2 to b@2', 'update c@3 to c@3'];
      expect(process(cache, { resync: 1 }).sort(), 'the notifications of SyncAll').toEqual(all);
      expect(process(cache, { resync: 1 }, true).sort(), 'before the first list').toEqual(all);
      expect(contents(cache), 'the objects in the cache').toEqual(['a@1', 'b@2', 'c@3']);
      expect(
        cache.lastStoreSyncResourceVersion(),
        'the version of the cache: that of the last object, bookmark or list',
      ).toBe('3');
    });

    test('notifies of nothing on a SyncAll of an empty cache', () => {
      expect(process(cacheOf(), { resync: 1 }), 'the notifications of SyncAll, with an empty cache').toEqual(
        [],
      );
    });

    test('marks adds, and only adds, with isInInitialList', () => {
      const cache = cacheOf();
      const notify = (of: WrittenDelta, isInInitialList: boolean): Notification<ConfigMap>[] =>
        processDelta(delta(of), cache, isInInitialList);
      expect(notify({ add: 'a@1' }, true), 'Added a@1 in the initial list').toEqual([
        { type: 'add', object: object('a@1'), isInInitialList: true },
      ]);
      expect(notify({ add: 'b@2' }, false), 'Added b@2 after the initial list').toEqual([
        { type: 'add', object: object('b@2'), isInInitialList: false },
      ]);
      expect(notify({ update: 'a@3' }, true), 'Updated a@3: an update has no isInInitialList').toEqual([
        { type: 'update', previous: object('a@1'), current: object('a@3') },
      ]);
      expect(notify({ delete: 'a@4' }, true), 'Deleted a@4: a delete has no isInInitialList').toEqual([
        { type: 'delete', object: object('a@4') },
      ]);
    });

    test.each([true, false])('marks the adds of a list with isInInitialList %j', (isInInitialList) => {
      const added = processDelta(delta({ replace: ['a@1', 'b@2'], at: '9' }), cacheOf(), isInInitialList);
      expect(
        added.map((each) => each.type === 'add' && each.isInInitialList),
        `isInInitialList of the adds of a@1 and b@2, with isInInitialList ${isInInitialList} for the list`,
      ).toEqual([isInInitialList, isInInitialList]);
    });
  });

  describe('replaceAll', () => {
    interface Row {
      readonly cache: readonly string[];
      readonly list: readonly string[];
      readonly told: readonly string[];
    }
    const rows: readonly (readonly [what: string, row: Row])[] = [
      [
        'deletes objects that the list lacks, updates objects in both, and adds new objects',
        {
          cache: ['a@1', 'b@2'],
          list: ['b@4', 'c@5'],
          told: ['delete a@1 (last known)', 'update b@2 to b@4', 'add c@5'],
        },
      ],
      ['fills an empty cache', { cache: [], list: ['a@1', 'b@2'], told: ['add a@1', 'add b@2'] }],
      ['leaves an empty cache empty', { cache: [], list: [], told: [] }],
      [
        'empties the cache when the list is empty',
        { cache: ['a@1', 'b@2'], list: [], told: ['delete a@1 (last known)', 'delete b@2 (last known)'] },
      ],
      [
        'notifies of an update also for unchanged objects',
        { cache: ['a@1', 'b@2'], list: ['a@1', 'b@2'], told: ['update a@1 to a@1', 'update b@2 to b@2'] },
      ],
      [
        'notifies of deletions first, and then of the rest in the order of the list',
        {
          cache: ['a@1', 'd@2', 'f@3', 'z@4'],
          list: ['g@9', 'f@3', 'b@7', 'a@8'],
          told: [
            'delete d@2 (last known)',
            'delete z@4 (last known)',
            'add g@9',
            'update f@3 to f@3',
            'add b@7',
            'update a@1 to a@8',
          ],
        },
      ],
      [
        'replaces all objects',
        { cache: ['b@2'], list: ['a@8', 'c@7'], told: ['delete b@2 (last known)', 'add a@8', 'add c@7'] },
      ],
    ];
    test.each(rows)('%s', (_, row) => {
      const cache = cacheOf(...row.cache);
      expect(
        deletionsSorted(replace(cache, row.list, '10')),
        `the notifications: the cache has ${row.cache.join(', ') || 'nothing'}, the list ${row.list.join(', ') || 'nothing'}`,
      ).toEqual(row.told);
      expect(contents(cache), 'the objects in the cache').toEqual([...row.list].sort());
      expect(
        cache.lastStoreSyncResourceVersion(),
        'the version of the cache: that of the last object, bookmark or list',
      ).toBe('10');
    });

    test('notifies of a missed deletion with a tombstone: the key and the last known object', () => {
      const [notification] = processDelta(delta({ replace: [], at: '10' }), cacheOf('a@1'), false);
      const tombstone = notification?.type === 'delete' ? notification.object : undefined;
      expect(tombstone, 'the object of the notification: a@1 is missing from the list').toBeInstanceOf(
        DeletedFinalStateUnknown,
      );
      expect(tombstone, 'the tombstone of a@1').toEqual(
        new DeletedFinalStateUnknown('default/a', object('a@1')),
      );
    });

    test('notifies of an update for an object that was created again under its name', () => {
      const cache = cacheOf('a@1');
      const list = { type: 'ReplacedAll', objects: [madeAgain('a@5')], resourceVersion: '9' } as const;
      const [notification, ...others] = replaceAll(list, cache, false);
      expect(
        notification,
        'the notification of a list with another uid than the a in the cache',
      ).toMatchObject({
        type: 'update',
        previous: { metadata: { uid: 'uid-of-a' } },
        current: { metadata: { uid: 'made-again' } },
      });
      expect(others, 'further notifications').toEqual([]);
      expect(cache.getByKey('default/a')?.metadata.uid, 'the uid of a in the cache').toBe('made-again');
    });

    test('stores the version of the list, not that of an object', () => {
      const cache = cacheOf('a@1', 'b@30');
      replace(cache, ['c@7', 'a@3'], '12');
      expect(cache.lastStoreSyncResourceVersion(), 'the version of the cache after the list').toBe('12');
    });

    test('marks adds with isInInitialList', () => {
      const initial = replace(cacheOf('a@1'), ['a@2', 'b@3'], '9', true);
      expect(initial, 'the notifications of the initial list a@2, b@3: the cache has a@1').toEqual([
        'update a@1 to a@2',
        'add b@3 in the initial list',
      ]);
      expect(replace(cacheOf(), ['b@3'], '9', false), 'the notifications of a later list, b@3').toEqual([
        'add b@3',
      ]);
    });
  });

  interface Input {
    readonly cache: readonly string[];
    readonly steps: readonly (WrittenDelta & { readonly isInInitialList?: true })[];
  }
  interface Expected {
    readonly told: readonly string[];
    readonly cache?: readonly string[];
    readonly versions?: readonly string[];
  }
  test.each(named(vectors<Input, Expected>('informer', 'processDelta', 23)))(
    'agrees with client-go: %s',
    (_, { input, expect: expected }) => {
      const cache = cacheOf(...input.cache);
      const versions: string[] = [];
      const all = input.steps.flatMap((step) => {
        const notifications = process(cache, step, step.isInInitialList ?? false);
        versions.push(cache.lastStoreSyncResourceVersion());
        return 'replace' in step ? deletionsSorted(notifications) : notifications;
      });
      expect(all, 'the notifications').toEqual(expected.told);
      if (expected.cache) expect(contents(cache), 'the objects in the cache').toEqual(expected.cache);
      if (expected.versions)
        expect(versions, 'the version of the cache after each delta').toEqual(expected.versions);
    },
  );
});

/** Returns the notifications of a list, with the deletions at its start sorted: their order is free. */
function deletionsSorted(all: readonly string[]): string[] {
  const others = all.findIndex((each) => !each.startsWith('delete'));
  const deletions = others < 0 ? all.length : others;
  return [...all.slice(0, deletions).toSorted(), ...all.slice(deletions)];
}
