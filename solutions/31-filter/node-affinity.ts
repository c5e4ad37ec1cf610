/** Level 3 · Node selector and node affinity. */
import { framework, labels, type Node, type Pod } from '#harness';

type NodeSelector = NonNullable<
  NonNullable<
    NonNullable<Pod['spec']['affinity']>['nodeAffinity']
  >['requiredDuringSchedulingIgnoredDuringExecution']
>;
type NodeSelectorRequirement = NonNullable<framework.NodeSelectorTerm['matchExpressions']>[number];

/** A parsed requirement on nodes. */
type NodePredicate = (node: Node) => boolean;

export function matchesNodeSelectorTerm(term: framework.NodeSelectorTerm, node: Node): boolean {
  return predicateOfTerm(term)(node);
}

function predicateOfTerm({
  matchExpressions = [],
  matchFields = [],
}: framework.NodeSelectorTerm): NodePredicate {
  if (matchExpressions.length === 0 && matchFields.length === 0) return () => false;
  try {
    const selector = new labels.Selector(matchExpressions.map(requirementOnLabels));
    const fields = matchFields.map(requirementOnFields);
    return (node) => selector.matches(node.metadata.labels) && fields.every((field) => field(node));
  } catch (error) {
    if (error instanceof labels.SelectorError) return () => false;
    throw error;
  }
}

const OPERATORS: ReadonlyMap<string, labels.Operator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
  ['Gt', 'gt'],
  ['Lt', 'lt'],
]);

function requirementOnLabels({ key, operator, values = [] }: NodeSelectorRequirement): labels.Requirement {
  const known = OPERATORS.get(operator);
  if (!known) throw new labels.SelectorError(`"${operator}" is not a valid node selector operator`);
  return labels.newRequirement(key, known, values);
}

function requirementOnFields({ key, operator, values = [] }: NodeSelectorRequirement): NodePredicate {
  if ((operator !== 'In' && operator !== 'NotIn') || values.length !== 1) {
    throw new labels.SelectorError(`"${operator}" with ${values.length} values is not about a field`);
  }
  return ({ metadata: { name } }) =>
    ((key === 'metadata.name' ? name : '') === values[0]) === (operator === 'In');
}

const predicates = new WeakMap<Pod, NodePredicate>();

export function requiredNodeAffinityMatches(pod: Pod, node: Node): boolean {
  let predicate = predicates.get(pod);
  if (!predicate) {
    predicate = predicateOfPod(pod);
    predicates.set(pod, predicate);
  }
  return predicate(node);
}

function predicateOfPod(pod: Pod): NodePredicate {
  const selector = labels.selectorFromSet(pod.spec.nodeSelector);
  const terms = requiredNodeAffinity(pod)?.nodeSelectorTerms.map(predicateOfTerm);
  return (node) => selector.matches(node.metadata.labels) && (!terms || terms.some((term) => term(node)));
}

function requiredNodeAffinity({ spec }: Pod): NodeSelector | undefined {
  return spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
}

const otherNode = framework.unresolvable("node(s) didn't match Pod's node affinity/selector");
const noSuchNode = framework.unresolvable('pod affinity terms conflict');

export const nodeAffinity: framework.FilterPlugin = {
  name: 'NodeAffinity',
  preFilter(_state, pod) {
    const required = requiredNodeAffinity(pod);
    if (!required && !pod.spec.nodeSelector) return framework.skip;
    return required && framework.namesConflict(required.nodeSelectorTerms) ? noSuchNode : framework.success;
  },
  filter(_state, pod, { node }) {
    return requiredNodeAffinityMatches(pod, node) ? framework.success : otherNode;
  },
  eventsToRegister: () => framework.eventsToRegister.nodeAffinity(requiredNodeAffinityMatches),
};
