import type * as batch from '#api/batch/v1';
import { isQualifiedName } from '../../api/names.ts';
import type { Cause } from '../../api/status.ts';
import { mapItems, withChanged, withDefaults } from '../copy-on-write.ts';
import { all, each, fields, nonnegative, oneOf, optional, type Rule, required } from '../declare/rules.ts';
import { domainPrefixedPath } from '../validation/domain-prefixed-path.ts';
import {
  duplicate,
  invalid,
  invalidEach,
  invalidUnshown,
  required as missing,
  notSupported,
  tooLong,
  tooMany,
} from '../validation/field-error.ts';
import { parseIndexes } from './job-indexes.ts';
import { setPodTemplateDefaults, validatePodTemplateSpec } from './pod-template.ts';

/**
 * Sets the defaults of a Job's spec. The template of a CronJob gets only the defaults of its pods; a Job made from it
 * gets the rest.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/batch/v1/defaults.go SetDefaults_Job
 */
export function setJobSpecDefaults(spec: batch.JobSpec): batch.JobSpec {
  const { completions, parallelism, backoffLimitPerIndex, podFailurePolicy } = spec;
  const isPlain = completions === undefined && parallelism === undefined;
  return withDefaults(setJobTemplateSpecDefaults(spec), {
    ...(isPlain && { completions: 1 }),
    parallelism: 1,
    backoffLimit: backoffLimitPerIndex === undefined ? 6 : 2 ** 31 - 1,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: podFailurePolicy ? 'Failed' : 'TerminatingOrFailed',
    manualSelector: false,
  });
}

/** Sets the defaults of a CronJob's job template. */
export function setJobTemplateSpecDefaults(spec: batch.JobSpec): batch.JobSpec {
  const policed = withChanged(spec, 'podFailurePolicy', (policy) =>
    withChanged(policy, 'rules', (rules) =>
      mapItems(rules, (rule) =>
        withChanged(rule, 'onPodConditions', (patterns) =>
          mapItems(patterns, (pattern) => (pattern.status ? pattern : { ...pattern, status: 'True' })),
        ),
      ),
    ),
  );
  return withChanged(policed, 'template', setPodTemplateDefaults);
}

/**
 * Rules for the spec of a Job and of a CronJob's job template.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/batch/validation/validation.go validateJobSpec
 */
