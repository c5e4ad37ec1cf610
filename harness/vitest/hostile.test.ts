import { expect, test } from 'vitest';
import { runHostile } from './hostile.ts';

/** Milliseconds. It waits for code that never ends. */
const timeout = 300_000;

test('Hostile code is told as such, at its line, and no result beside it is lost', { timeout }, async () => {
  const verdicts = await runHostile({ KATA_STALL_MS: '1000' });
  expect(verdicts.length).toBeGreaterThanOrEqual(19);
  expect(verdicts.filter(({ verdict }) => verdict !== 'right')).toEqual([]);
});
