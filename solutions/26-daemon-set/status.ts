/** The status of a DaemonSet. */
import { type DaemonSet, isReady, sets } from '#harness';
import type { Scene } from './placement.ts';
import { byCreationTimestampAndPhase, isPodUpdated } from './pods.ts';

/**
 * Counts the nodes and their pods. On a node with several pods, only the first counts: a bound pod before others, then
 * the oldest.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/daemon_controller.go updateDaemonSetStatus
 */
export function calculateStatus({ set, hash, nodes, decide, pods, nowMs }: Scene): DaemonSet['status'] {
  const { minReadySeconds = 0 } = set.spec;
  const counts = { current: 0, misscheduled: 0, desired: 0, ready: 0, updated: 0, available: 0 };
  for (const node of nodes) {
    const { shouldRun } = decide(node);
    const [pod] = (pods.get(node.metadata.name) ?? []).toSorted(byCreationTimestampAndPhase);
    if (!shouldRun) {
      if (pod) counts.misscheduled++;
      continue;
    }
    counts.desired++;
    if (!pod) continue;
    counts.current++;
    if (isReady(pod)) counts.ready++;
    if (sets.isPodAvailable(pod, minReadySeconds, nowMs)) counts.available++;
    if (isPodUpdated(pod, set, hash)) counts.updated++;
  }
  const { collisionCount, conditions } = set.status;
  return {
    currentNumberScheduled: counts.current,
    numberMisscheduled: counts.misscheduled,
    desiredNumberScheduled: counts.desired,
    numberReady: counts.ready,
    observedGeneration: set.metadata.generation ?? 0,
    updatedNumberScheduled: counts.updated,
    numberAvailable: counts.available,
    numberUnavailable: counts.desired - counts.available,
    ...(collisionCount === undefined ? {} : { collisionCount }),
    ...(conditions === undefined ? {} : { conditions }),
  };
}
