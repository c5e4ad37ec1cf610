/** Level 1 · Which pods count, and what owns them. */
import { selectorOf } from '#given/23-replicaset';
import { controllerOf, hasEnded, type Pod, type ReplicaSet } from '#harness';

export function isPodActive(pod: Pod): boolean {
  return !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** The action of a ReplicaSet for a pod of its namespace. */
export type Claim = 'keep' | 'adopt' | 'release' | 'ignore';

export function classifyPod(pod: Pod, rs: ReplicaSet): Claim {
  const controller = controllerOf(pod);
  if (controller && controller.uid !== rs.metadata.uid) return 'ignore';
  const matches = selectorOf(rs).matches(pod.metadata.labels);
  if (controller && matches) return 'keep';
  // While the ReplicaSet is being deleted, the garbage collector decides about its pods.
  if (rs.metadata.deletionTimestamp !== undefined) return 'ignore';
  if (controller) return 'release';
  return matches && pod.metadata.deletionTimestamp === undefined ? 'adopt' : 'ignore';
}
