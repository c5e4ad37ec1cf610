/** The result of {@link slowStart}. */
export interface SlowStartResult {
  readonly successes: number;
  /** The first error. No further batch started after it. */
  readonly error?: unknown;
}

/**
 * Performs these tasks in batches of 1, 2, 4 …: a batch starts when all of the previous batch have succeeded. If all
 * would fail for the same reason, only one is tried.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.manageJob;
 * pkg/controller/controller_utils.go SlowStartInitialBatchSize
 */
export async function slowStart<T>(
  items: readonly T[],
  task: (item: T) => Promise<unknown>,
): Promise<SlowStartResult> {
  let successes = 0;
  for (let start = 0, size = 1; start < items.length; start += size, size *= 2) {
    const results = await Promise.allSettled(items.slice(start, start + size).map(task));
    const failed = results.filter((result) => result.status === 'rejected');
    successes += results.length - failed.length;
    if (failed[0]) return { successes, error: failed[0].reason };
  }
  return { successes };
}
