/** Level 7 · Affinity and anti-affinity to pods. */
import { framework, type KubeObject, type labels, type Node, type Pod } from '#harness';
import { count, labelOf, namespaceOf } from './objects.ts';
import { isSame, queueIf } from './queueing-hints.ts';

export function termMatches(
  { namespaces: named, namespaceSelector, selector }: framework.AffinityTerm,
  pod: Pod,
  namespaces: ReadonlyMap<string, labels.Labels>,
): boolean {
  const namespace = namespaceOf(pod);
  return (
    (named.has(namespace) || namespaceSelector.matches(namespaces.get(namespace))) &&
    selector.matches(pod.metadata.labels)
  );
}

export function podMatchesAllAffinityTerms(
  terms: readonly framework.AffinityTerm[],
  pod: Pod,
  namespaces: ReadonlyMap<string, labels.Labels>,
): boolean {
  return terms.length > 0 && terms.every((term) => termMatches(term, pod, namespaces));
}

export type TopologyCounts = framework.TopologyCounts;

const nobody: TopologyCounts = new Map();

export function affinityCounts(pod: Pod, snapshot: framework.Snapshot): TopologyCounts {
  const terms = framework.podInfoOf(pod).requiredAffinityTerms;
  if (terms.length === 0) return nobody;
  const what = `match all of ${textOf(namespaceOf(pod), pod.spec.affinity?.podAffinity)}`;
  return snapshot.countByTopology(what, ({ pods }) => {
    const here = count(pods, (other) => podMatchesAllAffinityTerms(terms, other, snapshot.namespaces));
    return terms.map(({ topologyKey }) => [topologyKey, here]);
  });
}

export function antiAffinityCounts(pod: Pod, snapshot: framework.Snapshot): TopologyCounts {
  const terms = framework.podInfoOf(pod).requiredAntiAffinityTerms;
  if (terms.length === 0) return nobody;
  const what = `match one of ${textOf(namespaceOf(pod), pod.spec.affinity?.podAntiAffinity)}`;
  return snapshot.countByTopology(what, ({ pods }) =>
    terms.map((term) => [
      term.topologyKey,
      count(pods, (other) => termMatches(term, other, snapshot.namespaces)),
    ]),
  );
}

export function existingAntiAffinityCounts(pod: Pod, snapshot: framework.Snapshot): TopologyCounts {
  const what = `avoid ${textOf(namespaceOf(pod), pod.metadata.labels)}`;
  return snapshot.countByTopology(what, ({ podsWithRequiredAntiAffinity }) =>
    podsWithRequiredAntiAffinity
      .flatMap(({ requiredAntiAffinityTerms }) => requiredAntiAffinityTerms)
      .filter((term) => termMatches(term, pod, snapshot.namespaces))
      .map(({ topologyKey }) => [topologyKey, 1]),
  );
}

/** What a count goes by, for counts that are kept. */
function textOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

/** Where others are that matter to the pod. */
interface Neighbours {
  readonly affinity: TopologyCounts;
  readonly antiAffinity: TopologyCounts;
  readonly existingAntiAffinity: TopologyCounts;
  /** Nobody that it wants to be with is anywhere, and it would do itself. */
  readonly isFirst: boolean;
}

const neighboursKey = framework.stateKey<Neighbours>('PreFilterInterPodAffinity');
const tooFar = framework.unresolvable("node(s) didn't match pod affinity rules");
const tooNear = framework.unschedulable("node(s) didn't match pod anti-affinity rules");
const unwelcome = framework.unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");

