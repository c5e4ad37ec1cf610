import type * as core from '#api/core/v1';
import { toleratesTaint } from '../../../contracts/filters/index.ts';

/**
 * Returns how long a pod tolerates these taints together, in ms: 0 if it must leave at once, infinite if it may stay.
 * For each taint the first toleration that matches it counts.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/tainteviction/taint_eviction.go getMinTolerationTime
 */
export function toleratedMs(
  taints: readonly core.Taint[],
  tolerations: readonly core.Toleration[] = [],
): number {
  return Math.min(
    ...taints.map((taint) => {
      const toleration = tolerations.find((each) => toleratesTaint(each, taint));
      if (!toleration) return 0;
      const { tolerationSeconds } = toleration;
      return tolerationSeconds === undefined
        ? Number.POSITIVE_INFINITY
        : Math.max(0, tolerationSeconds) * 1_000;
    }),
  );
}
