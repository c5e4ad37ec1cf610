import type * as core from '#api/core/v1';
import { isDNS1123Label, isDNS1123Subdomain, isValidLabelValue } from '../../../api/names.ts';
import type { Cause } from '../../../api/status.ts';
import { forbidden, invalid, invalidEach, required } from '../../validation/field-error.ts';
import { validateLabelName, validateLabelSelector } from '../../validation/object-meta.ts';
import { validateLabelKeys } from './match-label-keys.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/**
 * Validates an affinity: the nodes that a pod prefers or requires, and the pods that it wants to be near or far from.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateAffinity
 */
export function validateAffinity(affinity: core.Affinity, path: string): Cause[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  return [
    ...(nodeAffinity ? validateNodeAffinity(nodeAffinity, `${path}.nodeAffinity`) : []),
    ...(podAffinity ? validatePodAffinity(podAffinity, `${path}.podAffinity`) : []),
    ...(podAntiAffinity ? validatePodAffinity(podAntiAffinity, `${path}.podAntiAffinity`) : []),
  ];
}

function validateNodeAffinity(affinity: core.NodeAffinity, path: string): Cause[] {
  const causes: Cause[] = [];
  const selector = affinity[REQUIRED];
  const termsPath = `${path}.${REQUIRED}.nodeSelectorTerms`;
  if (selector && !selector.nodeSelectorTerms?.length) {
    causes.push(required(termsPath, 'must have at least one node selector term'));
  }
  selector?.nodeSelectorTerms?.forEach((term, i) => {
    causes.push(...validateNodeSelectorTerm(term, `${termsPath}[${i}]`, { values: 'of labels' }));
  });
  affinity[PREFERRED]?.forEach(({ weight, preference }, i) => {
    const at = `${path}.${PREFERRED}[${i}]`;
    causes.push(...validateWeight(weight, `${at}.weight`));
    // A preference with an impossible label value does not keep the pod from a node.
    causes.push(...validateNodeSelectorTerm(preference, `${at}.preference`, { values: 'of any kind' }));
  });
  return causes;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateNodeSelectorTerm */
function validateNodeSelectorTerm(term: core.NodeSelectorTerm, path: string, options: TermOptions): Cause[] {
  const causes: Cause[] = [];
  term.matchExpressions?.forEach((requirement, i) => {
    causes.push(...validateNodeSelectorRequirement(requirement, `${path}.matchExpressions[${i}]`, options));
  });
  term.matchFields?.forEach((requirement, i) => {
    causes.push(...validateNodeFieldRequirement(requirement, `${path}.matchFields[${i}]`));
  });
  return causes;
}

interface TermOptions {
  readonly values: 'of labels' | 'of any kind';
}

function validateNodeSelectorRequirement(
  requirement: core.NodeSelectorRequirement,
  path: string,
  options: TermOptions,
): Cause[] {
  const { key = '', operator = '', values = [] } = requirement;
  const causes = [...validateOperator(operator, values, path), ...validateLabelName(key, `${path}.key`)];
  if (options.values === 'of any kind') return causes;
  const ofLabels = values.flatMap((value, i) =>
    invalidEach(`${path}.values[${i}]`, value, isValidLabelValue(value)),
  );
  return [...causes, ...ofLabels];
}

function validateOperator(operator: string, values: readonly string[], path: string): Cause[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [
        forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      ];
    case 'Gt':
    case 'Lt':
      if (values.length === 1) return [];
      return [required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

/** The only selectable node field is the name: DaemonSets pin their pods with it. */
function validateNodeFieldRequirement(requirement: core.NodeSelectorRequirement, path: string): Cause[] {
  const { key = '', operator = '', values = [] } = requirement;
  const causes: Cause[] = [];
  if (operator !== 'In' && operator !== 'NotIn') {
    causes.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  } else if (values.length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    causes.push(required(`${path}.values`, detail));
  }
  if (key !== 'metadata.name') {
    return [...causes, invalid(`${path}.key`, key, 'not a valid field selector key')];
  }
  return [
    ...causes,
    ...values.flatMap((value, i) => invalidEach(`${path}.values[${i}]`, value, isDNS1123Subdomain(value))),
  ];
}

function validatePodAffinity(affinity: core.PodAffinity | core.PodAntiAffinity, path: string): Cause[] {
  const causes: Cause[] = [];
  affinity[REQUIRED]?.forEach((term, i) => {
    causes.push(...validatePodAffinityTerm(term, `${path}.${REQUIRED}[${i}]`));
  });
  affinity[PREFERRED]?.forEach(({ weight, podAffinityTerm }, i) => {
    const at = `${path}.${PREFERRED}[${i}]`;
    causes.push(...validateWeight(weight, `${at}.weight`));
    causes.push(...validatePodAffinityTerm(podAffinityTerm, `${at}.podAffinityTerm`));
  });
  return causes;
}

function validatePodAffinityTerm(term: core.PodAffinityTerm, path: string): Cause[] {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey = '' } = term ?? {};
  const causes = [
    ...validateLabelSelector(labelSelector, `${path}.labelSelector`),
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`),
    ...namespaces.flatMap((name) => invalidEach(`${path}.namespace`, name, isDNS1123Label(name))),
    ...validateLabelKeys(term ?? {}, path),
  ];
  if (!topologyKey) causes.push(required(`${path}.topologyKey`, 'can not be empty'));
  return [...causes, ...validateLabelName(topologyKey, `${path}.topologyKey`)];
}

function validateWeight(weight: number, path: string): Cause[] {
  return weight > 0 && weight <= 100 ? [] : [invalid(path, weight ?? 0, 'must be in the range 1-100')];
}
