import type * as core from '#api/core/v1';
import { semanticEqual } from '../../../api/semantic-equality.ts';
import type { Cause } from '../../../api/status.ts';
import { without } from '../../copy-on-write.ts';
import { invalid } from '../../validation/field-error.ts';
import { inGoNames, inGoOrder, NODE_SELECTOR_TERM } from './go-names.ts';

const ONLY_ADDITIONS = 'only additions are allowed (no mutations or deletions)';
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/**
 * Rejects a change of the node selector or the node affinity that allows more nodes. The scheduler ignores a pod with
 * scheduling gates, so the set of its nodes can still be narrowed.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go
 * validateNodeSelectorMutation, validateNodeAffinityMutation
 */
export function validateGatedPodUpdate(spec: core.PodSpec, old: core.PodSpec): Cause[] {
  const causes: Cause[] = [];
  const { nodeSelector = {} } = spec;
  const isKept = ([key, value]: [string, string]) => nodeSelector[key] === value;
  if (!Object.entries(old.nodeSelector ?? {}).every(isKept)) {
    const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
    causes.push(invalid('spec.nodeSelector', inGoOrder(spec.nodeSelector), detail));
  }
  const oldTerms = old.affinity?.nodeAffinity?.[REQUIRED]?.nodeSelectorTerms ?? [];
  const terms = spec.affinity?.nodeAffinity?.[REQUIRED]?.nodeSelectorTerms;
  const path = `spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;
  if (oldTerms.length > 0 && oldTerms.length !== (terms?.length ?? 0)) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [...causes, invalid(path, terms && inGoNames(terms, NODE_SELECTOR_TERM), detail)];
  }
  oldTerms.forEach((oldTerm, i) => {
    const term = terms?.[i] ?? {};
    if (hasOnlyAdditions(term, oldTerm)) return;
    causes.push(invalid(`${path}[${i}]`, inGoNames(term, NODE_SELECTOR_TERM), ONLY_ADDITIONS));
  });
  return causes;
}

/** Returns `spec` with the node selector and the node affinity of `old`, which have been validated. */
export function maskGatedPodChanges(spec: core.PodSpec, old: core.PodSpec): core.PodSpec {
  const { nodeSelector, affinity: oldAffinity } = old;
  const rest = without(spec.affinity ?? {}, 'nodeAffinity');
  const oldNodeAffinity = oldAffinity?.nodeAffinity;
  const affinity: core.Affinity = oldNodeAffinity ? { ...rest, nodeAffinity: oldNodeAffinity } : rest;
  const isNothing = Object.keys(affinity).length === 0 && oldAffinity === undefined;
  return {
    ...without(spec, 'nodeSelector', 'affinity'),
    ...(nodeSelector && { nodeSelector }),
    ...(!isNothing && { affinity }),
  };
}

/** Terms are ORed and the requirements in a term are ANDed, so only added requirements narrow the set of nodes. */
function hasOnlyAdditions(term: core.NodeSelectorTerm, old: core.NodeSelectorTerm): boolean {
  const lists = ['matchExpressions', 'matchFields'] as const;
  if (lists.every((list) => !old[list]?.length)) return lists.every((list) => !term[list]?.length);
  return lists.every((list) => {
    const before = old[list] ?? [];
    return semanticEqual((term[list] ?? []).slice(0, before.length), before);
  });
}
