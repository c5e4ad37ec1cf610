import type { Pod } from '../../api/objects.ts';
import { hasEnded } from '../../api/predicates.ts';

/**
 * Parses the annotation `controller.kubernetes.io/pod-deletion-cost`: a decimal 32-bit integer. It must be `0`, or
 * start with a digit from 1 to 9 or a minus.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/helper/helpers.go GetDeletionCostFromPodAnnotations,
 * validFirstDigit
 *
 * @returns 0 if the annotation is missing or invalid
 */
export function getDeletionCost(pod: Pod): number {
  const text = pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? '';
  const cost = /^(0|-?[1-9]\d*|-0\d*)$/.test(text) ? Number(text) : 0;
  return cost >= -(2 ** 31) && cost < 2 ** 31 ? cost : 0;
}

/** A pod, and the number of active related pods on its node. */
export interface RankedPod {
  readonly pod: Pod;
  readonly rank: number;
}

/**
 * Counts, for each candidate, the active related pods on its node. Pods without a node, or with an empty node name,
 * count as if they shared one node. Two pods on `node-1` and one on `node-2` have the ranks 2, 2 and 1.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go getPodsRankedByRelatedPodsOnSameNode
 *
 * @param related the pods of every ReplicaSet of the same Deployment, including the candidates
 * @returns the candidates in the given order
 */
export function getPodsRankedByRelatedPodsOnSameNode(
  candidates: readonly Pod[],
  related: readonly Pod[],
): RankedPod[] {
  const podsOnNode = new Map<string, number>();
  for (const pod of related) {
    if (hasEnded(pod) || pod.metadata.deletionTimestamp !== undefined) continue;
    const node = pod.spec.nodeName ?? '';
    podsOnNode.set(node, (podsOnNode.get(node) ?? 0) + 1);
  }
  return candidates.map((pod) => ({ pod, rank: podsOnNode.get(pod.spec.nodeName ?? '') ?? 0 }));
}
