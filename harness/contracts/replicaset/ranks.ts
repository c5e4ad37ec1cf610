import type { Pod } from '../../api/objects.ts';
import { hasEnded } from '../../api/predicates.ts';

/**
 * What the annotation `controller.kubernetes.io/pod-deletion-cost` says: a decimal integer of 32 bits. It begins with a digit
 * from 1 to 9 or with a minus, or it is `0`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/helper/helpers.go GetDeletionCostFromPodAnnotations, validFirstDigit
 *
 * @returns 0 if there is no annotation, or if it is anything else
 */
export function getDeletionCost(pod: Pod): number {
  const text = pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? '';
  const cost = /^(0|-?[1-9]\d*|-0\d*)$/.test(text) ? Number(text) : 0;
  return cost >= -(2 ** 31) && cost < 2 ** 31 ? cost : 0;
}

/** A pod, and how many active pods of its kin are on its node. */
export interface RankedPod {
  readonly pod: Pod;
  readonly rank: number;
}

/**
 * Counts for each candidate how many active pods there are on its node. No node, and an empty one, count as one node more.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go getPodsRankedByRelatedPodsOnSameNode
 *
 * @param related the pods of every ReplicaSet of the same Deployment, the candidates among them
 * @returns the candidates in the order given
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
