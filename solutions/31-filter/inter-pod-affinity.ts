/** Level 8 ★ · Affinity and anti-affinity to pods. */
import { framework, type labels, type Node, type Pod } from '#harness';
import { count, namespaceOf } from './objects.ts';

/**
 * Differs: for the terms of the incoming pod, upstream also matches namespace selectors without the labels of the
 * namespace. So `NotIn` and `DoesNotExist` match pods of every namespace there (kubernetes/kubernetes#141526).
 */
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

const none: framework.TopologyCounts = new Map();

export function affinityCounts(pod: Pod, snapshot: framework.Snapshot): framework.TopologyCounts {
  const terms = framework.podInfoOf(pod).requiredAffinityTerms;
  if (terms.length === 0) return none;
  const what = `match all of ${textOf(namespaceOf(pod), pod.spec.affinity?.podAffinity)}`;
  return snapshot.countByTopology(what, ({ pods }) => {
    const here = count(pods, (other) => podMatchesAllAffinityTerms(terms, other, snapshot.namespaces));
    return terms.map(({ topologyKey }) => [topologyKey, here]);
  });
}

export function antiAffinityCounts(pod: Pod, snapshot: framework.Snapshot): framework.TopologyCounts {
  const terms = framework.podInfoOf(pod).requiredAntiAffinityTerms;
  if (terms.length === 0) return none;
  const what = `match one of ${textOf(namespaceOf(pod), pod.spec.affinity?.podAntiAffinity)}`;
  return snapshot.countByTopology(what, ({ pods }) =>
    terms.map((term) => [
      term.topologyKey,
      count(pods, (other) => termMatches(term, other, snapshot.namespaces)),
    ]),
  );
}

export function existingAntiAffinityCounts(pod: Pod, snapshot: framework.Snapshot): framework.TopologyCounts {
  const what = `avoid ${textOf(namespaceOf(pod), pod.metadata.labels)}`;
  return snapshot.countByTopology(what, ({ podsWithRequiredAntiAffinity }) =>
    podsWithRequiredAntiAffinity
      .flatMap(({ requiredAntiAffinityTerms }) => requiredAntiAffinityTerms)
      .filter((term) => termMatches(term, pod, snapshot.namespaces))
      .map(({ topologyKey }) => [topologyKey, 1]),
  );
}

/** Returns the key of a cached count. */
function textOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

/** The locations of other pods that affect this pod. */
interface Neighbours {
  readonly affinity: framework.TopologyCounts;
  readonly antiAffinity: framework.TopologyCounts;
  readonly existingAntiAffinity: framework.TopologyCounts;
  /** Whether no existing pod matches the affinity terms, but the pod matches them itself. */
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
      const place = framework.labelOf(node, topologyKey);
      if (place === undefined) return tooFar;
      if (!isFirst && !affinity.get(topologyKey)?.has(place)) return tooFar;
    }
    if (isIn(node, antiAffinity)) return tooNear;
    return isIn(node, existingAntiAffinity) ? unwelcome : framework.success;
  },
  eventsToRegister: () => framework.eventsToRegister.interPodAffinity(termMatches),
};

/** Reports whether the node is in one of these topology domains. */
function isIn(node: Node, counts: framework.TopologyCounts): boolean {
  if (counts.size === 0) return false;
  for (const [topologyKey, places] of counts) {
    const place = framework.labelOf(node, topologyKey);
    if (place !== undefined && places.has(place)) return true;
  }
  return false;
}
