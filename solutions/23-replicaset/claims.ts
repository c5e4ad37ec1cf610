/** Level 1 · Which pods count, and whose they are. */
import { type KubeObject, labels, type OwnerReference, type Pod, type ReplicaSet } from '#harness';

export function isPodActive(pod: Pod): boolean {
  const { phase } = pod.status;
  return phase !== 'Succeeded' && phase !== 'Failed' && pod.metadata.deletionTimestamp === undefined;
}

export function filterActivePods(all: readonly Pod[]): Pod[] {
  return all.filter(isPodActive);
}

export function getControllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** What a ReplicaSet does about an active pod of its namespace. */
export type Claim = 'keep' | 'adopt' | 'release' | 'ignore';

export function classifyPod(pod: Pod, rs: ReplicaSet): Claim {
  const controller = getControllerOf(pod);
  if (controller && controller.uid !== rs.metadata.uid) return 'ignore';
  const matches = selectorOf(rs).matches(pod.metadata.labels);
  if (controller && matches) return 'keep';
  // Who is going away takes nothing and lets go of nothing: what becomes of its pods is decided elsewhere.
  if (rs.metadata.deletionTimestamp !== undefined) return 'ignore';
  if (controller) return 'release';
  return matches && pod.metadata.deletionTimestamp === undefined ? 'adopt' : 'ignore';
}

export function getPodReplicaSets(pod: Pod, all: readonly ReplicaSet[]): ReplicaSet[] {
  return all.filter(
    (rs) => rs.metadata.namespace === pod.metadata.namespace && selectorOf(rs).matches(pod.metadata.labels),
  );
}

const selectors = new WeakMap<ReplicaSet, labels.Selector>();

/** A selector is understood once for each version of its ReplicaSet: it is asked about every pod. */
export function selectorOf(rs: ReplicaSet): labels.Selector {
  const known = selectors.get(rs);
  if (known) return known;
  const selector = labels.labelSelectorAsSelector(rs.spec.selector);
  selectors.set(rs, selector);
  return selector;
}
