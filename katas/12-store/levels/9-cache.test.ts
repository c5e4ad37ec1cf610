import { describe, expect, test } from 'vitest';
import { decode, encode, type KeyEvent, type KeyValue, prefixRange } from '#given/12-store';
import type { KubeObject } from '#harness';
import { named, vectors } from '#harness/testing';
import { CHANGES_KEPT, eventFor, WatchCache } from '#kata/12-store/store';
import { configMap, dataOf, prefix, short, shortEvents } from './objects.fixture.ts';
import { thrownBy } from './steps.fixture.ts';
import { Reader } from './streams.fixture.ts';

/** Returns the stored value of a ConfigMap: `a=1` with the data `{ value: '1' }`. */
function stored(text: string, modRevision: number): KeyValue {
  const [name = '', value = ''] = text.split('=');
  return {
    key: `${prefix}ns/${name}`,
    value: encode(configMap(name, { value })),
    createRevision: modRevision,
    modRevision,
    version: 1,
  };
}

/** Returns a message of the store's watch: `a=1` is a put, and `-a` a delete. */
function message(modRevision: number, changes: readonly string[], revision = modRevision) {
  const events = changes.map(
    (text): KeyEvent =>
      text.startsWith('-')
        ? { type: 'DELETE', kv: { key: `${prefix}ns/${text.slice(1)}`, modRevision } }
        : { type: 'PUT', kv: stored(text, modRevision) },
  );
  return { revision, events };
}

/** Returns a cache that was filled with `a=1` of revision 3, at revision 5. */
function filled() {
  const cache = new WatchCache();
  cache.replace([stored('a=1', 3)], 5);
  const list = () =>
    cache
      .list(prefixRange(prefix))
      .map(([, object]) => short(object))
      .join(' ');
  const watch = (after: number, matches = (_: KubeObject) => true) => {
    const stream = cache.watch(after, matches);
    const reader = new Reader(stream);
    return { stream, reader, read: async () => shortEvents(await reader.read()) };
  };
  return { cache, list, watch };
}

const isOne = (object: KubeObject): boolean => dataOf(object).value === '1';

interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly was?: boolean;
  readonly is?: boolean;
}

describe('Level 9 · The watch cache', () => {
  const rows = vectors<Change, { readonly event: string | null; readonly object?: string }>(
    'resource-version-reads',
    'eventFor',
    8,
  );

  test.each(named(rows))('The event of an object %s', (_, { input: { type, was, is }, expect: expected }) => {
    const before = decode({ value: encode(configMap('a', { in: String(was) })), modRevision: 7 });
    const after = decode({ value: encode(configMap('a', { in: String(is) })), modRevision: 8 });
    const event = eventFor((object) => dataOf(object).in === 'true', {
      revision: 8,
      object: type === 'DELETED' ? undefined : after,
      previous: type === 'ADDED' ? undefined : before,
    });
    if (expected.event === null) expect(event).toBeUndefined();
    else {
      const atEight = { ...before, metadata: { ...before.metadata, resourceVersion: '8' } };
      expect(event).toEqual({ type: expected.event, object: expected.object === 'new' ? after : atEight });
    }
  });

  test('A list fills the cache', () => {
    const { cache, list } = filled();
    expect([list(), cache.position, cache.oldest]).toEqual(['a@3', 5, 5]);
  });

  test('Changes move the objects and the position', () => {
    const { cache, list } = filled();
    cache.apply(message(6, ['b=1', 'a=2']));
    expect([list(), cache.position]).toEqual(['a@6 b@6', 6]);
    cache.apply(message(8, ['-a']));
    expect([list(), cache.position]).toEqual(['b@6', 8]);
  });

  test('A message without events moves the position to its revision', () => {
    const { cache } = filled();
    cache.apply(message(9, []));
    expect(cache.position).toBe(9);
  });

  test('A message with events moves the position only to their revision', () => {
    const { cache } = filled();
    cache.apply(message(6, ['a=2'], 9));
    expect(cache.position).toBe(6);
  });

  test('A watch gets each change after its start', async () => {
    const { cache, watch } = filled();
    cache.apply(message(6, ['b=1']));
    cache.apply(message(7, ['a=2', 'c=1']));
    const { read } = watch(6);
    cache.apply(message(8, ['-b']));
    expect(await read()).toEqual(['MODIFIED a@7', 'ADDED c@7', 'DELETED b@8']);
  });

  test('A watch can start at the list, and in the future', async () => {
    const { cache, watch } = filled();
    const [atList, later] = [watch(5), watch(6)];
    cache.apply(message(6, ['b=1']));
    cache.apply(message(7, ['b=2']));
    expect(await atList.read()).toEqual(['ADDED b@6', 'MODIFIED b@7']);
    expect(await later.read()).toEqual(['MODIFIED b@7']);
  });

  test('A watch before the list is refused', () => {
    const { cache } = filled();
    expect(thrownBy(() => cache.watch(4, () => true))).toBe('too old resource version: 4 (5)');
  });

  test('A watch sees its selection only', async () => {
    const { cache, watch } = filled();
    const { read } = watch(5, isOne);
    cache.apply(message(6, ['b=2']));
    cache.apply(message(7, ['a=2']));
    cache.apply(message(8, ['b=1']));
    expect(await read()).toEqual(['DELETED a@7', 'ADDED b@8']);
  });

  test('A stopped watch gets nothing more, and others go on', async () => {
    const { cache, watch } = filled();
    const [one, other] = [watch(5), watch(5)];
    one.stream.stop();
    cache.apply(message(6, ['b=1']));
    expect([await one.read(), await other.read()]).toEqual([[], ['ADDED b@6']]);
    expect([one.reader.ended, other.reader.ended]).toEqual([true, false]);
  });

  test('A second list replaces everything, and ends all watches', async () => {
    const { cache, list, watch } = filled();
    const { reader, read } = watch(5);
    cache.apply(message(6, ['b=1']));
    cache.replace([stored('c=1', 8)], 9);
    expect([list(), cache.position]).toEqual(['c@8', 9]);
    expect(await read()).toEqual(['ADDED b@6']);
    expect(reader.ended, 'the changes from 7 to 9 are unknown').toBe(true);
    expect(thrownBy(() => cache.watch(8, () => true))).toBe('too old resource version: 8 (9)');
    cache.apply(message(10, ['-c']));
    expect(list()).toBe('');
  });

  test('The cache forgets its oldest changes', async () => {
    const { cache, watch } = filled();
    for (let revision = 6; revision < CHANGES_KEPT + 16; revision++)
      cache.apply(message(revision, [`a=${revision}`]));
    const oldest = 15;
    expect(cache.oldest).toBe(oldest);
    expect(thrownBy(() => cache.watch(oldest - 1, () => true))).toContain('too old resource version');
    const events = await watch(oldest).read();
    expect([events.length, events[0]]).toEqual([CHANGES_KEPT, `MODIFIED a@${oldest + 1}`]);
  });
});
