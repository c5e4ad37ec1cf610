import { setImmediate } from 'node:timers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resetEvidence } from './property.ts';

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
