import type { RateLimiter } from '../../contracts/work-queue.ts';

/** Lets every item be tried again after the same time, however often it failed: for controllers that must never fall behind. */
export function steadily<T>(afterMs: number): RateLimiter<T> {
  const failures = new Map<T, number>();
  return {
    when(item) {
      failures.set(item, (failures.get(item) ?? 0) + 1);
      return afterMs;
    },
    forget: (item) => void failures.delete(item),
    numRequeues: (item) => failures.get(item) ?? 0,
  };
}
