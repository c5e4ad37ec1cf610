import type * as batch from '#api/batch/v1';
import type * as core from '#api/core/v1';
import { isDNS1123Label } from '../../api/names.ts';
import type { Job } from '../../api/objects.ts';
import { jobs } from '../../api/plain-resources.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { all, fields, labelSelector, required } from '../declare/rules.ts';
import { invalid, required as missing } from '../validation/field-error.ts';
import { validateImmutableField } from '../validation/object-meta.ts';
import { jobSpec, setJobSpecDefaults } from './job-spec.ts';
import { jobStatus, validateJobStatusUpdate } from './job-status.ts';
import { nameWarnings } from './name-warnings.ts';
import { inGoOrder } from './pod/go-names.ts';
import { parseSelector, validateSelected } from './replicated-template.ts';
import { withField } from './with-field.ts';

/** Labels of a Job's pods: its name and its UID, each under the current and the legacy key. */
const JOB_NAME = ['job-name', 'batch.kubernetes.io/job-name'] as const;
const CONTROLLER_UID = ['controller-uid', 'batch.kubernetes.io/controller-uid'] as const;

/**
 * The kind Job. The server generates a selector from the UID, so that no two Jobs claim the same pods.
 * `manualSelector` turns this off.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/batch/job/strategy.go, pkg/apis/batch/v1/defaults.go,
 * pkg/apis/batch/validation/validation.go
 *
 * Differs: the pod template causes errors but no warnings, and the error for an immutable template shows JSON field
 * names.
 */
export const job = declareKind<Job>({
  resource: jobs,
  defaultPropagationPolicy: 'Orphan',
  selectable: { 'status.successful': ({ status }) => String(status.succeeded ?? 0) },
  generationOf: ({ spec }) => spec,

  setDefaults(object) {
    const { labels } = object.spec.template?.metadata ?? {};
    const labelled = labels
      ? withField(object, 'metadata', withDefaults(object.metadata, { labels }))
      : object;
    return withChanged(labelled, 'spec', setJobSpecDefaults);
  },
  prepareForCreate: (object) => (object.spec.manualSelector ? object : withGeneratedSelector(object)),
  warningsOnCreate: ({ metadata }) => nameWarnings(metadata.name),

  rules: [
    validateGeneratedSelector,
    fields<Job>({ spec: all(jobSpec, fields<batch.JobSpec>({ selector: required(labelSelector) })) }),
    ({ spec }) => validateSelected(spec.template ?? {}, parseSelector(spec.selector), 'spec.template'),
    validateHostname,
  ],
  updateRules: (object, old) => [...validateCompletions(object, old), ...validateTemplateUpdate(object, old)],
  immutable: [
    ...['spec.selector', 'spec.completionMode', 'spec.podFailurePolicy', 'spec.backoffLimitPerIndex'],
    ...['spec.managedBy', 'spec.successPolicy'],
  ],
  statusRules: [jobStatus],
  statusUpdateRules: validateJobStatusUpdate,
});

function withGeneratedSelector(object: Job): Job {
  const { name, uid } = object.metadata;
  const labels: Record<string, string> = {};
  for (const key of JOB_NAME) labels[key] = name;
  for (const key of CONTROLLER_UID) labels[key] = uid;
  const { template = {}, selector } = object.spec;
  const metadata = template.metadata ?? {};
  const labelled = withField(metadata, 'labels', withDefaults(metadata.labels ?? {}, labels));
  const [, key] = CONTROLLER_UID;
  const matchLabels = withDefaults(selector?.matchLabels ?? {}, { [key]: uid });
  const withTemplate = withField(object.spec, 'template', withField(template, 'metadata', labelled));
  return withField(
    object,
    'spec',
    withField(withTemplate, 'selector', withField(selector ?? {}, 'matchLabels', matchLabels)),
  );
}

/** Upstream: validateGeneratedSelector */
function validateGeneratedSelector({ metadata, spec }: Job): Cause[] {
  if (spec.manualSelector || !spec.selector) return [];
  const path = 'spec.template.metadata.labels';
  const labels = spec.template?.metadata?.labels ?? {};
  const expected: [key: string, value: string][] = [0, 1].flatMap((i) => [
    [CONTROLLER_UID[i] as string, metadata.uid],
    [JOB_NAME[i] as string, metadata.name],
  ]);
  const causes = expected.flatMap(([key, value]) => {
    if (labels[key] === undefined) return [missing(`${path}[${key}]`, `must be '${value}'`)];
    if (labels[key] === value) return [];
    return [invalid(`${path}[${key}]`, inGoOrder(labels), `must be '${value}'`)];
  });
  if (parseSelector(spec.selector)?.matches(Object.fromEntries(expected)) === false) {
    causes.push(invalid('spec.selector', spec.selector, '`selector` not auto-generated'));
  }
  return causes;
}

/** Validates the hostnames of an indexed Job's pods, which consist of its name and the index. */
function validateHostname({ metadata: { name }, spec: { completionMode, completions = 0 } }: Job): Cause[] {
  if (completionMode !== 'Indexed' || completions <= 0) return [];
  const hostname = `${name}-${completions - 1}`;
  if (isDNS1123Label(hostname).length === 0) return [];
  return [invalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${hostname}`)];
}

/** Lets completions change only together with parallelism, in an indexed Job. Upstream: validateCompletions */
function validateCompletions({ spec }: Job, { spec: old }: Job): Cause[] {
  const path = 'spec.completions';
  if (spec.completionMode !== 'Indexed') {
    return validateImmutableField(spec.completions, old.completions, path);
  }
  if (spec.completions === old.completions || spec.completions === spec.parallelism) return [];
  if (spec.completions === undefined) return [];
  return [invalid(path, spec.completions, 'can only be modified in tandem with spec.parallelism')];
}

/**
 * Lets a suspended Job without pods change the node placement and the resources of its template.
 *
 * Upstream: validatePodTemplateUpdate
 */
function validateTemplateUpdate({ spec }: Job, { spec: old, status }: Job): Cause[] {
  const isSuspended =
    !status.startTime ||
    (status.conditions ?? []).some(({ type, status }) => type === 'Suspended' && status === 'True');
  if (!old.suspend || !isSuspended || (status.active ?? 0) > 0) {
    return validateImmutableField(spec.template, old.template, 'spec.template');
  }
  const mayBe = withMutableParts(
    old.template.spec ?? { containers: [] },
    spec.template.spec ?? { containers: [] },
  );
  return validateImmutableField(spec.template.spec, mayBe, 'spec.template.spec');
}

/** Returns the old spec with the current values of the mutable fields. */
function withMutableParts(old: core.PodSpec, now: core.PodSpec): core.PodSpec {
  const { affinity, nodeSelector, tolerations, schedulingGates } = now;
  const nodeAffinity = affinity?.nodeAffinity;
  const kept = { ...old.affinity, nodeAffinity };
  const isKept = Object.values(kept).some((part) => part !== undefined) || affinity !== undefined;
  return {
    ...old,
    nodeSelector,
    tolerations,
    schedulingGates,
    affinity: isKept ? kept : undefined,
    containers: withResources(old.containers, now.containers),
    initContainers: old.initContainers && withResources(old.initContainers, now.initContainers ?? []),
  } as core.PodSpec;
}

/** Copies the resources; a list that the client did not send is null. */
function withResources(old: core.Container[], now: core.Container[] | null): core.Container[] {
  if (old?.length !== now?.length) return old;
  return old.map((container, i) =>
    container.name === now?.[i]?.name ? { ...container, resources: now[i]?.resources ?? {} } : container,
  );
}
