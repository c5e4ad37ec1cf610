import { setImmediate } from 'node:timers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  lastHistory,
  noteCalls,
  noteHistory,
  noteTimeline,
  resetEvidence,
  takeEvidence,
} from './property.ts';

test('A property of an abandoned test stops', async () => {
  let runs = 0;
  let goOn = (): void => {};
  const property = fc.asyncProperty(fc.integer(), () => {
    runs++;
    return new Promise<void>((resolve) => {
      goOn = resolve;
    });
  });
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  fc.assert(property, { numRuns: 3 }).then(settle, settle);
  await eventLoopTurn();
  resetEvidence();
  goOn();
  await eventLoopTurn();
  expect({ runs, isSettled }).toEqual({ runs: 1, isSettled: false });
});

/** Resolves after all microtasks have run. */
function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('The history of a test', () => {
  const lines = ['t=1ms  adder  adds 1', 't=3ms  adder  adds 2'];

  test('has the timeline and the violation apart; a screen has both in one', () => {
    resetEvidence();
    const violation = { atMs: 2, message: 'too much\nbecause of 1', object: 'adder' };
    noteTimeline(() => lines, violation);
    expect(lastHistory()).toEqual({ timeline: lines, violation });
    expect(takeEvidence()).toEqual({
      timeline: [lines[0], '✗ too much', lines[1]],
      object: 'adder',
      isDrawable: true,
    });
    expect(lastHistory()).toEqual({});
  });

  test('may be for replays alone', () => {
    resetEvidence();
    noteHistory(() => lines);
    expect(lastHistory()).toEqual({ timeline: lines });
    expect(takeEvidence()).toEqual({ isDrawable: true });
  });

  test('has the calls of a law about decisions', () => {
    resetEvidence();
    noteCalls([{ actor: 'NodeName', what: 'filter node-0' }]);
    expect(lastHistory()).toEqual({ calls: [{ actor: 'NodeName', what: 'filter node-0' }] });
    resetEvidence();
  });
});
