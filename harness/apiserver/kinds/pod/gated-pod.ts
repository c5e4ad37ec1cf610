import type * as core from '#api/core/v1';
import { semanticEqual } from '../../../api/semantic-equality.ts';
import type { Cause } from '../../../api/status.ts';
import { without } from '../../copy-on-write.ts';
import { invalid } from '../../validation/field-error.ts';
import { inGoNames, inGoOrder, NODE_SELECTOR_TERM } from './go-names.ts';

const ONLY_ADDITIONS = 'only additions are allowed (no mutations or deletions)';
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/**
 * Every change of the node selector and the node affinity that would let the pod go where it might not
 * before.
 *
 * A pod behind scheduling gates is not looked at by the scheduler yet: where it may go can still be narrowed.
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

/** `spec` with the node selector and the node affinity of `old`, which have been judged. */
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

/** Terms are alternatives, and the requirements in one must all hold: only more of the latter narrow. */
function hasOnlyAdditions(term: core.NodeSelectorTerm, old: core.NodeSelectorTerm): boolean {
  const lists = ['matchExpressions', 'matchFields'] as const;
  if (lists.every((list) => !old[list]?.length)) return lists.every((list) => !term[list]?.length);
  return lists.every((list) => {
    const before = old[list] ?? [];
    return semanticEqual((term[list] ?? []).slice(0, before.length), before);
  });
}
