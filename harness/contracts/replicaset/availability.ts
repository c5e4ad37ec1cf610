import type { Pod } from '../../api/objects.ts';
import { isReady } from '../../api/predicates.ts';

/**
 * Returns the time since which the pod is ready, in ms since 1970; `undefined` if it is not ready, or its condition has
 * no time.
 */
export function readySinceMs(pod: Pod): number | undefined {
  if (!isReady(pod)) return undefined;
  const since = pod.status.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
  return since ? Date.parse(since) : undefined;
}

/**
 * Returns whether the pod has been ready for at least `minReadySeconds`. With `minReadySeconds: 30`, a pod that is
 * ready since 10:00:00 is available from 10:00:30 on. If the condition has no time, the pod is available only if
 * `minReadySeconds` is 0.
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
 * Returns the time in ms until the next of these pods becomes available. No event reports that moment. With
 * `minReadySeconds: 10` and pods that are ready for 4 s and for 7 s, it is 3,000.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go FindMinNextPodAvailabilityCheck;
 * pkg/controller/replicaset/replica_set.go ReplicaSetController.syncReplicaSet calls it only with `minReadySeconds`
 *
 * @returns at least 1; `undefined` if no pod becomes available just by waiting, as without `minReadySeconds`
 */
export function nextAvailabilityMs(
  all: readonly Pod[],
  minReadySeconds: number,
  nowMs: number,
): number | undefined {
  if (minReadySeconds === 0) return undefined;
  let next: number | undefined;
  for (const pod of all) {
    const sinceMs = readySinceMs(pod);
    if (sinceMs === undefined) continue;
    const waitMs = sinceMs + minReadySeconds * 1_000 - nowMs;
    if (waitMs > 0) next = Math.min(waitMs, next ?? waitMs);
  }
  return next;
}
