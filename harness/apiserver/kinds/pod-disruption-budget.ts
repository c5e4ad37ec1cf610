import type * as policy from '#api/policy/v1';
import { isValidPathSegmentName } from '../../api/names.ts';
import type { PodDisruptionBudget } from '../../api/objects.ts';
import { podDisruptionBudgets } from '../../api/resource.ts';
import type { Cause } from '../../api/status.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { validateConditions } from '../validation/conditions.ts';
import { invalid, notSupported } from '../validation/field-error.ts';
import { validateNotMoreThan100Percent, validatePositiveIntOrPercent } from '../validation/int-or-percent.ts';
import { validateLabelSelector } from '../validation/object-meta.ts';
import { type GoStruct, inGoNames } from './pod/go-names.ts';
import { validateNonnegativeFields } from './replicated-template.ts';

/**
 * The kind PodDisruptionBudget.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/policy/poddisruptionbudget/strategy.go,
 * pkg/apis/policy/validation/validation.go ValidatePodDisruptionBudget
 */
export const podDisruptionBudget = declareKind<PodDisruptionBudget>({
  resource: podDisruptionBudgets,
  // The kind has no special rule for names.
  validateName: isValidPathSegmentName,
  metadataLast: true,
  allowUnconditionalUpdate: false,
  generationOf: ({ spec }) => spec,
  rules: [({ spec }) => validateSpec(spec)],
  statusRules: [({ status }) => validateStatus(status)],
});

/** Upstream: ValidatePodDisruptionBudgetSpec */
function validateSpec(spec: policy.PodDisruptionBudgetSpec): Cause[] {
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy } = spec;
  const causes: Cause[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = inGoNames(spec, SPEC);
    causes.push(invalid('spec', shown, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const field of ['minAvailable', 'maxUnavailable'] as const) {
    const value = spec[field];
    if (value === undefined) continue;
    causes.push(...validatePositiveIntOrPercent(value, `spec.${field}`));
    causes.push(...validateNotMoreThan100Percent(value, `spec.${field}`));
  }
  causes.push(...validateLabelSelector(spec.selector, 'spec.selector'));
  const supported = ['AlwaysAllow', 'IfHealthyBudget'];
  if (unhealthyPodEvictionPolicy !== undefined && !supported.includes(unhealthyPodEvictionPolicy)) {
    causes.push(notSupported('spec.unhealthyPodEvictionPolicy', unhealthyPodEvictionPolicy, supported));
  }
  return causes;
}

/** Upstream: PodDisruptionBudgetSpec */
const SPEC: GoStruct = {
  MinAvailable: ['minAvailable', null],
  Selector: ['selector', null],
  MaxUnavailable: ['maxUnavailable', null],
  UnhealthyPodEvictionPolicy: ['unhealthyPodEvictionPolicy', null],
};

/** Upstream: ValidatePodDisruptionBudgetStatusUpdate */
function validateStatus(status: policy.PodDisruptionBudgetStatus): Cause[] {
  const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const;
  return [
    ...validateConditions(status.conditions ?? [], 'status.conditions'),
    ...validateNonnegativeFields(status, counts, 'status'),
  ];
}
