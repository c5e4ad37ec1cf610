import type * as core from '#api/core/v1';
import type { Labels } from '../../../api/label-selector.ts';
import type { Node, Pod } from '../../../api/objects.ts';
import { type ClusterState, nodeOf, othersIn } from './cluster-state.ts';
import { isEmpty, nodeIsWanted, selects } from './selecting.ts';
import { untolerated } from './tolerating.ts';

/** Reports whether two nodes are in the same domain: both have the label, with the same value. */
export function samePlace(key: string, a: Node | undefined, b: Node | undefined): boolean {
  const value = placeOf(key, a);
  return value !== undefined && value === placeOf(key, b);
}

/** Returns the domain of a node for a topology key. */
export function placeOf(key: string, node: Node | undefined): string | undefined {
  return node?.metadata.labels?.[key];
}

/** Reports whether a term of `owner` selects `other`. */
export function speaksOf(
  term: core.PodAffinityTerm,
  owner: Pod,
  other: Pod,
  { namespaces }: ClusterState,
): boolean {
  const home = other.metadata.namespace ?? '';
  const { namespaces: listed = [], namespaceSelector, labelSelector } = term;
  const own = listed.length === 0 && !namespaceSelector;
  const namespaceFits = own
    ? home === (owner.metadata.namespace ?? '')
    : listed.includes(home) || selects(namespaceSelector, namespaces[home]);
  return namespaceFits && selects(labelSelector, other.metadata.labels);
}

/** Reports whether a node satisfies the required affinity of a pod. */
export function hasItsCompany(pod: Pod, node: Node, state: ClusterState): boolean {
  const terms = pod.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  if (!terms.every(({ topologyKey }) => placeOf(topologyKey, node) !== undefined)) return false;
  // A pod counts only if all terms select it.
  const company = othersIn(state, pod).filter((other) =>
    terms.every((term) => speaksOf(term, pod, other, state)),
  );
  const near = ({ topologyKey }: core.PodAffinityTerm) =>
    company.some((other) => samePlace(topologyKey, nodeOf(state, other), node));
  if (terms.every(near)) return true;
  // Otherwise the first pod of a group could never run: it may run anywhere if no matching pod is in any domain.
  const nowhere = company.every((other) =>
    terms.every(({ topologyKey }) => placeOf(topologyKey, nodeOf(state, other)) === undefined),
  );
  return nowhere && terms.every((term) => speaksOf(term, pod, pod, state));
}

/** Reports whether a pod in the node's domain matches the anti-affinity of the new pod. */
export function meetsPodItAvoids(pod: Pod, node: Node, state: ClusterState): boolean {
  return othersIn(state, pod).some((other) =>
    antiAffinityOf(pod).some(
      (term) => speaksOf(term, pod, other, state) && samePlace(term.topologyKey, nodeOf(state, other), node),
    ),
  );
}

/** Reports whether the new pod matches the anti-affinity of a pod in the node's domain. */
export function meetsPodThatAvoidsIt(pod: Pod, node: Node, state: ClusterState): boolean {
  return othersIn(state, pod).some((other) =>
    antiAffinityOf(other).some(
      (term) => speaksOf(term, other, pod, state) && samePlace(term.topologyKey, nodeOf(state, other), node),
    ),
  );
}

export function antiAffinityOf({ spec }: Pod): readonly core.PodAffinityTerm[] {
  return spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
}

/**
 * Explains why a node violates a required spread constraint of a pod. The first violated constraint decides.
 *
 * @returns `label` if the node lacks the topology key; `skew` if its domain would have too many pods
 */
export function notSpread(pod: Pod, node: Node, state: ClusterState): 'label' | 'skew' | undefined {
  for (const constraint of requiredSpreadOf(pod)) {
    const here = placeOf(constraint.topologyKey, node);
    if (here === undefined) return 'label';
    const { counts, fewest, itself } = spreadNow(constraint, pod, state);
    if ((counts.get(here) ?? 0) + itself - fewest > constraint.maxSkew) return 'skew';
  }
  return undefined;
}

/** Returns the constraints that a node must meet. */
export function requiredSpreadOf({ spec }: Pod): readonly core.TopologySpreadConstraint[] {
  return (spec.topologySpreadConstraints ?? []).filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
  );
}

/** The numbers that a required constraint compares. */
interface Spread {
  /** The nodes that count. */
  readonly eligible: readonly Node[];
  /** The matching pods in each domain of these nodes. */
  readonly counts: ReadonlyMap<string, number>;
  /** The least of these counts, or 0 if there are fewer domains than `minDomains`. */
  readonly fewest: number;
  /** 1 if the pod matches its own constraint. */
  readonly itself: 0 | 1;
}

/** Counts the pods that match a required constraint, domain by domain, before the pod is placed. */
export function spreadNow(constraint: core.TopologySpreadConstraint, pod: Pod, state: ClusterState): Spread {
  const { minDomains = 1, topologyKey } = constraint;
  const required = requiredSpreadOf(pod);
  // A node that lacks the label of one constraint counts for none of them.
  const eligible = state.nodes.filter(
    (each) =>
      required.every((one) => placeOf(one.topologyKey, each) !== undefined) &&
      isEligible(constraint, pod, each),
  );
  const counts = new Map<string, number>();
  for (const each of eligible) {
    const place = placeOf(topologyKey, each) ?? '';
    const alike = othersIn(state, pod, each).filter((other) => isAlike(constraint, pod, other));
    counts.set(place, (counts.get(place) ?? 0) + alike.length);
  }
  const fewest = counts.size < minDomains ? 0 : Math.min(...counts.values());
  return { eligible, counts, fewest, itself: matches(constraint, pod, pod.metadata.labels) ? 1 : 0 };
}

/** Reports whether a constraint counts a node, by its two policies. */
export function isEligible(
  { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' }: core.TopologySpreadConstraint,
  { spec }: Pod,
  node: Node,
): boolean {
  if (nodeAffinityPolicy === 'Honor' && !nodeIsWanted(spec, node)) return false;
  return nodeTaintsPolicy !== 'Honor' || untolerated(spec, node) === undefined;
}

/**
 * Reports whether a constraint of `pod` counts `other`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/common.go countPodsMatchSelector,
 * for which a selector that says nothing selects no pod
 */
export function isAlike(constraint: core.TopologySpreadConstraint, pod: Pod, other: Pod): boolean {
  if (other.metadata.namespace !== pod.metadata.namespace || other.metadata.deletionTimestamp) return false;
  const { labelSelector, matchLabelKeys = [] } = constraint;
  const { labels: own = {} } = pod.metadata;
  if (labelSelector && isEmpty(labelSelector) && !matchLabelKeys.some((key) => key in own)) return false;
  return matches(constraint, pod, other.metadata.labels);
}

function matches(
  { labelSelector, matchLabelKeys = [] }: core.TopologySpreadConstraint,
  { metadata: { labels: own = {} } }: Pod,
  labels: Labels = {},
): boolean {
  return (
    selects(labelSelector, labels) && matchLabelKeys.every((key) => !(key in own) || labels[key] === own[key])
  );
}
