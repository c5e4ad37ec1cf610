import { deepEqual } from '../../../api/freeze.ts';
import type { Job, Pod } from '../../../api/objects.ts';
import { controllerOf } from '../../../api/predicates.ts';
import { hasReason } from '../../../api/status.ts';
import {
  type JobHistory,
  type JobLaw,
  jobWrites,
  nameOf,
  type PodWrite,
  podWrites,
  versionsFor,
  violation,
} from '../history.ts';
import { INDEX, TRACKING } from '../operations.ts';
import { indexOf, isFinished, isManaged, isTracked, jobOf, selects } from '../oracle/pods.ts';

/** The controller writes only the status of its own unfinished Jobs, and only to pods of its Jobs or without a controller. */
export const leavesOthersAlone: JobLaw = (history) => [
  ...jobWrites(history).flatMap((entry) => {
    const { object, previous, type } = entry;
    const name = nameOf(object);
    if (!previous || type === 'DELETED')
      return [violation(entry, `the controller sent ${entry.verb} jobs/${name}`)];
    if (!isManaged(object))
      return [violation(entry, `the controller wrote to ${name}, which ${object.spec.managedBy} manages`)];
    if (isFinished(previous))
      return [violation(entry, `the controller wrote to ${name}, which has finished`)];
    const isSame =
      deepEqual(object.spec, previous.spec) &&
      (['annotations', 'finalizers', 'ownerReferences'] as const).every((field) =>
        deepEqual(object.metadata[field], previous.metadata[field]),
      ) &&
      deepEqual(object.metadata.labels, labelsOf(previous));
    return isSame ? [] : [violation(entry, `the controller changed more than the status of ${name}`)];
  }),
  ...podWrites(history).flatMap((entry) => {
    const wrong = wrongTarget(history, entry);
    return wrong === undefined
      ? []
      : [violation(entry, `the controller sent ${entry.verb} pods/${nameOf(entry.object)}, ${wrong}`)];
  }),
];

/**
 * Returns the labels of a Job after an update. The server gives a Job without labels those of its template.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/batch/v1/defaults.go SetDefaults_Job
 */
function labelsOf({ metadata, spec }: Job): Readonly<Record<string, string>> | undefined {
  const { labels } = metadata;
  return Object.keys(labels ?? {}).length > 0 ? labels : spec.template.metadata?.labels;
}

function wrongTarget(history: JobHistory, entry: PodWrite): string | undefined {
  const { previous, object, job, revision, atMs } = entry;
  const versions = job ? versionsFor(history, job, entry) : [];
  if (job && !isManaged(job.last) && versions.every((version) => version !== undefined))
    return `whose Job ${nameOf(job.last)} ${job.last.spec.managedBy} manages`;
  if (!previous) return undefined;
  const owner = controllerOf(previous);
  if (owner && owner.kind !== 'Job') return `which ${owner.kind} ${owner.name} controls`;
  if (owner) return undefined;
  if (jobOf(object) !== undefined) return wrongAdoption(history, entry);
  if (isTracked(previous) && entry.verb !== 'delete') return undefined;
  // The cache may still show the owner.
  const states =
    history.pods.of(object.metadata.uid)?.statesBetween(history.knowledge(atMs).pods, revision - 1) ?? [];
  return states.some((state) => jobOf(state) !== undefined) ? undefined : 'which no Job controls';
}

/** Explains why an adoption is wrong; undefined if it is right. */
function wrongAdoption(history: JobHistory, entry: PodWrite): string | undefined {
  const { previous, object, job } = entry;
  if (!job) return 'and named a Job that never existed as its controller';
  const versions = versionsFor(history, job, entry);
  if (!versions.some((version) => version && selects(version, object)))
    return `and adopted it for ${nameOf(job.last)}, which does not select it`;
  if (versions.every((version) => !version || version.metadata.deletionTimestamp))
    return `and adopted it for ${nameOf(job.last)}, which was being deleted or gone`;
  if (!isTracked(object)) return 'and adopted it without the finalizer: its end can get lost';
  const reference = controllerOf(object);
  if (!reference?.blockOwnerDeletion || reference.apiVersion !== 'batch/v1')
    return 'and its controller reference has no blockOwnerDeletion, or another apiVersion than batch/v1';
  const isSame =
    deepEqual(object.spec, previous?.spec) && deepEqual(object.metadata.labels, previous?.metadata.labels);
  return isSame ? undefined : 'and changed more than its owners and finalizers';
}

