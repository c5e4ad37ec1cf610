import { expect, test } from 'vitest';
import { slowStart } from './slow-start.ts';

test('doubles its batches, and stops after a batch with an error', async () => {
  const tried: number[] = [];
  const task = async (item: number): Promise<void> => {
    tried.push(item);
    if (item === 2) throw new Error('no');
  };
  const { successes, error } = await slowStart([0, 1, 2, 3, 4, 5], task);
  expect(tried).toEqual([0, 1, 2]);
  expect([successes, String(error)]).toEqual([2, 'Error: no']);
  expect(await slowStart([7, 8], async () => {})).toEqual({ successes: 2 });
});
