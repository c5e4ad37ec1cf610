import { labelSelectorAsSelector, type Selector } from '../../api/label-selector.ts';
import type { Pod, ReplicaSet } from '../../api/objects.ts';

const selectors = new WeakMap<ReplicaSet, Selector>();

/**
 * Returns the selector of a ReplicaSet. It is parsed once for each version of the ReplicaSet, because it is matched
 * against every pod.
 */
export function selectorOf(rs: ReplicaSet): Selector {
  const known = selectors.get(rs);
  if (known) return known;
  const selector = labelSelectorAsSelector(rs.spec.selector);
  selectors.set(rs, selector);
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
