import type { RateLimiter } from '../../contracts/work-queue.ts';

/** Retries every item after the same delay, however often it has failed: for controllers that must not fall behind. */
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
