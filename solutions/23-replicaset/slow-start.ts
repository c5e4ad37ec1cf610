/** Level 4 · Slow start. */

export const SLOW_START_INITIAL_BATCH_SIZE = 1;

/** The number of successes of a slow start, and the first failure, if any. */
export interface BatchResult {
  readonly successes: number;
  readonly error?: unknown;
}

export async function slowStartBatch(
  count: number,
  initialBatchSize: number,
  fn: () => Promise<void>,
): Promise<BatchResult> {
  let successes = 0;
  for (let size = initialBatchSize; successes < count; size *= 2) {
    const batch = Array.from({ length: Math.min(size, count - successes) }, async () => fn());
    const results = await Promise.allSettled(batch);
    const failures = results.filter((result) => result.status === 'rejected');
    successes += results.length - failures.length;
    if (failures[0]) return { successes, error: failures[0].reason };
  }
  return { successes };
}
