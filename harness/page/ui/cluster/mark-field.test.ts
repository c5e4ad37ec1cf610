import { describe, expect, test } from 'vitest';
import type { Message } from '../../protocol/message.ts';
import { hasFailed, MARKS_MAX, MarkField, TRAVEL_MS, travelMs } from './mark-field.ts';

const message = (id: number, more: Partial<Message> = {}): Message => ({
  id,
  atMs: 1000,
  kind: 'request',
  way: ['process:kubelet-node-1', 'apiserver:0'],
  verb: 'get',
  isFailure: false,
  isBackground: false,
  ...more,
});

const many = (count: number, more: Partial<Message> = {}): readonly Message[] =>
  Array.from({ length: count }, (_, id) => message(id, more));

describe('A mark', () => {
  test('travels for a fixed time at speed 1', () => {
    const field = new MarkField();
    field.add([message(1)], 0, 1);
    field.advance(TRAVEL_MS - 1);
    expect(field.marks.length).toBe(1);
    field.advance(TRAVEL_MS);
    expect(field.isCalm).toBe(true);
  });

  test('travels for its latency when the run is slow', () => {
    expect(travelMs(message(1, { sinceMs: 985 }), 0.01)).toBe(1500);
    expect(travelMs(message(1, { sinceMs: 985 }), 1)).toBe(TRAVEL_MS);
  });

  test('never travels for longer than it can be watched', () => {
    expect(travelMs(message(1, { sinceMs: 0 }), 0.01)).toBe(4000);
  });

  test('travels longer along a way of several wires', () => {
    const way = ['pod:a/b', 'node:n1', 'cloud', 'node:n2', 'pod:a/c'] as const;
    expect(travelMs(message(1, { kind: 'packet', way }), 1)).toBe(2 * TRAVEL_MS);
  });
});

describe('A failure', () => {
  test('is a request that was refused', () => {
    expect(hasFailed(message(1, { isFailure: true, verb: 'create', outcome: 'Conflict' }))).toBe(true);
  });

  test('is not a get that finds nothing', () => {
    expect(hasFailed(message(1, { isFailure: true, verb: 'get', outcome: 'NotFound' }))).toBe(false);
  });
});

describe('Many messages', () => {
  test('merge into one pulse for each wire and kind, with counts', () => {
    const field = new MarkField();
    field.add([...many(MARKS_MAX + 7), ...many(5, { kind: 'event', isFailure: true })], 0, 1000);
    expect(field.marks.length).toBe(MARKS_MAX);
    expect([...field.pulses].map(({ kind, count, failures }) => [kind, count, failures])).toEqual([
      ['request', 7, 0],
      ['event', 5, 5],
    ]);
  });

  test('merge by their number within a second, not within one frame', () => {
    const field = new MarkField();
    field.add(many(40), 0, 1);
    field.add(many(40), 500, 1);
    expect([...field.pulses].map(({ count }) => count)).toEqual([80 - MARKS_MAX]);
    field.advance(2000);
    field.add(many(40), 2000, 1);
    expect([field.marks.length, [...field.pulses].length]).toEqual([40, 0]);
  });

  test('keep a pulse alive, and it ends soon after the last', () => {
    const field = new MarkField();
    field.add(many(100), 0, 1000);
    field.add(many(100), 400, 1000);
    field.advance(600);
    expect([...field.pulses].map(({ count }) => count)).toEqual([200 - MARKS_MAX]);
    field.advance(900);
    expect(field.isCalm).toBe(true);
  });
});
