import { type core, labels, type Node, type PersistentVolume } from '#harness';

const OPERATORS: Readonly<Record<string, labels.Operator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

/**
 * Returns whether pods on the node can use the volume. A volume without node affinity is usable everywhere.
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 storage/volume/helpers.go CheckNodeAffinity
 */
export function canBeUsedOn({ spec: { nodeAffinity } }: PersistentVolume, node: Node): boolean {
  const terms = nodeAffinity?.required?.nodeSelectorTerms;
  return !terms || terms.some((term) => matchesTerm(term, node));
}

/**
 * Returns whether one of the topologies of a class allows the node. A class without topologies allows every node.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/helper/helpers.go MatchTopologySelectorTerms
 */
export function allowsTopology(
  topologies: readonly core.TopologySelectorTerm[] | undefined,
  { metadata: { labels: own = {} } }: Node,
): boolean {
  if (!topologies || topologies.length === 0) return true;
  return topologies.some(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.every(({ key, values }) => values.includes(own[key] ?? '')),
  );
}

/** A term without requirements matches no node, and an invalid one neither. */
function matchesTerm(
  { matchExpressions = [], matchFields = [] }: core.NodeSelectorTerm,
  node: Node,
): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const { name, labels: own } = node.metadata;
  return matches(matchExpressions, own) && matches(matchFields, { 'metadata.name': name });
}

function matches(
  requirements: readonly core.NodeSelectorRequirement[],
  values: Readonly<Record<string, string>> | undefined,
): boolean {
  try {
    return new labels.Selector(requirements.map(requirementOf)).matches(values);
  } catch (error) {
    if (error instanceof labels.SelectorError) return false;
    throw error;
  }
}

function requirementOf({ key, operator, values = [] }: core.NodeSelectorRequirement): labels.Requirement {
  const known = OPERATORS[operator];
  if (!known) throw new labels.SelectorError(`"${operator}" is not a valid node selector operator`);
  return labels.newRequirement(key, known, values);
}