export const interPodAffinity: framework.FilterPlugin = {
  name: 'InterPodAffinity',
  preFilter(state, pod, snapshot) {
    const { requiredAffinityTerms, requiredAntiAffinityTerms } = framework.podInfoOf(pod);
    const existingAntiAffinity = existingAntiAffinityCounts(pod, snapshot);
    const hasTerms = requiredAffinityTerms.length > 0 || requiredAntiAffinityTerms.length > 0;
    if (!hasTerms && existingAntiAffinity.size === 0) return framework.skip;
    const affinity = affinityCounts(pod, snapshot);
    const matchesItself = podMatchesAllAffinityTerms(requiredAffinityTerms, pod, snapshot.namespaces);
    state.write(neighboursKey, {
      affinity,
      antiAffinity: antiAffinityCounts(pod, snapshot),
      existingAntiAffinity,
      isFirst: affinity.size === 0 && matchesItself,
    });
    return framework.success;
  },
  filter(state, pod, { node }) {
    const { affinity, antiAffinity, existingAntiAffinity, isFirst } = state.read(neighboursKey);
    const { requiredAffinityTerms } = framework.podInfoOf(pod);
    for (const { topologyKey } of requiredAffinityTerms) {
      const place = labelOf(node, topologyKey);
      if (place === undefined) return tooFar;
      if (!isFirst && !affinity.get(topologyKey)?.has(place)) return tooFar;
    }
    if (isIn(node, antiAffinity)) return tooNear;
    return isIn(node, existingAntiAffinity) ? unwelcome : framework.success;
  },
  eventsToRegister: () => interPodAffinityEvents,
};

/** Is the node in any of these places? */
function isIn(node: Node, counts: TopologyCounts): boolean {
  if (counts.size === 0) return false;
  for (const [topologyKey, places] of counts) {
    const place = labelOf(node, topologyKey);
    if (place !== undefined && places.has(place)) return true;
  }
  return false;
}

/**
 * Differs: where a pod has several anti-affinity terms, upstream asks only after pods that *all* of them match
 * (kubernetes/kubernetes pull request 139161), and not whether the last of its group has gone (#141354). A pod that waits for such
 * an event waits for five minutes there.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/plugin.go EventsToRegister
 */
const interPodAffinityEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'AssignedPod', actionType: 'Add' }, queueingHintFn: afterOtherPods },
  { event: { resource: 'AssignedPod', actionType: 'UpdatePodLabel' }, queueingHintFn: afterOtherPods },
  { event: { resource: 'AssignedPod', actionType: 'Delete' }, queueingHintFn: afterOtherPods },
  {
    event: { resource: 'Pod', actionType: 'UpdatePodLabel' },
    queueingHintFn: (pod, _oldObject, newObject) => queueIf(isSame(pod, newObject)),
  },
  { event: { resource: 'Node', actionType: 'Add' }, queueingHintFn: afterPlacesOfNode },
  { event: { resource: 'Node', actionType: 'UpdateNodeLabel' }, queueingHintFn: afterPlacesOfNode },
];

/** A pod that matches all affinity terms now, or was the last that did; or that kept the pod away and does no longer. */
function afterOtherPods(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const [before, after] = [oldObject, newObject] as readonly (Pod | undefined)[];
  const { requiredAffinityTerms, requiredAntiAffinityTerms } = framework.podInfoOf(pod);
  const isSought = (other: Pod | undefined): boolean =>
    requiredAffinityTerms.length > 0 && requiredAffinityTerms.every((term) => couldMatch(term, other));
  if (!isSought(before) && isSought(after)) return 'Queue';
  // Where the last of a group has gone, the pod may be the first again.
  if (isSought(before) && !isSought(after) && isSought(pod)) return 'Queue';
  const avoidedIt = before && !after ? framework.podInfoOf(before).requiredAntiAffinityTerms : [];
  return queueIf(
    avoidedIt.some((term) => couldMatch(term, pod)) ||
      requiredAntiAffinityTerms.some((term) => couldMatch(term, before) && !couldMatch(term, after)),
  );
}

/** A hint does not know the labels of namespaces: a term that goes by them could match any. */
function couldMatch(term: framework.AffinityTerm, other: Pod | undefined): boolean {
  if (!other) return false;
  return term.namespaceSelector.selectable
    ? term.selector.matches(other.metadata.labels)
    : termMatches(term, other, new Map());
}

/**
 * A node that comes into a place of any affinity term; without such a term the pod could be anywhere that others kept it out
 * of. A node whose labels change may take the pods that keep this one out elsewhere: which ones, a hint does not know.
 */
function afterPlacesOfNode(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const terms = framework.podInfoOf(pod).requiredAffinityTerms;
  const isPlace = (node: KubeObject | undefined): boolean =>
    node !== undefined && terms.some(({ topologyKey }) => labelOf(node, topologyKey) !== undefined);
  return queueIf(terms.length === 0 || oldObject !== undefined || isPlace(newObject));
}
