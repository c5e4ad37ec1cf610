import type { Pod } from '../../api/objects.ts';
import { isReady } from '../../api/predicates.ts';
import { readySinceMs } from '../replicaset/availability.ts';

const PHASE_ORDER: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/**
 * Compares two active pods: negative if `one` is deleted before `other`. The pod without a node goes first, then the
 * pending pod, the pod that is not ready, the pod that has been ready for a shorter time, the pod with more restarts,
 * the younger pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go ActivePods.Less
 */
export function compareForRemoval(one: Pod, other: Pod): number {
  return (
    ascending(one, other, ({ spec }) => (spec.nodeName ? 1 : 0)) ||
    ascending(one, other, ({ status }) => PHASE_ORDER[status.phase ?? ''] ?? 0) ||
    ascending(one, other, (pod) => (isReady(pod) ? 1 : 0)) ||
    younger(one, other, readySinceMs) ||
    ascending(other, one, mostRestarts) ||
    younger(one, other, createdMs)
  );
}

function ascending(one: Pod, other: Pod, value: (pod: Pod) => number): number {
  return value(one) - value(other);
}

/** A pod without a time goes before all others. */
function younger(one: Pod, other: Pod, sinceMs: (pod: Pod) => number | undefined): number {
  const [a, b] = [sinceMs(one), sinceMs(other)];
  if (a === b) return 0;
  if (a === undefined) return -1;
  return b === undefined ? 1 : b - a;
}

function createdMs({ metadata: { creationTimestamp } }: Pod): number | undefined {
  return creationTimestamp ? Date.parse(creationTimestamp) : undefined;
}

function mostRestarts({ status }: Pod): number {
  return Math.max(0, ...(status.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}
