import { isDNS1123Subdomain } from '../../api/names.ts';
import type { PriorityClass } from '../../api/objects.ts';
import { priorityClasses } from '../../api/resource.ts';
import type { Cause } from '../../api/status.ts';
import { withDefaults } from '../copy-on-write.ts';
import type { Kind } from '../kind.ts';
import { forbidden, notSupported, required } from '../validation/field-error.ts';
import {
  validateImmutableField,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../validation/object-meta.ts';

/**
 * The kind PriorityClass.
 *
 * That only one of them is the `globalDefault` is for admission to say: it takes knowing the others.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/scheduling/priorityclass/strategy.go,
 * pkg/apis/scheduling/v1/{defaults,helpers}.go, pkg/apis/scheduling/validation/validation.go
 */
export const priorityClass: Kind<PriorityClass> = {
  resource: priorityClasses,
  validateName: isDNS1123Subdomain,
  selectableFields: () => ({}),
  selectableFieldNames: [],

  setDefaults: (object) => withDefaults(object, { preemptionPolicy: 'PreemptLowerPriority', value: 0 }),
  prepareForCreate: (object) => object,
  prepareForUpdate: (object) => object,

  validate(object) {
    return [
      ...validateObjectMeta(object.metadata, { namespaced: false, validateName: isDNS1123Subdomain }),
      ...validateValue(object),
      ...validatePreemptionPolicy(object.preemptionPolicy),
    ];
  },

  validateUpdate(object, old) {
    const causes = validateObjectMetaUpdate(object.metadata, old.metadata);
    if (object.value !== old.value) causes.push(forbidden('value', 'may not be changed in an update.'));
    causes.push(...validateImmutableField(object.preemptionPolicy, old.preemptionPolicy, 'preemptionPolicy'));
    return causes;
  },

  // It has a generation, and that is always 1: all that matters in it is immutable.
  sameDesiredState: () => true,
};

/**
 * The largest value that a user may give. Those above are the system's, so that no workload can push aside what
 * keeps the cluster alive.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/scheduling/types.go HighestUserDefinablePriority
 */
const HIGHEST_USER_DEFINABLE_PRIORITY = 1_000_000_000;

/** Upstream: SystemPriorityClasses */
const SYSTEM_PRIORITIES: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2 * HIGHEST_USER_DEFINABLE_PRIORITY + 1000],
  ['system-cluster-critical', 2 * HIGHEST_USER_DEFINABLE_PRIORITY],
]);

function validateValue(object: PriorityClass): Cause[] {
  const { metadata, value } = object;
  if (metadata.name?.startsWith('system-')) {
    const why = whyNotSystem(object);
    if (!why) return [];
    const detail = `priority class names with 'system-' prefix are reserved for system use only. error: ${why}`;
    return [forbidden('metadata.name', detail)];
  }
  if (value <= HIGHEST_USER_DEFINABLE_PRIORITY) return [];
  return [
    forbidden(
      'value',
      `maximum allowed value of a user defined priority is ${HIGHEST_USER_DEFINABLE_PRIORITY}`,
    ),
  ];
}

/** Upstream: IsKnownSystemPriorityClass */
function whyNotSystem({ metadata: { name }, value, globalDefault }: PriorityClass): string | undefined {
  const known = SYSTEM_PRIORITIES.get(name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (known !== value) return `value of ${name} PriorityClass must be ${known}`;
  if (globalDefault) return `globalDefault of ${name} PriorityClass must be false`;
  return undefined;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidatePreemptionPolicy */
function validatePreemptionPolicy(policy: string | undefined): Cause[] {
  if (policy === undefined) return [];
  if (policy === '') return [required('preemptionPolicy')];
  const supported = ['PreemptLowerPriority', 'Never'];
  return supported.includes(policy) ? [] : [notSupported('preemptionPolicy', policy, supported)];
}
