import type { PriorityClass } from '../../api/objects.ts';
import { priorityClasses } from '../../api/resource.ts';
import type { Cause } from '../../api/status.ts';
import { withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { fields, oneOf } from '../declare/rules.ts';
import { forbidden, required } from '../validation/field-error.ts';

/**
 * The kind PriorityClass.
 *
 * An admission plugin, which sees the other objects, checks that only one of them is the `globalDefault`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/scheduling/priorityclass/strategy.go,
 * pkg/apis/scheduling/v1/{defaults,helpers}.go, pkg/apis/scheduling/validation/validation.go
 */
export const priorityClass = declareKind<PriorityClass>({
  resource: priorityClasses,
  // The generation stays 1: every field that counts is immutable.
  generationOf: () => undefined,
  setDefaults: (object) => withDefaults(object, { preemptionPolicy: 'PreemptLowerPriority' }),
  createRules: [
    validateValue,
    // Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidatePreemptionPolicy
    fields<PriorityClass>({
      preemptionPolicy: (policy, path) =>
        policy === '' ? [required(path)] : oneOf('PreemptLowerPriority', 'Never')(policy, path),
    }),
  ],
  updateRules: ({ value }, old) =>
    value === old.value ? [] : [forbidden('value', 'may not be changed in an update.')],
  immutable: ['preemptionPolicy'],
});

/**
 * The largest value for users. Higher values are reserved for the system, so that no workload can preempt critical
 * pods.
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
