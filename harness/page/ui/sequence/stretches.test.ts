import { describe, expect, test } from 'vitest';
import type { Moment } from '../../protocol/message.ts';
import type { TimedAction } from '../../protocol/recipe.ts';
import { endOf, latestStart, SOON_MS, startsOf } from './stretches.ts';

const actions: readonly TimedAction[] = [
  { do: 'kubectl', line: 'exec -it web-1 -- sh', atMs: 1_000 },
  { do: 'type', into: 0, line: 'ls', atMs: 2_000 },
  { do: 'fault', fault: { fault: 'partition', node: 'node-1', forMs: 30_000 }, atMs: 5_000 },
  { do: 'kill', process: 'kubelet-node-1', restartAfterMs: 1_000, atMs: 60_000 },
];
const moments: readonly Moment[] = [
  { atMs: 4_000, kind: 'pod-ready', text: 'Pod web-1 is ready' },
  { atMs: 35_000, kind: 'fault-ended', text: 'Fault ended: partition node-1' },
];
const starts = startsOf(actions, moments);

describe('The starts of a diagram', () => {
  test('are commands, faults, and the ends of faults', () => {
    expect(starts.map(({ atMs, text }) => `${atMs} ${text}`)).toEqual([
      '1000 kubectl exec -it web-1 -- sh',
      '5000 Partition node-1 for 30 s',
      '35000 Fault ended: partition node-1',
      '60000 Kill kubelet-node-1, and start it again after 1 s',
    ]);
  });

  test.each([
    [0, undefined],
    [999, undefined],
    [5_000, 1],
    [59_000, 2],
  ])('at %d ms: the latest one is number %s', (nowMs, index) => {
    expect(latestStart(starts, nowMs)).toBe(index);
  });
});

describe('The end of a diagram', () => {
  const nowMs = 100_000;

  test('is the next start or some seconds later, whichever is earlier', () => {
    expect([0, 1].map((index) => endOf('soon', starts, index, nowMs))).toEqual([5_000, 5_000 + SOON_MS]);
  });

  test('is the next start, or now', () => {
    expect(endOf('next', starts, 1, nowMs)).toBe(35_000);
    expect(endOf('next', starts, 3, nowMs)).toBe(nowMs);
    expect(endOf('now', starts, 1, nowMs)).toBe(nowMs);
  });

  test('never lies after the present', () => {
    expect(endOf('soon', starts, 3, 61_000)).toBe(61_000);
  });

  test('lies after a start of the same instant', () => {
    const twice = [...starts, { atMs: 60_000, text: 'End all faults' }];
    expect(endOf('next', twice, 3, nowMs)).toBe(nowMs);
  });
});
