import { type PodDisruptionBudget, withCondition } from '#given/35-disruption';
import { formatTime, intstr, isReady, type Pod } from '#harness';

type Status = PodDisruptionBudget['status'];

/**
 * The time in which an evicted pod must get its deletionTimestamp. After that, it counts as not evicted.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/disruption/disruption.go DeletionTimeout
 */
const DELETION_TIMEOUT_MS = 120_000;

const ALLOWED = 'DisruptionAllowed';

/** The evictions that the API has allowed, and that no deletion has confirmed yet. */
export interface PendingEvictions {
  /** The time of each eviction, by the name of its pod. */
  readonly disruptedPods: Readonly<Record<string, string>>;
  /** The time until the first of them expires. */
  readonly firstExpiryMs: number | undefined;
  /** The pods whose eviction has expired. */
  readonly notDeleted: readonly Pod[];
}

/** Returns the pending evictions of a budget. Upstream: DisruptionController.buildDisruptedPodMap */
export function pendingEvictions(
  { status }: PodDisruptionBudget,
  pods: readonly Pod[],
  nowMs: number,
): PendingEvictions {
  const disruptedPods: Record<string, string> = {};
  const notDeleted: Pod[] = [];
  let firstExpiryMs: number | undefined;
  for (const pod of pods) {
    const { name, deletionTimestamp } = pod.metadata;
    const evictedAt = status.disruptedPods?.[name];
    if (evictedAt === undefined || deletionTimestamp !== undefined) continue;
    const leftMs = Date.parse(evictedAt) + DELETION_TIMEOUT_MS - nowMs;
    if (leftMs <= 0) {
      notDeleted.push(pod);
      continue;
    }
    disruptedPods[name] = evictedAt;
    firstExpiryMs = Math.min(leftMs, firstExpiryMs ?? leftMs);
  }
  return { disruptedPods, firstExpiryMs, notDeleted };
}

/** Returns the number of ready pods that are neither terminating nor evicted. Upstream: countHealthyPods */
export function countHealthyPods(
  pods: readonly Pod[],
  disruptedPods: PendingEvictions['disruptedPods'],
): number {
  return pods.filter(
    (pod) =>
      pod.metadata.deletionTimestamp === undefined &&
      disruptedPods[pod.metadata.name] === undefined &&
      isReady(pod),
  ).length;
}

/**
 * Returns whether the budget depends on the scale of the pods' controllers. With an integer `minAvailable` it does not.
 */
export function dependsOnScale({ spec }: PodDisruptionBudget): boolean {
  return spec.maxUnavailable !== undefined || typeof spec.minAvailable === 'string';
}

/**
 * Returns the number of pods that must stay healthy. Percentages are rounded up.
 *
 * Upstream: DisruptionController.getExpectedPodCount
 */
export function desiredHealthy(
  { minAvailable, maxUnavailable }: PodDisruptionBudget['spec'],
  expectedPods: number,
): number {
  if (maxUnavailable !== undefined) {
    const unavailable = intstr.getScaledValueFromIntOrPercent(maxUnavailable, expectedPods, true);
    return Math.max(0, expectedPods - unavailable);
  }
  if (minAvailable === undefined) return 0;
  return intstr.getScaledValueFromIntOrPercent(minAvailable, expectedPods, true);
}

/** The counts of a status. */
type Counts = Pick<Status, 'currentHealthy' | 'desiredHealthy' | 'expectedPods'>;

/** Returns the status after a sync. Upstream: DisruptionController.updatePdbStatus, UpdateDisruptionAllowedCondition */
export function syncedStatus(
  { metadata, status }: PodDisruptionBudget,
  counts: Counts,
  disruptedPods: PendingEvictions['disruptedPods'],
  nowMs: number,
): Status {
  const { generation: observedGeneration = 0 } = metadata;
  // A budget without pods allows nothing: its first pods must be counted before one of them may be evicted.
  const allowed = counts.expectedPods <= 0 ? 0 : Math.max(0, counts.currentHealthy - counts.desiredHealthy);
  const isAllowed = allowed > 0;
  const condition = {
    type: ALLOWED,
    status: isAllowed ? 'True' : 'False',
    reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration,
  };
  return {
    ...counts,
    disruptionsAllowed: allowed,
    ...(Object.keys(disruptedPods).length > 0 ? { disruptedPods: { ...disruptedPods } } : {}),
    observedGeneration,
    conditions: withCondition(status.conditions, condition, formatTime(nowMs)),
  };
}

/** Returns the status after a sync that failed: it allows no eviction. Upstream: DisruptionController.failSafe */
export function failedStatus({ status }: PodDisruptionBudget, message: string, nowMs: number): Status {
  const { observedGeneration } = status;
  const condition = {
    type: ALLOWED,
    status: 'False',
    reason: 'SyncFailed',
    message,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  };
  return {
    ...status,
    disruptionsAllowed: 0,
    conditions: withCondition(status.conditions, condition, formatTime(nowMs)),
  };
}
