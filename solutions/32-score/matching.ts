/** Given: what kata 31 is about. */

import { type framework, labels, type Node, type Pod } from '#harness';
import type { Taint, Toleration } from './taints.ts';

/**
 * Does the toleration allow for the taint, as far as effect, key and value go?
 *
 * @see Upstream: kubernetes/api@v0.36.3 core/v1/toleration.go Toleration.ToleratesTaint
 */
export function toleratesTaint(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === 'Exists') return true;
  return (toleration.operator || 'Equal') === 'Equal' && (toleration.value ?? '') === (taint.value ?? '');
}

/** A term of a node selector: expressions on labels, and on the name of the node. */
export type NodeSelectorTerm = NonNullable<
  NonNullable<
    NonNullable<Pod['spec']['affinity']>['nodeAffinity']
  >['preferredDuringSchedulingIgnoredDuringExecution']
>[number]['preference'];

/**
 * Reads a term once, to ask about many nodes.
 *
 * @returns says whether a node meets every expression of the term. None does when the term has no expression, or one
 * that cannot be understood
 * @see Upstream: kubernetes/component-helpers@v0.36.3 scheduling/corev1/nodeaffinity/nodeaffinity.go
 * newNodeSelectorTerm, nodeSelectorTerm.match
 */
export function nodeSelectorTermMatcher(term: NodeSelectorTerm): (node: Node) => boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length + matchFields.length === 0) return () => false;
  const operators = {
    In: 'in',
    NotIn: 'notin',
    Exists: 'exists',
    DoesNotExist: '!',
    Gt: 'gt',
    Lt: 'lt',
  } as const;
  try {
    const requirements = matchExpressions.map(({ key, operator, values = [] }) => {
      if (!Object.hasOwn(operators, operator)) throw new labels.SelectorError(operator);
      return labels.newRequirement(key, operators[operator as keyof typeof operators], values);
    });
    const fields = matchFields.map(({ key, operator, values = [] }) => {
      if (values.length !== 1 || (operator !== 'In' && operator !== 'NotIn'))
        throw new labels.SelectorError(operator);
      return { isName: key === 'metadata.name', wanted: operator === 'In', value: values[0] };
    });
    return ({ metadata }) =>
      requirements.every((requirement) => requirement.matches(metadata.labels)) &&
      fields.every(({ isName, wanted, value }) => ((isName ? metadata.name : '') === value) === wanted);
  } catch (error) {
    if (error instanceof labels.SelectorError) return () => false;
    throw error;
  }
}

/**
 * Reads what a pod requires of a node's labels and name once, to ask about many nodes.
 *
 * @returns says whether a node has all of `spec.nodeSelector`, and meets one of the terms of the required node
 * affinity, if there is any
 * @see Upstream: kubernetes/component-helpers@v0.36.3 scheduling/corev1/nodeaffinity/nodeaffinity.go
 * GetRequiredNodeAffinity, RequiredNodeAffinity.Match
 */
export function requiredNodeAffinityMatcher({ spec }: Pod): (node: Node) => boolean {
  const selector = labels.selectorFromSet(spec.nodeSelector);
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms?.map(nodeSelectorTermMatcher);
  return (node) =>
    selector.matches(node.metadata.labels) && (!required || (terms ?? []).some((matches) => matches(node)));
}

/**
 * Does a term speak of this pod: is it in one of its namespaces, and has it the labels?
 *
 * @param namespaces the labels of each namespace, as a snapshot has them; one that is not there has none
 * @see Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go AffinityTerm.Matches
 */
export function termMatches(
  term: framework.AffinityTerm,
  { metadata }: Pod,
  namespaces: framework.Snapshot['namespaces'],
): boolean {
  const namespace = metadata.namespace ?? '';
  return (
    (term.namespaces.has(namespace) || term.namespaceSelector.matches(namespaces.get(namespace) ?? {})) &&
    term.selector.matches(metadata.labels)
  );
}
