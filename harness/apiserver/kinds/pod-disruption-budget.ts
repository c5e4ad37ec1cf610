import type * as policy from '#api/policy/v1';
import { isValidPathSegmentName } from '../../api/names.ts';
import type { PodDisruptionBudget } from '../../api/objects.ts';
import { podDisruptionBudgets } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import type { Kind } from '../kind.ts';
import { validateConditions } from '../validation/conditions.ts';
import { invalid, notSupported } from '../validation/field-error.ts';
import { validateNotMoreThan100Percent, validatePositiveIntOrPercent } from '../validation/int-or-percent.ts';
import {
  validateLabelSelector,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../validation/object-meta.ts';
import { type GoStruct, inGoNames } from './pod/go-names.ts';
import { validateNonnegativeFields } from './replicated-template.ts';
import { withField } from './with-field.ts';

/**
 * The kind PodDisruptionBudget.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/policy/poddisruptionbudget/strategy.go,
 * pkg/apis/policy/validation/validation.go ValidatePodDisruptionBudget
 */
export const podDisruptionBudget: Kind<PodDisruptionBudget> = {
  resource: podDisruptionBudgets,
  // No rule of its own.
  validateName: isValidPathSegmentName,
  selectableFields: () => ({}),
  selectableFieldNames: [],
  allowUnconditionalUpdate: false,

  setDefaults(object) {
    return withChanged(withDefaults(object, { spec: {}, status: EMPTY_STATUS }), 'status', (status) =>
      withDefaults(status, EMPTY_STATUS),
    );
  },

  prepareForCreate(object) {
    return withField(object, 'status', EMPTY_STATUS);
  },

  validate(object) {
    return [
      ...validateSpec(object.spec),
      ...validateObjectMeta(object.metadata, { namespaced: true, validateName: isValidPathSegmentName }),
    ];
  },

  prepareForUpdate(object, old) {
    return withField(object, 'status', old.status);
  },

  validateUpdate(object, old) {
    return [...validateObjectMetaUpdate(object.metadata, old.metadata), ...validateSpec(object.spec)];
  },

  prepareForStatusUpdate(object, old) {
    return withField(object, 'spec', old.spec);
  },

  validateStatusUpdate(object, old) {
    return [...validateObjectMetaUpdate(object.metadata, old.metadata), ...validateStatus(object.status)];
  },

  sameDesiredState(object, old) {
    return semanticEqual(object.spec, old.spec);
  },
};

/** The counts are there even when they are 0. */
const EMPTY_STATUS: PodDisruptionBudget['status'] = Object.freeze({
  currentHealthy: 0,
  desiredHealthy: 0,
  disruptionsAllowed: 0,
  expectedPods: 0,
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
