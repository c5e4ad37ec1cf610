import { describe, expect, test } from 'vitest';
import { named, vectors } from '#harness/testing';
import { type Expected, eventsIn, keyspace, perform, rowsOf, type Steps, stateOf } from './steps.fixture.ts';

describe('Level 1 · One counter', () => {
  test('A put creates a key at the next revision', () => {
    const space = keyspace('a=1');
    expect(space.revision).toBe(2);
    expect(space.present.get('a')).toEqual({
      key: 'a',
      value: '1',
      createRevision: 2,
      modRevision: 2,
      version: 1,
    });
  });

  test('A second put keeps the create revision, and counts the version', () => {
    expect(rowsOf(keyspace('a=1', 'b=1', 'a=2').present.all()).a).toEqual({
      value: '2',
      create: 2,
      mod: 4,
      version: 2,
    });
  });

  test('A put keeps the lease only if it names it', () => {
    const space = keyspace();
    space.write([{ key: 'a', value: '1', lease: '7' }]);
    expect(space.present.get('a')?.lease).toBe('7');
    space.write([{ key: 'a', value: '2' }]);
    expect(space.present.get('a')).not.toHaveProperty('lease');
  });

  test('A delete removes a key, and moves the counter', () => {
    const space = keyspace('a=1', '-a');
    expect([space.revision, space.present.get('a')]).toEqual([3, undefined]);
  });

  test('A key that is created again starts with version 1', () => {
    expect(rowsOf(keyspace('a=1', 'a=2', '-a', 'a=3').present.all()).a).toEqual({
      value: '3',
      create: 5,
      mod: 5,
      version: 1,
    });
  });

  test('The version counts further than a byte', () => {
    const space = keyspace();
    for (let i = 0; i < 300; i++) space.write([{ key: 'a', value: '1' }]);
    expect(space.present.get('a')?.version).toBe(300);
  });

  test('The delete of a missing key changes nothing', () => {
    const space = keyspace('a=1', '-b');
    expect(space.revision).toBe(2);
    expect(eventsIn(space.history)).toEqual(['put a=1 @2']);
  });

  test('No changes change nothing', () => {
    const space = keyspace();
    space.write([]);
    expect([space.revision, space.history]).toEqual([1, []]);
  });

  test('Several changes have one revision', () => {
    const space = keyspace('a=1', 'a=2 b=1 -c');
    expect(space.revision).toBe(3);
    expect(Object.values(rowsOf(space.present.all())).map(({ mod }) => mod)).toEqual([3, 3]);
  });

  test('Changes can have a given revision', () => {
    const space = keyspace('a=1');
    space.write([{ key: 'b', value: '1' }], 3);
    space.write([{ key: 'c', value: '1' }], 3);
    expect(space.revision).toBe(3);
    expect(eventsIn(space.history)).toEqual(['put a=1 @2', 'put b=1 @3', 'put c=1 @3']);
  });

  test('The history has each change, with the state before it', () => {
    const space = keyspace('a=1', 'a=2 b=1', '-a');
    expect(eventsIn(space.history)).toEqual([
      'put a=1 @2',
      'put a=2 @3 before 1',
      'put b=1 @3',
      'delete a @4 before 2',
    ]);
    expect(space.history.at(-1)?.kv, 'a deleted key has nothing but its key and its revision').toEqual({
      key: 'a',
      modRevision: 4,
    });
  });

  test.each(named(vectors<Steps, Expected>('etcd-kv', 'counter', 8)))('As etcd: %s', (_, row) => {
    expect(stateOf(perform(row.input), row.expect)).toEqual(row.expect);
  });
});
