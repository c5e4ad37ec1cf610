/** Level 6 · Status: which pods are available, and when the next will be. */
import type { Pod } from '#harness';
import { isPodReady, readySinceMs } from './readiness.ts';

export function isPodAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  if (!isPodReady(pod)) return false;
  const sinceMs = readySinceMs(pod);
  return minReadySeconds === 0 || (sinceMs !== undefined && sinceMs + minReadySeconds * 1000 < nowMs);
}

export function nextAvailabilityMs(
  all: readonly Pod[],
  minReadySeconds: number,
  nowMs: number,
): number | undefined {
  const waits = all
    .filter((pod) => isPodReady(pod) && !isPodAvailable(pod, minReadySeconds, nowMs))
    .map(readySinceMs)
    .filter((sinceMs) => sinceMs !== undefined)
    .map((sinceMs) => sinceMs + minReadySeconds * 1000 + 1 - nowMs);
  return waits.length === 0 ? undefined : Math.min(...waits);
}
