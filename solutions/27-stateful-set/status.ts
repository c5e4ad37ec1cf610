/** The status of a StatefulSet, and the facts about its pods that all decisions share. */
import { isReady, type Pod, type StatefulSet, sets } from '#harness';

export const revisionOf = ({ metadata }: Pod): string => metadata.labels?.[sets.REVISION_LABEL] ?? '';

export const isTerminating = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;

export const isRunningAndReady = (pod: Pod): boolean => pod.status.phase === 'Running' && isReady(pod);

/** The names of the two revisions that a status reports. */
export interface RevisionNames {
  readonly currentRevision: string;
  readonly updateRevision: string;
  readonly collisionCount: number;
}

/**
 * Counts pods. A terminating pod is still a replica, but it no longer belongs to a revision.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set_control.go computeReplicaStatus
 */
export function calculateStatus(
  set: StatefulSet,
  {
    pods,
    names,
    nowMs,
  }: { readonly pods: readonly Pod[]; readonly names: RevisionNames; readonly nowMs: number },
): StatefulSet['status'] {
  const { minReadySeconds = 0 } = set.spec;
  const count = (counts: (pod: Pod) => boolean): number => pods.filter(counts).length;
  const { conditions } = set.status;
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: pods.length,
    readyReplicas: count(isRunningAndReady),
    availableReplicas: count(
      (pod) => isRunningAndReady(pod) && sets.isPodAvailable(pod, minReadySeconds, nowMs),
    ),
    currentReplicas: count((pod) => !isTerminating(pod) && revisionOf(pod) === names.currentRevision),
    updatedReplicas: count((pod) => !isTerminating(pod) && revisionOf(pod) === names.updateRevision),
    ...names,
    ...(conditions === undefined ? {} : { conditions }),
  };
}

/**
 * Returns the status after an update is complete: the update revision becomes the current one.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set_utils.go completeRollingUpdate
 */
export function withCompletedUpdate(set: StatefulSet, status: StatefulSet['status']): StatefulSet['status'] {
  const { replicas, updateStrategy } = set.spec;
  const isComplete = [status.updatedReplicas, status.readyReplicas, status.replicas].every(
    (count) => count === replicas,
  );
  if (updateStrategy?.type !== 'RollingUpdate' || !isComplete) return status;
  return {
    ...status,
    currentReplicas: status.updatedReplicas ?? 0,
    currentRevision: status.updateRevision ?? '',
  };
}
