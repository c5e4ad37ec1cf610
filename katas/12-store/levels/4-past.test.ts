import { describe, expect, test } from 'vitest';
import { prefixRange } from '#given/12-store';
import { named, vectors } from '#harness/testing';
import {
  atRevisions,
  type Expected,
  eventsIn,
  keyspace,
  perform,
  type Steps,
  stateOf,
  thrownBy,
} from './steps.fixture.ts';

const COMPACTED = 'etcdserver: mvcc: required revision has been compacted';
const FUTURE = 'etcdserver: mvcc: required revision is a future revision';
const everything = { key: 'a', end: 'z' };
const writes = ['a=1', 'b=1', '-a', 'b=2 c=1', 'a=2', '-b'] as const;

describe('Level 4 · The past', () => {
  test.each([
    [1, ''],
    [2, 'a@2'],
    [3, 'a@2 b@3'],
    [4, 'b@3'],
    [5, 'b@5 c@5'],
    [6, 'a@6 b@5 c@5'],
    [7, 'a@6 c@5'],
  ])('At revision %i, the state is that of its time', (revision, expected) => {
    expect(atRevisions(keyspace(...writes).at(revision, everything))).toBe(expected);
  });

  test('A range in the past has values of the past, and the revision of the present', () => {
    const space = keyspace('p/a=1', 'p/a=2', 'q=1');
    expect(space.range({ ...prefixRange('p/'), revision: 2, limit: 1 })).toEqual({
      revision: 4,
      kvs: [{ key: 'p/a', value: '1', createRevision: 2, modRevision: 2, version: 1 }],
      more: false,
      count: 1,
    });
  });

  test('Keys outside the range do not return from the past', () => {
    expect(atRevisions(keyspace('a=1', 'ab=1', '-a', '-ab').at(3, { key: 'a' }))).toBe('a@2');
  });

  test('A compaction changes neither the present nor the counter', () => {
    const space = keyspace(...writes);
    space.compact(6);
    expect([space.revision, atRevisions(space.range(everything).kvs)]).toEqual([7, 'a@6 c@5']);
  });

  test('The compacted revision and all later ones can be read', () => {
    const space = keyspace(...writes);
    space.compact(5);
    const read = (revision: number) => atRevisions(space.range({ ...everything, revision }).kvs);
    expect([read(5), read(6), read(7)]).toEqual(['b@5 c@5', 'a@6 b@5 c@5', 'a@6 c@5']);
    expect(thrownBy(() => read(4))).toBe(COMPACTED);
  });

  test('The compacted revision keeps its events, without the state before them', () => {
    const space = keyspace(...writes);
    space.compact(5);
    expect(eventsIn(space.eventsFrom(1))).toEqual([
      'put b=2 @5',
      'put c=1 @5',
      'put a=2 @6',
      'delete b @7 before 2',
    ]);
  });

  test('A delete at the compacted revision stays, too', () => {
    const space = keyspace(...writes);
    space.compact(7);
    expect(eventsIn(space.eventsFrom(1))).toEqual(['delete b @7']);
  });

  test('A compaction at or below the last one is refused', () => {
    const space = keyspace(...writes);
    space.compact(5);
    expect(thrownBy(() => space.compact(5))).toBe(COMPACTED);
    expect(thrownBy(() => space.compact(4))).toBe(COMPACTED);
    expect(space.compactedRevision).toBe(5);
  });

  test('A compaction of the future is refused', () => {
    const space = keyspace('a=1');
    expect(thrownBy(() => space.compact(3))).toBe(FUTURE);
    expect(space.compactedRevision).toBe(0);
  });

  test.each(named(vectors<Steps, Expected>('etcd-kv', 'past', 6)))('As etcd: %s', (_, row) => {
    expect(stateOf(perform(row.input), row.expect)).toEqual(row.expect);
  });
});
