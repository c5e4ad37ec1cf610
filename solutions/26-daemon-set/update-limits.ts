/** The limits of a rolling update. */
import { type DaemonSet, intstr } from '#harness';

/** How many pods may be unavailable, and how many may exist beside the old ones. */
export interface UpdateLimits {
  readonly maxUnavailable: number;
  readonly maxSurge: number;
}

/**
 * Returns the limits for this number of nodes. Percentages are rounded up.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/update.go updatedDesiredNodeCounts,
 * pkg/controller/daemon/util/daemonset_util.go UnavailableCount, SurgeCount
 */
export function updateLimits({ spec }: DaemonSet, desired: number): UpdateLimits {
  const { rollingUpdate } = spec.updateStrategy ?? {};
  const scaled = (value: intstr.IntOrString | undefined): number =>
    value === undefined ? 0 : intstr.getScaledValueFromIntOrPercent(value, desired, true);
  const [maxUnavailable, maxSurge] = [scaled(rollingUpdate?.maxUnavailable), scaled(rollingUpdate?.maxSurge)];
  // Without either, the update could never begin.
  return { maxUnavailable: maxUnavailable + maxSurge === 0 ? 1 : maxUnavailable, maxSurge };
}

/** Returns whether a node may have two pods of this DaemonSet during an update. */
export function allowsSurge(set: DaemonSet): boolean {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  return type === 'RollingUpdate' && rollingUpdate !== undefined && updateLimits(set, 1).maxSurge > 0;
}
