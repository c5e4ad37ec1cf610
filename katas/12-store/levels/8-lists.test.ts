import { describe, expect, test } from 'vitest';
import { decodeContinue, type Entry } from '#given/12-store';
import type { KubeObject } from '#harness';
import { ObjectReader, ObjectWriter, pageOf, WatchCache, wantedBy } from '#kata/12-store/store';
import { configMap, dataOf, openContext, prefix, short, shortList } from './objects.fixture.ts';
import { errorOf, thrownBy } from './steps.fixture.ts';

const entries = (...names: readonly string[]): readonly Entry[] =>
  names.map((name) => [`${prefix}ns/${name}`, configMap(name, { odd: name > 'b' ? 'yes' : 'no' })]);

const names = (items: readonly KubeObject[]): string => items.map(({ metadata }) => metadata.name).join(' ');

const isOdd = (object: KubeObject): boolean => dataOf(object).odd === 'yes';

/** Returns a page in short: `a b, next "b\u0000", 1 remaining`. */
function page(all: readonly Entry[], options: Parameters<typeof pageOf>[2]): string {
  const { items, next, remaining } = pageOf(all, `${prefix}ns/`, options);
  return [
    names(items),
    ...(next === undefined ? [] : [`next ${JSON.stringify(next)}`]),
    ...(remaining === undefined ? [] : [`${remaining} remaining`]),
  ].join(', ');
}

/** A token for tests: it continues at a revision, after an object. */
const token = (rv: number, start = 'a\0'): string =>
  btoa(JSON.stringify({ v: 'meta.k8s.io/v1', rv, start })).replace(/=+$/, '');

describe('Level 8 · Lists and pages', () => {
  test.each([
    ['without a limit', {}, 'a b c d'],
    ['with the limit 0', { limit: 0 }, 'a b c d'],
    ['with the limit 2', { limit: 2 }, 'a b, next "b\\u0000", 2 remaining'],
    ['with the limit 4', { limit: 4 }, 'a b c d'],
    ['with the limit 5', { limit: 5 }, 'a b c d'],
    ['with a selector', { matches: isOdd }, 'c d'],
    ['with a selector and the limit 1', { matches: isOdd, limit: 1 }, 'c, next "c\\u0000"'],
    ['with a selector and the limit 2', { matches: isOdd, limit: 2 }, 'c d'],
    [
      'with a selector that the rest does not match',
      { matches: (o: KubeObject) => !isOdd(o), limit: 2 },
      'a b, next "b\\u0000"',
    ],
  ])('A page of four objects %s', (_, options, expected) => {
    expect(page(entries('a', 'b', 'c', 'd'), options)).toBe(expected);
  });

  test('A page of no objects is the last one', () => {
    expect(page([], { limit: 1 })).toBe('');
  });

  test.each([
    [{}, { state: 'newest' }],
    [{ limit: 2 }, { state: 'newest' }],
    [{ resourceVersion: '' }, { state: 'newest' }],
    [{ resourceVersion: '0' }, { state: 'any' }],
    [{ resourceVersion: '0', limit: 2 }, { state: 'any' }],
    [{ resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' }, { state: 'any' }],
    [{ resourceVersion: '7' }, { state: 'notOlderThan', revision: 7 }],
    [
      { resourceVersion: '7', limit: 2 },
      { state: 'exact', revision: 7 },
    ],
    [
      { resourceVersion: '7', limit: 2, resourceVersionMatch: 'NotOlderThan' },
      { state: 'notOlderThan', revision: 7 },
    ],
    [
      { resourceVersion: '7', resourceVersionMatch: 'Exact' },
      { state: 'exact', revision: 7 },
    ],
    [
      { continue: token(7), limit: 2 },
      { state: 'exact', revision: 7, start: 'a\0' },
    ],
    [
      { continue: token(7), resourceVersion: '0' },
      { state: 'exact', revision: 7, start: 'a\0' },
    ],
    [{ continue: token(-1) }, { state: 'newest', start: 'a\0' }],
  ] as const)('The options %o want the state %o', (options, expected) => {
    expect(wantedBy(options)).toEqual(expected);
  });

  test.each([
    [
      { continue: token(7), resourceVersion: '7' },
      'specifying resource version is not allowed when using continue',
    ],
    [{ continue: token(0) }, 'invalid continue token'],
    [{ continue: token(7, '../secrets/a') }, 'invalid continue token'],
    [
      { resourceVersion: 'abc' },
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ],
  ])('The options %o are refused', (options, expected) => {
    expect(thrownBy(() => wantedBy(options))).toContain(expected);
  });

  test('All pages show the state of the first one', async () => {
    const { context } = await openContext();
    const writer = new ObjectWriter(context);
    for (const name of ['a', 'c', 'b', 'other/a']) await writer.create(configMap(name));
    const reader = new ObjectReader(context, new WatchCache());
    const first = await reader.list({ resourceVersion: '5', limit: 2 });
    expect(shortList(first)).toBe('a@2 b@4, at 5');
    expect(first).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMapList',
      metadata: { remainingItemCount: 2 },
    });
    await writer.write({ namespace: 'ns', name: 'c' }, () => undefined);
    await writer.create(configMap('bb'));
    const second = await reader.list({ continue: first.metadata.continue ?? '', limit: 2 });
    expect(shortList(second)).toBe('c@3 other/a@5, at 5');
    expect(second.metadata.continue).toBeUndefined();
  });

  test('The pages of a namespace stay in it', async () => {
    const { context } = await openContext();
    const writer = new ObjectWriter(context);
    for (const name of ['a', 'b', 'ns-2/a', 'ns-2/b']) await writer.create(configMap(name));
    const reader = new ObjectReader(context, new WatchCache());
    const first = await reader.list({ namespace: 'ns', resourceVersion: '5', limit: 1 });
    expect(decodeContinue(first.metadata.continue ?? '').start).toBe('a\0');
    const second = await reader.list({ namespace: 'ns', continue: first.metadata.continue ?? '' });
    expect(second.items.map(short)).toEqual(['b@3']);
  });

  test('A page of a compacted state is refused, with a token for the rest of the newest state', async () => {
    const { context, store } = await openContext();
    const writer = new ObjectWriter(context);
    for (const name of ['a', 'b', 'c']) await writer.create(configMap(name));
    const reader = new ObjectReader(context, new WatchCache());
    await store.compact(4);
    const error = await reader.list({ continue: token(3, 'ns/a\0') }).catch((refused) => {
      errorOf(refused);
      return refused;
    });
    expect(error.status).toMatchObject({ code: 410, reason: 'Expired' });
    expect(wantedBy({ continue: error.status.metadata.continue })).toEqual({
      state: 'newest',
      start: 'ns/a\0',
    });
  });
});
