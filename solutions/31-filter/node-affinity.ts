/** Level 3 · Node selector and node affinity. */
import { framework, type KubeObject, labels, type Node, type Pod } from '#harness';
import { queueIf } from './queueing-hints.ts';

type NodeSelector = NonNullable<
  NonNullable<
    NonNullable<Pod['spec']['affinity']>['nodeAffinity']
  >['requiredDuringSchedulingIgnoredDuringExecution']
>;
/** One of the terms of a pod's required node affinity. */
export type NodeSelectorTerm = NodeSelector['nodeSelectorTerms'][number];
type NodeSelectorRequirement = NonNullable<NodeSelectorTerm['matchExpressions']>[number];

/** What is asked of nodes, understood once. */
type NodePredicate = (node: Node) => boolean;

export function matchesNodeSelectorTerm(term: NodeSelectorTerm, node: Node): boolean {
  return predicateOfTerm(term)(node);
}

function predicateOfTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): NodePredicate {
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
    return required && areContradictory(required.nodeSelectorTerms) ? noSuchNode : framework.success;
  },
  filter(_state, pod, { node }) {
    return requiredNodeAffinityMatches(pod, node) ? framework.success : otherNode;
  },
  eventsToRegister: () => nodeAffinityEvents,
};

/** Do all terms ask for nodes by name, and each for none that could be? */
function areContradictory(terms: readonly NodeSelectorTerm[]): boolean {
  return (
    terms.length > 0 &&
    terms.every(({ matchFields = [] }) => {
      const [first, ...others] = matchFields.flatMap(({ key, operator, values = [] }) =>
        key === 'metadata.name' && operator === 'In' ? [values] : [],
      );
      return first !== undefined && !first.some((name) => others.every((names) => names.includes(name)));
    })
  );
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go EventsToRegister */
const nodeAffinityEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'Node', actionType: 'Add' }, queueingHintFn: afterLabelsOfNode },
  { event: { resource: 'Node', actionType: 'UpdateNodeLabel' }, queueingHintFn: afterLabelsOfNode },
];

/** A node that the pod asks for, and that is new or that it did not ask for before. */
function afterLabelsOfNode(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const asked = (node: KubeObject | undefined): boolean => requiredNodeAffinityMatches(pod, node as Node);
  return queueIf(asked(newObject) && !(oldObject && asked(oldObject)));
}