/** A created pod has the parts of the template, the finalizer, its Job as controller, and the marks of its index. */
export const likeTheTemplate: JobLaw = (history) =>
  podWrites(history).flatMap((entry) => {
    const { job, object } = entry;
    if (entry.verb !== 'create') return [];
    const name = nameOf(object);
    if (!job)
      return [violation(entry, `the controller created ${name} without a controller reference to a Job`)];
    const versions = versionsFor(history, job, entry).flatMap((version) => version ?? []);
    const wrong = (versions.length > 0 ? versions : [job.last]).map((version) => difference(version, object));
    if (wrong.includes(undefined)) return [];
    return [violation(entry, `the controller created ${name}, but ${wrong[0]}`)];
  });

/** Describes the first part of a pod that is wrong; undefined if all are right. */
function difference(job: Job, pod: Pod): string | undefined {
  const isIndexed = job.spec.completionMode === 'Indexed';
  const index = indexOf(pod);
  const prefix = isIndexed ? `${nameOf(job)}-${index}-` : `${nameOf(job)}-`;
  const { metadata = {}, spec } = job.spec.template;
  const mark = isIndexed ? { [INDEX]: String(index) } : {};
  const { annotations: { [FAILURES]: _, [IGNORED]: __, ...annotations } = {} } = pod.metadata;
  const reference = controllerOf(pod);
  if (pod.metadata.generateName !== prefix)
    return `its generateName is ${JSON.stringify(pod.metadata.generateName)}; expected ${JSON.stringify(prefix)}`;
  if (!deepEqual({ ...metadata.labels, ...mark }, pod.metadata.labels ?? {}))
    return 'its labels differ from the template';
  if (!deepEqual({ ...metadata.annotations, ...mark }, annotations))
    return 'its annotations differ from the template';
  if (
    !deepEqual([...(metadata.finalizers ?? []), TRACKING].sort(), [...(pod.metadata.finalizers ?? [])].sort())
  )
    return `its finalizers are ${JSON.stringify(pod.metadata.finalizers ?? [])}; expected ${TRACKING}`;
  if (!reference?.blockOwnerDeletion || reference.apiVersion !== 'batch/v1' || reference.name !== nameOf(job))
    return 'its controller reference is incomplete';
  if (isIndexed && pod.spec.hostname !== `${nameOf(job)}-${index}`)
    return `its hostname is ${pod.spec.hostname}`;
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
  const without = containers.find(
    ({ env = [] }) => env.some(({ name }) => name === 'JOB_COMPLETION_INDEX') !== isIndexed,
  );
  if (without)
    return `its container ${without.name} has ${isIndexed ? 'no' : 'a'} variable JOB_COMPLETION_INDEX`;
  const parts = Object.entries(spec ?? {}).filter(
    ([part]) => part !== 'containers' && part !== 'initContainers',
  );
  const part = parts.find(([part, value]) => !deepEqual(value, pod.spec[part as keyof typeof pod.spec]));
  if (part) return `its spec.${part[0]} differs from the template`;
  return pod.spec.containers[0]?.image === spec?.containers[0]?.image
    ? undefined
    : 'its image differs from the template';
}

const FAILURES = 'batch.kubernetes.io/job-index-failure-count';
const IGNORED = 'batch.kubernetes.io/job-index-ignored-failure-count';

/** A suspended Job ends before it has started: see `endsUnstarted` of the oracle. */
const UNSTARTED = 'status.startTime: Required value';

/** The server never refuses a request as invalid. */
export const validRequests: JobLaw = ({ requests }) =>
  requests.flatMap(({ error, verb, resource, name = '', answeredMs = 0 }) =>
    hasReason(error, 'Invalid', 'BadRequest') && !error.message.includes(UNSTARTED)
      ? [
          {
            atMs: answeredMs,
            message: `the server refused ${verb} ${resource} ${name}: ${error.message}`,
            object: name,
          },
        ]
      : [],
  );
