import { describe, expect, test } from 'vitest';
import { Trace, type TraceEntry } from './trace.ts';

const hashOf = (...entries: Omit<TraceEntry, 'atMs'>[]): string => {
  const trace = new Trace(() => 5);
  for (const entry of entries) trace.record(entry);
  return trace.hash();
};
const entry = { actor: 'informer', verb: 'list', object: 'pods', revision: 3, outcome: 'ok', note: '' };

describe('Trace', () => {
  test('keeps its entries in order, with their times', () => {
    let nowMs = 0;
    const trace = new Trace(() => nowMs);
    trace.record({ actor: 'a', verb: 'start' });
    nowMs = 7;
    trace.record({ actor: 'a', verb: 'crash' });
    expect(trace.entries).toEqual([
      { atMs: 0, actor: 'a', verb: 'start' },
      { atMs: 7, actor: 'a', verb: 'crash' },
    ]);
  });

  test('forgets entries before a time', () => {
    let nowMs = 0;
    const trace = new Trace(() => nowMs);
    for (nowMs of [1, 2, 3]) trace.record(entry);
    trace.forget(2);
    expect(trace.entries.map(({ atMs }) => atMs)).toEqual([2, 3]);
    trace.forget(9);
    expect(trace.entries).toEqual([]);
  });

  test('has the same hash for equal runs', () => {
    expect(hashOf(entry, entry)).toBe(hashOf(entry, { ...entry }));
    expect(hashOf(entry)).toMatch(/^[\da-f]{16}$/);
  });

  // Change this value only together with the hash function: it depends on nothing else.
  test('has the same hash on every machine', () => {
    expect(hashOf(entry)).toBe('71f315203da894f4');
  });

  test('has a different hash if any field differs', () => {
    const others = [
      { actor: 'x' },
      { verb: 'x' },
      { object: 'x' },
      { revision: 4 },
      { outcome: 'x' },
      { note: 'x' },
    ].map((change) => hashOf({ ...entry, ...change }));
    const orders = [hashOf(entry, { ...entry, verb: 'get' }), hashOf({ ...entry, verb: 'get' }, entry)];
    const all = [hashOf(), hashOf(entry), hashOf(entry, entry), ...others, ...orders];
    expect(new Set(all).size).toBe(all.length);
  });

  test('distinguishes an absent field from its neighbour', () => {
    expect(hashOf({ actor: 'a', verb: 'v', object: 'o' })).not.toBe(
      hashOf({ actor: 'a', verb: 'v', outcome: 'o' }),
    );
  });
});
