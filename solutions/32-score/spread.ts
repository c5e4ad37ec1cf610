/** Level 7 ★ · Spread. */
import { filters } from '#given/32-score';
import { framework, type Node, type Pod } from '#harness';

const { labelOf, MAX_NODE_SCORE, skip, stateKey, success } = framework;

/** The label whose value differs on each node. */
export const LABEL_HOSTNAME = 'kubernetes.io/hostname';

export function topologyNormalizingWeight(size: number): number {
  return Math.log(size + 2);
}

export function scoreForCount(count: number, maxSkew: number, weight: number): number {
  return count * weight + (maxSkew - 1);
}

/** A constraint, and the counts of its domains. */
interface Spread {
  readonly constraint: framework.SpreadConstraint;
  /**
   * The number of matching pods for each value of the topology key; `undefined` if each node is a domain and counts its
   * own pods.
   */
  readonly counts: Map<string, number> | undefined;
  readonly weight: number;
}

interface SpreadState {
  readonly spreads: readonly Spread[];
  /** The names of feasible nodes that lack a topology key. */
  readonly leftOut: ReadonlySet<string>;
}

const spreadState = stateKey<SpreadState>('PreScorePodTopologySpread');

export const podTopologySpread: framework.ScorePlugin = {
  name: 'PodTopologySpread',
  preScore(state, pod, feasible, snapshot) {
    const constraints = framework.softConstraints(pod);
    if (constraints.length === 0) return skip;
    const lacking = feasible.filter(({ node }) => !hasKeys(node, constraints));
    const leftOut = new Set(lacking.map(({ name }) => name));
    const complete = feasible.filter(({ name }) => !leftOut.has(name));
    const spreads = constraints.map((constraint) => placesOf(constraint, complete));
    countAll(spreads, pod, snapshot);
    state.write(spreadState, { spreads, leftOut });
    return success;
  },
  score(state, { metadata: { namespace } }, nodeInfo) {
    const { spreads, leftOut } = state.read(spreadState);
    if (leftOut.has(nodeInfo.name)) return 0;
    let score = 0;
    for (const { constraint, counts, weight } of spreads) {
      const { maxSkew, selector, topologyKey } = constraint;
      const count = counts
        ? (counts.get(labelOf(nodeInfo.node, topologyKey) ?? '') ?? 0)
        : filters.countPodsMatchSelector(nodeInfo.pods, selector, namespace);
      score += scoreForCount(count, maxSkew, weight);
    }
    return Math.round(score);
  },
  normalizeScore(state, _pod, scores) {
    const { leftOut } = state.read(spreadState);
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    for (const { name, score } of scores) {
      if (leftOut.has(name)) continue;
      least = Math.min(least, score);
      most = Math.max(most, score);
    }
    return scores.map(({ name, score }) => {
      if (leftOut.has(name)) return { name, score: 0 };
      if (most === 0) return { name, score: MAX_NODE_SCORE };
      return { name, score: Math.trunc((MAX_NODE_SCORE * (most + least - score)) / most) };
    });
  },
};

function hasKeys(node: Node, constraints: readonly framework.SpreadConstraint[]): boolean {
  return constraints.every(({ topologyKey }) => labelOf(node, topologyKey) !== undefined);
}

/** Returns the domains of a constraint, with counts of 0. Domains without a feasible node do not count. */
function placesOf(constraint: framework.SpreadConstraint, complete: readonly framework.NodeInfo[]): Spread {
  const { topologyKey } = constraint;
  if (topologyKey === LABEL_HOSTNAME) {
    return { constraint, counts: undefined, weight: topologyNormalizingWeight(complete.length) };
  }
  const counts = new Map<string, number>();
  for (const { node } of complete) counts.set(labelOf(node, topologyKey) ?? '', 0);
  return { constraint, counts, weight: topologyNormalizingWeight(counts.size) };
}

/** Counts the pods in the domains, over all nodes: full and cordoned nodes also have pods. */
function countAll(spreads: readonly Spread[], pod: Pod, { nodeInfos }: framework.Snapshot): void {
  if (spreads.every(({ counts }) => counts === undefined)) return;
  const constraints = spreads.map(({ constraint }) => constraint);
  const meetsAffinity = filters.requiredNodeAffinityMatcher(pod);
  const { tolerations } = pod.spec;
  for (const { node, pods } of nodeInfos) {
    if (!hasKeys(node, constraints)) continue;
    for (const { constraint, counts } of spreads) {
      const place = labelOf(node, constraint.topologyKey) ?? '';
      const before = counts?.get(place);
      if (before === undefined) continue;
      if (constraint.nodeAffinityPolicy === 'Honor' && !meetsAffinity(node)) continue;
      if (constraint.nodeTaintsPolicy === 'Honor' && keepsAway(node.spec.taints, tolerations)) continue;
      counts?.set(
        place,
        before + filters.countPodsMatchSelector(pods, constraint.selector, pod.metadata.namespace),
      );
    }
  }
}

/** Reports whether the node has a taint that prevents the pod from running there. */
function keepsAway(
  taints: readonly framework.Taint[] = [],
  tolerations: readonly framework.Toleration[] = [],
): boolean {
  return taints.some(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations.some((toleration) => filters.toleratesTaint(toleration, taint)),
  );
}
