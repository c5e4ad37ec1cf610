/**
 * Calls a function `count` times in batches of 1, 2, 4 … calls at once, and stops after the first batch with a failure:
 * if every call fails for the same reason, few requests find out. Kata 23 teaches it; later components use this one.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go slowStartBatch
 *
 * @throws the first error of the failed batch
 */
export async function slowStart(count: number, fn: (index: number) => Promise<unknown>): Promise<void> {
  let started = 0;
  for (let size = 1; started < count; size *= 2) {
    const first = started;
    started = Math.min(count, started + size);
    const batch = Array.from({ length: started - first }, async (_, i) => fn(first + i));
    for (const result of await Promise.allSettled(batch)) {
      if (result.status === 'rejected') throw result.reason;
    }
  }
}
