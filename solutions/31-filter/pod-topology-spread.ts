/** Level 6 · Spread. */
import { deepEqual, framework, type KubeObject, labels, type Node, type Pod } from '#harness';
import { requiredNodeAffinityMatches } from './node-affinity.ts';
import { count, labelOf, namespaceOf } from './objects.ts';
import { isSame, queueIf } from './queueing-hints.ts';
import { findMatchingUntoleratedTaint } from './taint-toleration.ts';

/**
 * A constraint on how pods are spread, read once.
 *
 * Nodes that have the same value for the label {@link topologyKey} are one *domain*: a zone, or a single node.
 */
export interface SpreadConstraint {
  /** By how many pods the fullest domain may be ahead of the emptiest. */
  readonly maxSkew: number;
  readonly topologyKey: string;
  /** Which pods are counted, by their labels. */
  readonly selector: labels.Selector;
  /** With fewer domains than that, the emptiest counts as empty. 1 when the pod does not say. */
  readonly minDomains: number;
  /** Whether a node that the pod does not ask for is left out of the count. `Honor` when the pod does not say. */
  readonly nodeAffinityPolicy: 'Honor' | 'Ignore';
  /** Whether a node whose taints keep the pod away is left out of the count. `Ignore` when the pod does not say. */
  readonly nodeTaintsPolicy: 'Honor' | 'Ignore';
}

export function hardConstraints(pod: Pod): readonly SpreadConstraint[] {
  const hard = pod.spec.topologySpreadConstraints?.filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
  );
  return (hard ?? []).map((constraint) => ({
    maxSkew: constraint.maxSkew,
    topologyKey: constraint.topologyKey,
    selector: labels
      .labelSelectorAsSelector(constraint.labelSelector)
      .add(...sameLabels(pod, constraint.matchLabelKeys ?? [])),
    minDomains: constraint.minDomains ?? 1,
    nodeAffinityPolicy: constraint.nodeAffinityPolicy === 'Ignore' ? 'Ignore' : 'Honor',
    nodeTaintsPolicy: constraint.nodeTaintsPolicy === 'Honor' ? 'Honor' : 'Ignore',
  }));
}

/** Of those labels that the pod has: the same value. */
function sameLabels(pod: Pod, keys: readonly string[]): labels.Requirement[] {
  return keys.flatMap((key) => {
    const value = labelOf(pod, key);
    return value === undefined ? [] : [labels.newRequirement(key, '=', [value])];
  });
}

export function matchesNodeInclusionPolicies(constraint: SpreadConstraint, pod: Pod, node: Node): boolean {
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
  constraints: readonly SpreadConstraint[],
  pod: Pod,
  nodeInfos: readonly framework.NodeInfo[],
): readonly ReadonlyMap<string, number>[] {
  const counted = constraints.map((constraint) => ({ constraint, counts: new Map<string, number>() }));
  for (const { node, pods } of nodeInfos) {
    if (!constraints.every(({ topologyKey }) => labelOf(node, topologyKey) !== undefined)) continue;
    for (const { constraint, counts } of counted) {
      if (!matchesNodeInclusionPolicies(constraint, pod, node)) continue;
      const domain = labelOf(node, constraint.topologyKey) as string;
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

/** What of a constraint is the same for every node. */
interface SpreadSoFar {
  readonly topologyKey: string;
  readonly counts: ReadonlyMap<string, number>;
  /** A domain that has more than this has no room for the pod. */
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
    const constraints = hardConstraints(pod);
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
      const domain = labelOf(node, topologyKey);
      if (domain === undefined) return inNoDomain;
      if ((counts.get(domain) ?? 0) > countMax) return tooFarAhead;
    }
    return framework.success;
  },
  eventsToRegister: () => podTopologySpreadEvents,
};

/**
 * Differs: upstream does not see that a node begins to count because the pod's node selector matches it now, nor that
 * other pods are counted because a label of the pod changed that `matchLabelKeys` names; and it wakes pods for taints that
 * do not matter to them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/plugin.go EventsToRegister
 */
const podTopologySpreadEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'AssignedPod', actionType: 'Add' }, queueingHintFn: afterSpreadOfPods },
  { event: { resource: 'AssignedPod', actionType: 'UpdatePodLabel' }, queueingHintFn: afterSpreadOfPods },
  { event: { resource: 'AssignedPod', actionType: 'Delete' }, queueingHintFn: afterSpreadOfPods },
  { event: { resource: 'Pod', actionType: 'UpdatePodLabel' }, queueingHintFn: afterLabelsOfSpread },
  { event: { resource: 'Pod', actionType: 'UpdatePodToleration' }, queueingHintFn: afterTolerationOfSpread },
  { event: { resource: 'Node', actionType: 'Add' }, queueingHintFn: afterDomainsOfNode },
  { event: { resource: 'Node', actionType: 'Delete' }, queueingHintFn: afterDomainsOfNode },
  { event: { resource: 'Node', actionType: 'UpdateNodeLabel' }, queueingHintFn: afterDomainsOfNode },
  { event: { resource: 'Node', actionType: 'UpdateNodeTaint' }, queueingHintFn: afterDomainsOfNode },
];

/** A pod of the same namespace that is counted now and was not before, or the other way round. */
function afterSpreadOfPods(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  if ((newObject ?? oldObject)?.metadata.namespace !== pod.metadata.namespace) return 'QueueSkip';
  return queueIf(
    hardConstraints(pod).some(({ selector }) => {
      const isCounted = (other: KubeObject | undefined): boolean =>
        other !== undefined && selector.matches(other.metadata.labels);
      return isCounted(oldObject) !== isCounted(newObject);
    }),
  );
}

/** The pod itself, if other pods are counted for its labels (`matchLabelKeys`), or it is counted itself, or no longer. */
function afterLabelsOfSpread(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const counted = (itself: KubeObject | undefined): readonly string[] =>
    hardConstraints(itself as Pod).map(
      ({ selector }) => `${selector} ${selector.matches(itself?.metadata.labels)}`,
    );
  return queueIf(isSame(pod, newObject) && !deepEqual(counted(oldObject), counted(newObject)));
}

/** The pod itself, if it matters to a constraint what it tolerates. */
function afterTolerationOfSpread(
  pod: Pod,
  _oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const matters = hardConstraints(pod).some(({ nodeTaintsPolicy }) => nodeTaintsPolicy === 'Honor');
  return queueIf(isSame(pod, newObject) && matters);
}

/** A node that is in other domains than before, or counts for other constraints; one that is new, or was there. */
function afterDomainsOfNode(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const constraints = hardConstraints(pod);
  const counted = (node: Node | undefined): readonly string[] | undefined => {
    if (!node || constraints.some(({ topologyKey }) => labelOf(node, topologyKey) === undefined)) return;
    return constraints.map(
      (each) => `${labelOf(node, each.topologyKey)} ${matchesNodeInclusionPolicies(each, pod, node)}`,
    );
  };
  return queueIf(!deepEqual(counted(oldObject as Node | undefined), counted(newObject as Node | undefined)));
}
