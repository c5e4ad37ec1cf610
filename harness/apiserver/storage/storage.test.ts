import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConfigMap, KubeObject } from '../../api/objects.ts';
import { keyOf, keyToString } from '../../api/objects.ts';
import { configMaps, pods } from '../../api/resource.ts';
import {
  hasReason,
  isAlreadyExists,
  isConflict,
  isExpired,
  isNotFound,
  type StatusError,
} from '../../api/status.ts';
import { apply, object, writes } from './objects.fixture.ts';
import { Storage } from './storage.ts';

const a = { namespace: 'default', name: 'a' };

const dataOf = (it: KubeObject | undefined): unknown => (it as ConfigMap | undefined)?.data;

/** Returns the error that `act` throws. */
function thrown(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('The call did not throw.');
}

const names = (objects: readonly KubeObject[]): string[] =>
  objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}@${metadata.resourceVersion}`);

describe('Storage', () => {
  test('increments one revision with each write to any resource', () => {
    const storage = new Storage();
    expect(storage.revision).toBe(0);
    const created = storage.create(configMaps, object('a'));
    storage.create<KubeObject>(pods, object('a'));
    const updated = storage.update(configMaps, object('a', 'x'), '1');
    const deleted = storage.delete(configMaps, a, '3');
    expect([created, updated, deleted].map(({ metadata }) => metadata.resourceVersion)).toEqual([
      '1',
      '3',
      '4',
    ]);
    expect(storage.revision).toBe(4);
  });

  test('separates resources and namespaces', () => {
    const storage = new Storage();
    storage.create(configMaps, object('a'));
    storage.create(configMaps, object('a', '', 'other'));
    storage.create<KubeObject>(pods, object('a'));
    expect(names(storage.list(configMaps))).toEqual(['default/a@1', 'other/a@2']);
    expect(names(storage.list(configMaps, { namespace: 'other' }))).toEqual(['other/a@2']);
    expect(names(storage.list(pods))).toEqual(['default/a@3']);
  });

  test('does not match a namespace by a prefix', () => {
    const storage = new Storage();
    for (const namespace of ['default', 'default-2', 'defaul'])
      storage.create(configMaps, object('a', '', namespace));
    expect(names(storage.list(configMaps, { namespace: 'default' }))).toEqual(['default/a@1']);
  });

  test('identifies a resource by its name, not by its descriptor object', () => {
    const storage = new Storage();
    storage.create(configMaps, object('a'));
    storage.update({ ...configMaps }, object('a', 'x'), '1');
    expect(names(storage.list({ ...configMaps }, { revision: 1 }))).toEqual(['default/a@1']);
  });

  test('rejects a second create', () => {
    const storage = new Storage();
    storage.create(configMaps, object('a'));
    expect(thrown(() => storage.create(configMaps, object('a')))).toSatisfy(isAlreadyExists);
    expect(storage.revision).toBe(1);
  });

  test('updates and deletes only at the expected version', () => {
    const storage = new Storage();
    storage.create(configMaps, object('a'));
    storage.update(configMaps, object('a', 'x'), '1');
    expect(thrown(() => storage.update(configMaps, object('a', 'y'), '1'))).toSatisfy(isConflict);
    expect(thrown(() => storage.delete(configMaps, a, '1'))).toSatisfy(isConflict);
    expect(thrown(() => storage.update(configMaps, object('b'), '1'))).toSatisfy(isNotFound);
    expect(thrown(() => storage.delete(configMaps, { namespace: 'default', name: 'b' }, '1'))).toSatisfy(
      isNotFound,
    );
    expect([storage.revision, dataOf(storage.get(configMaps, a))]).toEqual([2, { data: 'x' }]);
  });

  test('accepts only one of many updates from the same version', () => {
    const storage = new Storage();
    const { resourceVersion } = storage.create(configMaps, object('a')).metadata;
    const outcomes = ['x', 'y', 'z'].map((data) => {
      try {
        storage.update(configMaps, object('a', data), resourceVersion);
        return 'written';
      } catch (error) {
        return (error as StatusError).reason;
      }
    });
    expect(outcomes).toEqual(['written', 'Conflict', 'Conflict']);
  });

  test('freezes the stored object and returns the same object', () => {
    const storage = new Storage();
    const stored = storage.create(configMaps, object('a', 'x'));
    expect(
      Object.isFrozen(stored) && Object.isFrozen(stored.metadata.labels) && Object.isFrozen(stored.data),
    ).toBe(true);
    expect(storage.get(configMaps, a)).toBe(stored);
    expect(storage.list(configMaps)[0]).toBe(stored);
    expect(storage.entriesSince(0)[0]?.object).toBe(stored);
    const updated = storage.update(configMaps, { ...stored, metadata: { ...stored.metadata } }, '1');
    expect(updated.data).toBe(stored.data);
    expect(storage.entriesSince(1)[0]?.previous).toBe(stored);
  });

  test('returns a deleted object in its last state, at the revision of the deletion', () => {
    const storage = new Storage();
    const stored = storage.create(configMaps, object('a', 'x'));
    const deleted = storage.delete(configMaps, a, '1');
    expect(deleted).toEqual({ ...stored, metadata: { ...stored.metadata, resourceVersion: '2' } });
    expect(storage.entriesSince(1)).toMatchObject([{ type: 'DELETED', revision: 2, previous: stored }]);
    expect(storage.entriesSince(1)[0]?.last).toBe(deleted);
  });

  test('shares one previous state, at the revision of the change, for watchers that lose the object', () => {
    const storage = new Storage();
    const stored = storage.create(configMaps, object('a', 'x'));
    storage.update(configMaps, object('a', 'y'), '1');
    const [entry] = storage.entriesSince(1);
    expect(entry?.last).toEqual({ ...stored, metadata: { ...stored.metadata, resourceVersion: '2' } });
    expect(entry?.last).toBe(entry?.last);
    expect(Object.isFrozen(entry?.last)).toBe(true);
  });

  test('notifies followers of each write once it is readable', () => {
    const storage = new Storage();
    const told: unknown[] = [];
    storage.follow({
      wrote: ({ revision, type, key }) =>
        told.push([revision, type, key, dataOf(storage.get(configMaps, a))]),
    });
    storage.create(configMaps, object('a', 'x'));
    storage.update(configMaps, object('a', 'y'), '1');
    storage.delete(configMaps, a, '2');
    expect(told).toEqual([
      [1, 'ADDED', 'default/a', { data: 'x' }],
      [2, 'MODIFIED', 'default/a', { data: 'y' }],
      [3, 'DELETED', 'default/a', undefined],
    ]);
  });

  test('Remembers: each revision since the compaction returns its exact state, and earlier ones are expired', () => {
    const compactAt = fc.nat({ max: 30 });
    fc.assert(
      fc.property(fc.array(writes, { maxLength: 30 }), compactAt, (history, compacted) => {
        const storage = new Storage();
        const snapshots = [takeSnapshot(storage)];
        for (const write of history) if (apply(storage, write)) snapshots.push(takeSnapshot(storage));
        expect(storage.revision).toBe(snapshots.length - 1);
        storage.compact(compacted);
        expect(storage.compactedRevision).toBe(Math.min(compacted, storage.revision));
        for (const [revision, snapshot] of snapshots.entries()) {
          if (revision >= storage.compactedRevision) {
            expect(readBack(storage, revision)).toEqual(snapshot);
            continue;
          }
          expect(thrown(() => storage.list(configMaps, { revision }))).toSatisfy(isExpired);
          expect(thrown(() => storage.get(configMaps, a, revision))).toSatisfy(isExpired);
          expect(thrown(() => storage.entriesSince(revision))).toSatisfy(isExpired);
        }
      }),
    );
  });

  test('Narrows: a list by labels has every object with them, in order, whenever a label is first listed', () => {
    const step = fc.record({ write: writes, lists: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (history) => {
        const storage = new Storage();
        const read = (): void => {
          for (const app of ['red', 'blue', 'green']) {
            const labels = [['app', app]] as const;
            const all = storage.list(configMaps, { namespace: 'default' });
            const expected = all.filter(({ metadata }) => metadata.labels?.app === app);
            expect(storage.list(configMaps, { namespace: 'default', labels })).toEqual(expected);
            expect(storage.list(configMaps, { labels: [...labels, ['constructor', 'x']] })).toEqual([]);
          }
        };
        for (const { write, lists } of history) {
          apply(storage, write);
          if (lists) read();
        }
        read();
      }),
    );
  });

  test('Replays: the log since any revision transforms the state of that revision into the current one', () => {
    fc.assert(
      fc.property(fc.array(writes, { maxLength: 30 }), fc.nat({ max: 30 }), (history, from) => {
        const storage = new Storage();
        for (const write of history) apply(storage, write);
        const revision = Math.min(from, storage.revision);
        const keyed = (it: KubeObject) => [keyToString(keyOf(it)), it] as const;
        const state = new Map(storage.list(configMaps, { revision }).map(keyed));
        const entries = storage.entriesSince(revision);
        expect(entries.map((entry) => entry.revision)).toEqual(entries.map((_, i) => revision + i + 1));
        for (const entry of entries.filter(({ resource }) => resource === configMaps)) {
          expect(state.get(entry.key)).toBe(entry.previous);
          if (entry.type === 'DELETED') state.delete(entry.key);
          else state.set(entry.key, entry.object);
        }
        expect(state).toEqual(new Map(storage.list(configMaps).map(keyed)));
      }),
    );
  });
});

describe('Compaction', () => {
  const filled = (count: number): Storage => {
    const storage = new Storage();
    for (let i = 0; i < count; i++) storage.create(configMaps, object(`object-${i}`));
    return storage;
  };

  test('reports an expired revision with upstream’s message', () => {
    const storage = filled(3);
    storage.compact(2);
    const error = thrown(() => storage.entriesSince(1));
    expect(error).toSatisfy((it) => hasReason(it, 'Expired'));
    expect((error as StatusError).message).toBe('The resourceVersion for the provided list is too old.');
    expect(storage.entriesSince(2)).toHaveLength(1);
  });

  test('never goes back and never exceeds the current revision', () => {
    const storage = filled(3);
    storage.compact(2);
    storage.compact(1);
    expect(storage.compactedRevision).toBe(2);
    storage.compact(99);
    expect(storage.compactedRevision).toBe(3);
    storage.create(configMaps, object('later'));
    expect(storage.entriesSince(3)).toHaveLength(1);
  });

  test('notifies a follower until it ends', () => {
    const storage = new Storage();
    const told: string[] = [];
    const end = storage.follow({
      wrote: ({ object: { metadata } }) => {
        told.push(metadata.name);
        if (metadata.name === 'b') end();
      },
    });
    storage.follow({ wrote: ({ revision }) => told.push(`${revision}`) });
    for (const name of ['a', 'b', 'c']) storage.create(configMaps, object(name));
    expect(told).toEqual(['a', '1', 'b', '2', '3']);
  });

  test('keeps the entries that a lagging follower needs', () => {
    const storage = filled(5);
    const follower = { position: 2, wrote: () => {} };
    storage.follow(follower);
    storage.follow({ wrote: () => {} });
    storage.compact(4);
    expect(storage.compactedRevision).toBe(4);
    expect(storage.entriesSince(2)).toHaveLength(3);
    expect(thrown(() => storage.entriesSince(1))).toSatisfy(isExpired);
    follower.position = 5;
    storage.compact(4);
    expect(thrown(() => storage.entriesSince(3))).toSatisfy(isExpired);
  });
});

/** Returns the objects by identity, because past and present share them. */
function takeSnapshot(storage: Storage): KubeObject[] {
  return [configMaps, pods].flatMap((resource) => storage.list(resource));
}

function readBack(storage: Storage, revision: number): KubeObject[] {
  const all = [configMaps, pods].flatMap((resource) => {
    const listed = storage.list(resource, { revision });
    const spaces = ['default', 'other'].flatMap((namespace) =>
      storage.list(resource, { namespace, revision }),
    );
    expect(spaces).toEqual(listed);
    // Lists from any key, existing or not, in one namespace and in all.
    for (const from of ['a', 'default/b', 'default/b\0', 'other/', 'z']) {
      const rest = listed.filter(({ metadata }) => `${metadata.namespace}/${metadata.name}` >= from);
      expect(storage.list(resource, { revision, from })).toEqual(rest);
      expect(storage.list(resource, { revision, from, namespace: 'default' })).toEqual(
        rest.filter(({ metadata }) => metadata.namespace === 'default'),
      );
    }
    for (const each of listed) expect(storage.get(resource, each.metadata, revision)).toBe(each);
    return listed;
  });
  return all;
}
