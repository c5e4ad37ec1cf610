import type * as core from '#api/core/v1';
import { newRequirement, type Selector, SelectorError, selectorFromSet } from '../../api/label-selector.ts';
import type { Node, Pod } from '../../api/objects.ts';
import type { AffinityTerm, PodInfo, Snapshot } from '../framework/index.ts';

/**
 * Does the toleration allow for the taint, as far as effect, key and value go?
 *
 *
 * Upstream: kubernetes/api@v0.36.3 core/v1/toleration.go Toleration.ToleratesTaint
 */
export function toleratesTaint(toleration: core.Toleration, taint: core.Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === 'Exists') return true;
  return (toleration.operator || 'Equal') === 'Equal' && (toleration.value ?? '') === (taint.value ?? '');
}

/**
 * Reads a term once, to ask about many nodes.
 *
 * @returns says whether a node meets every expression of the term. None does if the term has no expression, or one
 * that cannot be understood
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 scheduling/corev1/nodeaffinity/nodeaffinity.go
 * newNodeSelectorTerm, nodeSelectorTerm.match
 */
export function nodeSelectorTermMatcher(term: core.NodeSelectorTerm): (node: Node) => boolean {
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
      if (!Object.hasOwn(operators, operator)) throw new SelectorError(operator);
      return newRequirement(key, operators[operator as keyof typeof operators], values);
    });
    const fields = matchFields.map(({ key, operator, values = [] }) => {
      if (values.length !== 1 || (operator !== 'In' && operator !== 'NotIn'))
        throw new SelectorError(operator);
      return { isName: key === 'metadata.name', wanted: operator === 'In', value: values[0] };
    });
    return ({ metadata }) =>
      requirements.every((requirement) => requirement.matches(metadata.labels)) &&
      fields.every(({ isName, wanted, value }) => ((isName ? metadata.name : '') === value) === wanted);
  } catch (error) {
    if (error instanceof SelectorError) return () => false;
    throw error;
  }
}

/**
 * Reads what a pod requires of a node's labels and name once, to ask about many nodes.
 *
 * @returns says whether a node has all of `spec.nodeSelector`, and meets one of the terms of the required node
 * affinity, if there is any
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 scheduling/corev1/nodeaffinity/nodeaffinity.go
 * GetRequiredNodeAffinity, RequiredNodeAffinity.Match
 */
export function requiredNodeAffinityMatcher({ spec }: Pod): (node: Node) => boolean {
  const selector = selectorFromSet(spec.nodeSelector);
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms?.map(nodeSelectorTermMatcher);
  return (node) =>
    selector.matches(node.metadata.labels) && (!required || (terms ?? []).some((matches) => matches(node)));
}

/**
 * Does a term speak of this pod: is it in one of its namespaces, and has it the labels?
 *
 * @param namespaces the labels of each namespace, as a snapshot has them; one that is not there has none
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go AffinityTerm.Matches
 */
export function termMatches(
  term: AffinityTerm,
  { metadata }: Pod,
  namespaces: Snapshot['namespaces'],
): boolean {
  const namespace = metadata.namespace ?? '';
  return (
    (term.namespaces.has(namespace) || term.namespaceSelector.matches(namespaces.get(namespace) ?? {})) &&
    term.selector.matches(metadata.labels)
  );
}

/**
 * @returns how many of the pods match: those in this namespace, not being deleted, that the selector matches. A
 * selector that would match everything (`labelSelector: {}`, `selector.empty`) counts none
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/common.go
 * countPodsMatchSelector
 */
export function countPodsMatchSelector(
  pods: readonly PodInfo[],
  selector: Selector,
  namespace: string | undefined,
): number {
  if (selector.empty) return 0;
  let count = 0;
  for (const { pod } of pods) {
    const { metadata } = pod;
    if (metadata.deletionTimestamp === undefined && metadata.namespace === namespace) {
      if (selector.matches(metadata.labels)) count++;
    }
  }
  return count;
}
