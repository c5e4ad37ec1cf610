import { describe, expect, test } from 'vitest';
import type { StoreOperation } from '#given/12-store';
import { named, vectors } from '#harness/testing';
import {
  type Expected,
  eventsIn,
  keyspace,
  perform,
  type Steps,
  stateOf,
  thrownBy,
} from './steps.fixture.ts';

const put = (key: string, value = '1'): StoreOperation => ({ put: { key, value } });
const remove = (key: string, end?: string): StoreOperation => ({
  delete: end === undefined ? { key } : { key, end },
});

describe('Level 2 · All or nothing', () => {
  test('A transaction without conditions writes everything at one revision', () => {
    const space = keyspace('a=1');
    expect(space.transact({ then: [put('b'), put('c'), remove('a')] })).toEqual({
      revision: 3,
      succeeded: true,
      results: [{ put: {} }, { put: {} }, { deleted: 1 }],
      changes: [{ key: 'b', value: '1' }, { key: 'c', value: '1' }, { key: 'a' }],
    });
    expect(eventsIn(space.eventsFrom(3))).toEqual(['put b=1 @3', 'put c=1 @3', 'delete a @3 before 1']);
  });

  test('If one condition fails, the other operations run', () => {
    const space = keyspace('a=1');
    const compare = [
      { key: 'a', target: 'version', is: '=', to: 1 },
      { key: 'b', target: 'modRevision', is: '>', to: 0 },
    ] as const;
    const { succeeded, results } = space.transact({ compare, then: [put('x')], otherwise: [put('y')] });
    expect([succeeded, results]).toEqual([false, [{ put: {} }]]);
    expect(eventsIn(space.eventsFrom(3))).toEqual(['put y=1 @3']);
  });

  test('A failed condition without other operations changes nothing', () => {
    const space = keyspace('a=1');
    const compare = [{ key: 'a', target: 'value', is: '=', to: '2' }] as const;
    expect(space.transact({ compare, then: [remove('a')] })).toEqual({
      revision: 2,
      succeeded: false,
      results: [],
      changes: [],
    });
    expect(space.revision).toBe(2);
  });

  test('Conditions see the state before the transaction', () => {
    const space = keyspace();
    const compare = [{ key: 'a', target: 'modRevision', is: '=', to: 0 }] as const;
    expect(space.transact({ compare, then: [put('a')] }).succeeded).toBe(true);
    expect(space.transact({ compare, then: [put('a')] }).succeeded).toBe(false);
  });

  test('A delete of a range counts the deleted keys', () => {
    const space = keyspace('p/a=1', 'p/b=1', 'q=1');
    const { results, changes } = space.transact({ then: [remove('p/', 'p0')] });
    expect(results).toEqual([{ deleted: 2 }]);
    expect(changes).toEqual([{ key: 'p/a' }, { key: 'p/b' }]);
    expect(space.present.all().map(({ key }) => key)).toEqual(['q']);
  });

  test('Two deletes of a key delete it once', () => {
    const space = keyspace('a=1');
    const { results, changes } = space.transact({ then: [remove('a'), remove('a')] });
    expect(results).toEqual([{ deleted: 1 }, { deleted: 0 }]);
    expect(changes).toEqual([{ key: 'a' }]);
  });

  test('A transaction that changes nothing does not move the counter', () => {
    const space = keyspace('a=1');
    expect(space.transact({ then: [remove('missing')] })).toEqual({
      revision: 2,
      succeeded: true,
      results: [{ deleted: 0 }],
      changes: [],
    });
  });

  test.each([
    ['puts a key twice', { then: [put('b'), put('a'), put('a')] }],
    ['puts a key and deletes its range', { then: [put('b'), remove('a', 'c')] }],
    ['would do so if the conditions failed', { then: [put('b')], otherwise: [put('a'), put('a')] }],
  ])('A transaction that %s is refused, and changes nothing', (_, transaction) => {
    const space = keyspace();
    expect(thrownBy(() => space.transact(transaction))).toBe(
      'etcdserver: duplicate key given in txn request',
    );
    expect([space.revision, space.history]).toEqual([1, []]);
  });

  test('A transaction with an unknown lease is refused, and changes nothing', () => {
    const space = keyspace();
    const then: StoreOperation[] = [put('b'), { put: { key: 'a', value: '1', lease: '7' } }];
    expect(thrownBy(() => space.transact({ then }))).toBe('etcdserver: requested lease not found');
    expect([space.revision, space.history]).toEqual([1, []]);
    const compare = [{ key: 'a', target: 'version', is: '>', to: 0 }] as const;
    expect(space.transact({ compare, then, otherwise: [] }).succeeded, 'it would not run').toBe(false);
  });

  test('The changes for the log have the leases of their puts', () => {
    const space = keyspace();
    space.leases.set('7', { id: '7', seconds: 60 });
    const then: StoreOperation[] = [put('b'), { put: { key: 'a', value: '1', lease: '7' } }];
    expect(space.transact({ then }).changes[1]).toEqual({ key: 'a', value: '1', lease: '7' });
  });

  test.each(named(vectors<Steps, Expected>('etcd-kv', 'transaction', 5)))('As etcd: %s', (_, row) => {
    expect(stateOf(perform(row.input), row.expect)).toEqual(row.expect);
  });
});
