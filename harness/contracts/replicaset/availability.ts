import type { Pod } from '../../api/objects.ts';
import { isReady } from '../../api/predicates.ts';

/** @returns since when the pod has been ready, in ms since 1970; `undefined` if it is not, or does not say */
export function readySinceMs(pod: Pod): number | undefined {
  if (!isReady(pod)) return undefined;
  const since = pod.status.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
  return since ? Date.parse(since) : undefined;
}

/**
 * Has the pod been ready for long enough to be relied on? At `minReadySeconds` it is available, not only after them. A pod
 * that does not say since when it is ready never is, unless `minReadySeconds` is 0.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/pod/util.go IsPodAvailable
 */
export function isPodAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  if (!isReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const sinceMs = readySinceMs(pod);
  return sinceMs !== undefined && sinceMs + minReadySeconds * 1_000 <= nowMs;
}

/**
 * In how many ms the next of these pods becomes available. No event tells of that moment.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go FindMinNextPodAvailabilityCheck
 *
 * @returns 1 at least; `undefined` if no pod waits for time alone
 */
export function nextAvailabilityMs(
  all: readonly Pod[],
  minReadySeconds: number,
  nowMs: number,
): number | undefined {
  let next: number | undefined;
  for (const pod of all) {
    const sinceMs = readySinceMs(pod);
    if (sinceMs === undefined) continue;
    const waitMs = sinceMs + minReadySeconds * 1_000 - nowMs;
    if (waitMs > 0) next = Math.min(waitMs, next ?? waitMs);
  }
  return next;
}
