import { describe, expect, test } from 'vitest';
import { prefixRange } from '#given/12-store';
import { named, vectors } from '#harness/testing';
import {
  atRevisions,
  type Expected,
  keyspace,
  perform,
  type Steps,
  stateOf,
  thrownBy,
} from './steps.fixture.ts';

const world = () => keyspace('p/c=1', 'p/a=1', 'q=1', 'p/b=1', 'o=1');

describe('Level 3 · Ranges', () => {
  test('A range has its keys in order, and the revision of the store', () => {
    const { kvs, ...rest } = world().range(prefixRange('p/'));
    expect(atRevisions(kvs)).toBe('p/a@3 p/b@5 p/c@2');
    expect(rest).toEqual({ revision: 6, more: false, count: 3 });
  });

  test('A range ends before its end', () => {
    expect(atRevisions(world().range({ key: 'p/a', end: 'p/c' }).kvs)).toBe('p/a@3 p/b@5');
  });

  test('A range without an end has one key', () => {
    const space = keyspace('a=1', 'ab=1');
    expect(atRevisions(space.range({ key: 'a' }).kvs)).toBe('a@2');
    expect(space.range({ key: 'b' })).toEqual({ revision: 3, kvs: [], more: false, count: 0 });
  });

  test.each([
    [1, 'p/a@3', true],
    [2, 'p/a@3 p/b@5', true],
    [3, 'p/a@3 p/b@5 p/c@2', false],
    [4, 'p/a@3 p/b@5 p/c@2', false],
  ])('With the limit %i, a range still counts all keys', (limit, expected, more) => {
    const result = world().range({ ...prefixRange('p/'), limit });
    expect([atRevisions(result.kvs), result.more, result.count]).toEqual([expected, more, 3]);
  });

  test('In a transaction, a range sees the operations before it', () => {
    const space = keyspace('p/a=1');
    const range = { range: prefixRange('p/') };
    const { results } = space.transact({
      then: [range, { put: { key: 'p/b', value: '1' } }, range, { delete: { key: 'p/a' } }, range],
    });
    const seen = results.flatMap((each) =>
      'range' in each ? [`${each.range.revision}: ${atRevisions(each.range.kvs)}`] : [],
    );
    expect(seen).toEqual(['2: p/a@2', '3: p/a@2 p/b@3', '3: p/b@3']);
  });

  test('A range in the future of a transaction is refused, and the transaction changes nothing', () => {
    const space = keyspace('a=1');
    const then = [{ put: { key: 'b', value: '1' } }, { range: { key: 'a', revision: 3 } }];
    expect(thrownBy(() => space.transact({ then }))).toBe(
      'etcdserver: mvcc: required revision is a future revision',
    );
    expect(space.revision).toBe(2);
  });

  test.each(named(vectors<Steps, Expected>('etcd-kv', 'range', 4)))('As etcd: %s', (_, row) => {
    expect(stateOf(perform(row.input), row.expect)).toEqual(row.expect);
  });
});