export const jobSpec: Rule<batch.JobSpec> = all<batch.JobSpec>(
  fields<batch.JobSpec>({
    parallelism: nonnegative,
    completions: nonnegative,
    activeDeadlineSeconds: nonnegative,
    backoffLimit: nonnegative,
    ttlSecondsAfterFinished: nonnegative,
    backoffLimitPerIndex: nonnegative,
    maxFailedIndexes: nonnegative,
  }),
  (spec, path) =>
    spec?.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined
      ? [missing(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : [],
  fields<batch.JobSpec>({
    managedBy: optional(
      all(domainPrefixedPath, (value = '', path) =>
        Buffer.byteLength(value) > 63 ? [tooLong(path, 63)] : [],
      ),
    ),
    completionMode: oneOf('NonIndexed', 'Indexed'),
  }),
  (spec = NO_SPEC, path) => (spec.completionMode === 'Indexed' ? validateIndexed(spec, path) : []),
  (spec = NO_SPEC, path) => (spec.completionMode === 'Indexed' ? [] : validateNonIndexed(spec, path)),
  (spec = NO_SPEC, path) => validatePodFailurePolicy(spec, `${path}.podFailurePolicy`),
  (spec = NO_SPEC, path) => validateSuccessPolicy(spec, `${path}.successPolicy`),
  (spec = NO_SPEC, path) =>
    (spec.podFailurePolicy ? oneOf('Failed') : oneOf('Failed', 'TerminatingOrFailed'))(
      spec.podReplacementPolicy,
      `${path}.podReplacementPolicy`,
    ),
  (spec = NO_SPEC, path) => validatePodTemplateSpec(spec.template ?? {}, `${path}.template`),
  (spec = NO_SPEC, path) => validateRestartPolicy(spec, `${path}.template.spec.restartPolicy`),
);

const NO_SPEC: batch.JobSpec = { template: {} };

/** Limits the number of indexes, because the status lists them. */
function validateIndexed(spec: batch.JobSpec, path: string): Cause[] {
  const { completions, parallelism = 0, maxFailedIndexes, backoffLimitPerIndex } = spec;
  const causes: Cause[] = [];
  const above = (field: 'parallelism' | 'maxFailedIndexes', value: number, detail: string) =>
    causes.push(invalid(`${path}.${field}`, value, `must be less than or equal to ${detail}`));
  if (completions === undefined) {
    causes.push(missing(`${path}.completions`, 'when completion mode is Indexed'));
  }
  if (parallelism > INDEXES_MAX) {
    above('parallelism', parallelism, `${INDEXES_MAX} when completion mode is Indexed`);
  }
  if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions) {
    above('maxFailedIndexes', maxFailedIndexes, 'completions');
  }
  if (maxFailedIndexes !== undefined && maxFailedIndexes > INDEXES_MAX) {
    above('maxFailedIndexes', maxFailedIndexes, `${INDEXES_MAX}`);
  }
  if (completions === undefined || completions <= INDEXES_MAX || backoffLimitPerIndex === undefined) {
    return causes;
  }
  const detail = `${MANY_MAX} when completions are above ${INDEXES_MAX} and used with backoff limit per index`;
  if (maxFailedIndexes === undefined) {
    causes.push(
      missing(`${path}.maxFailedIndexes`, `must be specified when completions is above ${INDEXES_MAX}`),
    );
  }
  if (parallelism > MANY_MAX) above('parallelism', parallelism, detail);
  if (maxFailedIndexes !== undefined && maxFailedIndexes > MANY_MAX) {
    above('maxFailedIndexes', maxFailedIndexes, detail);
  }
  return causes;
}

const INDEXES_MAX = 100_000;
const MANY_MAX = 10_000;

function validateNonIndexed(spec: batch.JobSpec, path: string): Cause[] {
  return (['backoffLimitPerIndex', 'maxFailedIndexes'] as const).flatMap((field) =>
    spec[field] === undefined
      ? []
      : [invalid(`${path}.${field}`, spec[field], 'requires indexed completion mode')],
  );
}

/** Upstream: validatePodFailurePolicy */
function validatePodFailurePolicy(spec: batch.JobSpec, path: string): Cause[] {
  const { podFailurePolicy, template } = spec;
  if (!podFailurePolicy) return [];
  const rules = podFailurePolicy.rules ?? [];
  const { containers, initContainers } = template.spec ?? {};
  const names = [...(containers ?? []), ...(initContainers ?? [])].map(({ name }) => name);
  return [
    ...(rules.length > RULES_MAX ? [tooMany(`${path}.rules`, rules.length, RULES_MAX)] : []),
    ...rules.flatMap((rule, i) => validateFailureRule(rule, { spec, names }, `${path}.rules[${i}]`)),
  ];
}

const RULES_MAX = 20;
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

/** Formats texts as Go prints a list of strings. */
const listed = (values: readonly string[]): string =>
  `valid values: [${values.map((value) => `"${value}"`).join(' ')}]`;

/** Requires one of a few values; the error of an absent field lists them. */
const oneOfListed = (...values: readonly string[]): Rule<string> =>
  required(oneOf(...values), listed(values));

function validateFailureRule(
  rule: batch.PodFailurePolicyRule,
  { spec, names }: { readonly spec: batch.JobSpec; readonly names: readonly string[] },
  path: string,
): Cause[] {
  const { action, onExitCodes, onPodConditions = [] } = rule;
  const causes: Cause[] = [...oneOfListed(...ACTIONS)(action, `${path}.action`)];
  if (action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
    causes.push(invalid(`${path}.action`, action, 'requires the backoffLimitPerIndex to be set'));
  }
  if (onExitCodes) causes.push(...validateExitCodes(onExitCodes, names, `${path}.onExitCodes`));
  const at = `${path}.onPodConditions`;
  if (onPodConditions.length > RULES_MAX) causes.push(tooMany(at, onPodConditions.length, RULES_MAX));
  causes.push(...each(podCondition)(onPodConditions, at));
  if (onExitCodes && onPodConditions.length > 0) {
    const detail = 'specifying both OnExitCodes and OnPodConditions is not supported';
    causes.push(invalidUnshown(path, detail));
  }
  if (!onExitCodes && onPodConditions.length === 0) {
    causes.push(invalidUnshown(path, 'specifying one of OnExitCodes and OnPodConditions is required'));
  }
  return causes;
}

const podCondition = fields<batch.PodFailurePolicyOnPodConditionsPattern>({
  type: (type = '', path) => invalidEach(path, type, isQualifiedName(type)),
  status: oneOfListed('False', 'True', 'Unknown'),
});

function validateExitCodes(
  { operator, containerName, values: sent }: batch.PodFailurePolicyOnExitCodesRequirement,
  names: readonly string[],
  path: string,
): Cause[] {
  const values = sent ?? [];
  const causes: Cause[] = [...oneOfListed('In', 'NotIn')(operator, `${path}.operator`)];
  if (containerName !== undefined && !names.includes(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    causes.push(invalid(`${path}.containerName`, containerName, detail));
  }
  const at = `${path}.values`;
  if (values.length === 0) causes.push(invalid(at, values, 'at least one value is required'));
  if (values.length > 255) causes.push(tooMany(at, values.length, 255));
  values.forEach((value, i) => {
    if (operator === 'In' && value === 0) {
      causes.push(invalid(`${at}[${i}]`, value, 'must not be 0 for the In operator'));
    }
    if (values.indexOf(value) < i) causes.push(duplicate(`${at}[${i}]`, value));
  });
  if (values.some((value, i) => i > 0 && (values[i - 1] ?? value) > value)) {
    causes.push(invalid(at, values, 'must be ordered'));
  }
  return causes;
}

/** Upstream: validateSuccessPolicy */
function validateSuccessPolicy({ successPolicy, ...spec }: batch.JobSpec, path: string): Cause[] {
  if (!successPolicy) return [];
  const rules = successPolicy.rules ?? [];
  if (spec.completionMode !== 'Indexed') {
    const shown = {
      Rules: rules.map(({ succeededIndexes, succeededCount }) => ({
        SucceededIndexes: succeededIndexes ?? null,
        SucceededCount: succeededCount ?? null,
      })),
    };
    return [invalid(path, shown, 'requires indexed completion mode')];
  }
  const causes: Cause[] = [];
  const detail = 'at least one rules must be specified when the successPolicy is specified';
  if (rules.length === 0) causes.push(missing(`${path}.rules`, detail));
  if (rules.length > RULES_MAX) causes.push(tooMany(`${path}.rules`, rules.length, RULES_MAX));
  rules.forEach((rule, i) => {
    causes.push(...validateSuccessRule(rule, spec.completions ?? 0, `${path}.rules[${i}]`));
  });
  return causes;
}

function validateSuccessRule(
  { succeededIndexes, succeededCount }: batch.SuccessPolicyRule,
  completions: number,
  path: string,
): Cause[] {
  if (succeededIndexes === undefined && succeededCount === undefined) {
    return [missing(path, 'at least one of succeededCount or succeededIndexes must be specified')];
  }
  const causes: Cause[] = [];
  const parsed = parseIndexes(succeededIndexes ?? '', completions);
  if (typeof parsed === 'string') {
    const detail = `error parsing succeededIndexes: ${parsed}`;
    causes.push(invalid(`${path}.succeededIndexes`, succeededIndexes, detail));
  }
  if (succeededCount === undefined) return causes;
  const at = `${path}.succeededCount`;
  const total = typeof parsed === 'string' ? 0 : parsed;
  const atMost = (max: number, of: string) =>
    invalid(at, succeededCount, `must be less than or equal to ${max} (${of})`);
  causes.push(...nonnegative(succeededCount, at));
  if (succeededCount > completions) {
    causes.push(atMost(completions, 'the number of specified completions'));
  }
  if (succeededIndexes !== undefined && succeededCount > total) {
    causes.push(atMost(total, 'the number of indexes in the specified succeededIndexes field'));
  }
  return causes;
}

/** Pods that restart forever never finish. */
function validateRestartPolicy({ template, podFailurePolicy }: batch.JobSpec, path: string): Cause[] {
  const restartPolicy = template?.spec?.restartPolicy || 'Always';
  if (restartPolicy === 'Always') return [missing(path, 'valid values: "OnFailure", "Never"')];
  if (restartPolicy !== 'OnFailure' && restartPolicy !== 'Never') {
    return [notSupported(path, restartPolicy, ['OnFailure', 'Never'])];
  }
  if (!podFailurePolicy || restartPolicy === 'Never') return [];
  return [invalid(path, restartPolicy, 'only "Never" is supported when podFailurePolicy is specified')];
}
