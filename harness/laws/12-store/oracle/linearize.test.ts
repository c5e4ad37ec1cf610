import { describe, expect, test } from 'vitest';
import type { KeyValue } from '../../../contracts/store/index.ts';
import type { Answer, Request } from '../history.ts';
import type { Call } from './calls.ts';
import { linearize, type Witness } from './linearize.ts';

/** Returns a call between two entries; without an answer it ends with its process. */
const call = (from: number, to: number, request: Request, answer?: Answer): Call => ({
  request,
  by: 'client',
  process: 0,
  from,
  to,
  atMs: from,
  ...(answer && { answer }),
});

const put = (value: string): Request => ({
  call: 'transact',
  transaction: { then: [{ put: { key: 'a', value } }] },
});
const wrote = (revision: number): Answer => ({
  kind: 'transaction',
  result: { revision, succeeded: true, results: [{ put: {} }] },
});

const read: Request = { call: 'range', request: { key: 'a' } };
const saw = (revision: number, kv?: KeyValue): Answer => ({
  kind: 'range',
  result: { revision, kvs: kv ? [kv] : [], more: false, count: kv ? 1 : 0 },
});
const first: KeyValue = { key: 'a', value: '1', createRevision: 2, modRevision: 2, version: 1 };
const second: KeyValue = { key: 'a', value: '2', createRevision: 2, modRevision: 3, version: 2 };

describe('An order of the calls', () => {
  test('exists when each answer follows from the calls before', () => {
    const { isWhole, placed } = linearize([call(0, 1, put('1'), wrote(2)), call(2, 3, read, saw(2, first))]);
    expect([isWhole, placed.length]).toEqual([true, 2]);
  });

  test('puts calls that overlap in the order of their revisions', () => {
    const calls = [call(0, 5, put('2'), wrote(3)), call(1, 4, put('1'), wrote(2)), call(2, 3, read, saw(1))];
    expect(linearize(calls).placed.map((one) => one.call.from)).toEqual([2, 1, 0]);
  });

  test('does not exist for a read that misses an answered write', () => {
    const { isWhole, blocked } = linearize([call(0, 1, put('1'), wrote(2)), call(2, 3, read, saw(1))]);
    expect([isWhole, blocked?.from]).toEqual([false, 2]);
  });

  test('does not exist for reads that go back in time while a write is under way', () => {
    const calls = [call(0, 9, put('1'), wrote(2)), call(1, 2, read, saw(2, first)), call(3, 4, read, saw(1))];
    expect(linearize(calls).isWhole).toBe(false);
  });

  test('does not exist for two writes with one revision', () => {
    const calls = [call(0, 1, put('1'), wrote(2)), call(2, 3, put('2'), wrote(2))];
    expect(linearize(calls).isWhole).toBe(false);
  });
});

describe('A call without an answer', () => {
  const lost = call(0, 5, put('1'));

  test('may have happened', () => {
    expect(linearize([lost, call(6, 7, read, saw(2, first))]).isWhole).toBe(true);
  });

  test('may not have happened', () => {
    expect(linearize([lost, call(6, 7, read, saw(1))]).isWhole).toBe(true);
  });

  test('does not happen after the end of its process', () => {
    const calls = [lost, call(6, 7, read, saw(1)), call(8, 9, read, saw(2, first))];
    expect(linearize(calls).isWhole).toBe(false);
  });

  test('agrees with the events of a watch', () => {
    const calls = [call(0, 5, put('1')), call(1, 5, put('2')), call(6, 7, put('2'), wrote(3))];
    const witness: Witness = {
      at: 5,
      range: { key: 'a' },
      events: [{ type: 'PUT', kv: { ...first, value: '2' } }],
    };
    const { isWhole, placed } = linearize(calls, new Map([[2, [witness]]]));
    expect([isWhole, placed.map((one) => one.call.from)]).toEqual([true, [1, 6]]);
  });

  test('can be found by a later read', () => {
    const calls = [call(0, 9, put('1')), call(1, 9, put('2')), call(10, 11, read, saw(3, second))];
    const { isWhole, placed } = linearize(calls);
    expect([isWhole, placed.map((one) => one.call.from)]).toEqual([true, [0, 1, 10]]);
  });
});
