import { expect, test } from 'vitest';
import { slowStart } from './slow-start.ts';

/** Records the calls of each batch; the call with the number `fails` fails. */
async function batches(count: number, fails = -1): Promise<{ sizes: number[]; error?: unknown }> {
  const sizes: number[] = [];
  let open = 0;
  try {
    await slowStart(count, async (index) => {
      if (open++ === 0) sizes.push(0);
      sizes.push((sizes.pop() ?? 0) + 1);
      await Promise.resolve();
      open--;
      if (index === fails) throw new Error(`call ${index}`);
    });
    return { sizes };
  } catch (error) {
    return { sizes, error };
  }
}

test('doubles the size of each batch', async () => {
  expect(await batches(10)).toEqual({ sizes: [1, 2, 4, 3] });
  expect(await batches(0)).toEqual({ sizes: [] });
});

test('stops after the first batch with a failure', async () => {
  expect(await batches(10, 2)).toEqual({ sizes: [1, 2], error: new Error('call 2') });
});
