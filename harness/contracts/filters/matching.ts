import type * as core from '#api/core/v1';
import { newRequirement, type Selector, SelectorError, selectorFromSet } from '../../api/label-selector.ts';
import type { Node, Pod } from '../../api/objects.ts';
import type { AffinityTerm, PodInfo, Snapshot } from '../framework/index.ts';

/**
 * Returns whether the toleration tolerates the taint. It compares effect, key and value. `{ key: 'a', operator:
 * 'Exists' }` tolerates every taint with the key `a`.
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
 * Parses a term once, to match it against many nodes.
 *
 * @returns a function that returns whether a node matches every expression of the term. It returns false for every node
 * if the term has no expressions, or an invalid one
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
 * Parses a pod's requirements on a node's labels and name once, to match them against many nodes.
 *
 * @returns a function that returns whether a node has all labels of `spec.nodeSelector`, and matches a term of the
 * required node affinity, if the pod has one
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
 * Returns whether a term matches this pod: the pod is in one of the term's namespaces and has its labels.
 *
 * @param namespaces the labels of each namespace, from a snapshot; a missing namespace has no labels
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
 * Counts the pods in this namespace that the selector matches and that are not being deleted.
 *
 * @returns 0 for a selector that would match every pod (`labelSelector: {}`, `selector.empty`)
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
