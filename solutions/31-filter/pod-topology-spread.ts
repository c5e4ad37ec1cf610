/** Level 7 ★ · Spread. */
import { framework, type labels, type Node, type Pod } from '#harness';
import { requiredNodeAffinityMatches } from './node-affinity.ts';
import { count, namespaceOf } from './objects.ts';
import { findMatchingUntoleratedTaint } from './taint-toleration.ts';

export function matchesNodeInclusionPolicies(
  constraint: framework.SpreadConstraint,
  pod: Pod,
  node: Node,
): boolean {
  const { nodeAffinityPolicy, nodeTaintsPolicy } = constraint;
  if (nodeAffinityPolicy === 'Honor' && !requiredNodeAffinityMatches(pod, node)) return false;
  return (
    nodeTaintsPolicy === 'Ignore' || !findMatchingUntoleratedTaint(node.spec.taints, pod.spec.tolerations)
  );
}

export function countPodsMatchSelector(
  pods: readonly framework.PodInfo[],
  selector: labels.Selector,
  namespace: string,
): number {
  if (selector.empty) return 0;
  return count(pods, (pod) => {
    const { deletionTimestamp, labels } = pod.metadata;
    return deletionTimestamp === undefined && namespaceOf(pod) === namespace && selector.matches(labels);
  });
}

export function countPodsInDomains(
  constraints: readonly framework.SpreadConstraint[],
  pod: Pod,
  nodeInfos: readonly framework.NodeInfo[],
): readonly ReadonlyMap<string, number>[] {
  const counted = constraints.map((constraint) => ({ constraint, counts: new Map<string, number>() }));
  for (const { node, pods } of nodeInfos) {
    if (!constraints.every(({ topologyKey }) => framework.labelOf(node, topologyKey) !== undefined)) continue;
    for (const { constraint, counts } of counted) {
      if (!matchesNodeInclusionPolicies(constraint, pod, node)) continue;
      const domain = framework.labelOf(node, constraint.topologyKey) as string;
      const here = countPodsMatchSelector(pods, constraint.selector, namespaceOf(pod));
      counts.set(domain, (counts.get(domain) ?? 0) + here);
    }
  }
  return counted.map(({ counts }) => counts);
}

export function minMatchNum(counts: ReadonlyMap<string, number>, minDomains: number): number {
  if (counts.size < minDomains) return 0;
  let min = Number.POSITIVE_INFINITY;
  for (const count of counts.values()) min = Math.min(min, count);
  return min;
}

/** The data of a constraint that are the same for every node. */
interface SpreadSoFar {
  readonly topologyKey: string;
  readonly counts: ReadonlyMap<string, number>;
  /** A domain with more pods than this has no room for the pod. */
  readonly countMax: number;
}

const spreadKey = framework.stateKey<readonly SpreadSoFar[]>('PreFilterPodTopologySpread');
const inNoDomain = framework.unresolvable(
  "node(s) didn't match pod topology spread constraints (missing required label)",
);
const tooFarAhead = framework.unschedulable("node(s) didn't match pod topology spread constraints");

export const podTopologySpread: framework.FilterPlugin = {
  name: 'PodTopologySpread',
  preFilter(state, pod, { nodeInfos }) {
    const constraints = framework.hardConstraints(pod);
    if (constraints.length === 0) return framework.skip;
    const counts = countPodsInDomains(constraints, pod, nodeInfos);
    state.write(
      spreadKey,
      constraints.map(({ topologyKey, selector, minDomains, maxSkew }, i) => {
        const ofThis = counts[i] ?? new Map<string, number>();
        const itself = selector.matches(pod.metadata.labels) ? 1 : 0;
        return { topologyKey, counts: ofThis, countMax: minMatchNum(ofThis, minDomains) + maxSkew - itself };
      }),
    );
    return framework.success;
  },
  filter(state, _pod, { node }) {
    for (const { topologyKey, counts, countMax } of state.read(spreadKey)) {
      const domain = framework.labelOf(node, topologyKey);
      if (domain === undefined) return inNoDomain;
      if ((counts.get(domain) ?? 0) > countMax) return tooFarAhead;
    }
    return framework.success;
  },
  eventsToRegister: () => framework.eventsToRegister.podTopologySpread(matchesNodeInclusionPolicies),
};
