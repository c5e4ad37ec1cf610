import { labelSelectorAsSelector, type Selector } from '../../api/label-selector.ts';
import type { Job, Pod, ReplicaSet } from '../../api/objects.ts';

const selectors = new WeakMap<ReplicaSet | Job, Selector>();

/**
 * Returns the selector of a ReplicaSet, or of a Job. It is parsed once for each version of the object, because it is
 * matched against every pod.
 */
export function selectorOf(owner: ReplicaSet | Job): Selector {
  const known = selectors.get(owner);
  if (known) return known;
  const selector = labelSelectorAsSelector(owner.spec.selector);
  selectors.set(owner, selector);
  return selector;
}

/**
 * Returns the ReplicaSets that might adopt this pod: the ReplicaSets of its namespace that select it, in the given
 * order.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go getPodReplicaSets
 */
export function getPodReplicaSets(pod: Pod, all: readonly ReplicaSet[]): ReplicaSet[] {
  return all.filter(
    (rs) => rs.metadata.namespace === pod.metadata.namespace && selectorOf(rs).matches(pod.metadata.labels),
  );
}
