import type { Job } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
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
import { failedOf, succeededOf } from '../oracle/counts.ts';
import { isEnding, isFinished, isTracked, isTrue, jobOf } from '../oracle/pods.ts';
import { createsOf, knownPods } from './known.ts';

const FINAL = ['FailureTarget', 'SuccessCriteriaMet', 'Failed', 'Complete'] as const;

/** After the end is decided, the Job gets no pod, and no condition of the end goes away. */
export const endIsEnd: JobLaw = (history) => [
  ...podWrites(history)
    .filter(({ verb }) => verb === 'create')
    .flatMap((entry) => {
      if (!entry.job || !knewEnd(history, entry)) return [];
      return [
        violation(
          entry,
          `the controller created ${nameOf(entry.object)}, although the end of ${nameOf(entry.job.last)} was decided: ${conditionsOf(entry.job.at(entry.revision))}`,
        ),
      ];
    }),
  ...jobWrites(history).flatMap((entry) => {
    const { previous, object, type } = entry;
    if (!previous || type === 'DELETED') return [];
    const lost = FINAL.find((each) => isTrue(previous, each) && !isTrue(object, each));
    return lost
      ? [violation(entry, `the controller removed the condition ${lost} of ${nameOf(object)}`)]
      : [];
  }),
];

/** Tests whether every version that the controller can have used shows the end, or its own write stored the end. */
function knewEnd(history: JobHistory, entry: PodWrite): boolean {
  const { job, object } = entry;
  if (!job) return false;
  const versions = versionsFor(history, job, entry).flatMap((version) => version ?? []);
  if (versions.length > 0 && versions.every(isEnding)) return true;
  const create = createsOf(history).get(object.metadata.uid);
  if (!create) return false;
  return history.requests.some(
    ({ resource, answer, answeredMs = Infinity, incarnation }) =>
      resource === 'jobs' &&
      incarnation === create.incarnation &&
      answeredMs < create.sentMs &&
      (answer as Job | undefined)?.metadata?.uid === job.id &&
      isEnding(answer as Job),
  );
}

function conditionsOf(job: Job | undefined): string {
  return (job?.status.conditions ?? []).map(({ type, status }) => `${type}=${status}`).join(', ');
}

/** The last condition comes last: all pods have ended, are counted, and have no finalizer. */
export const endsLast: JobLaw = (history) =>
  jobWrites(history).flatMap((entry) => {
    const { object, previous } = entry;
    if (!previous || isFinished(previous) || !isFinished(object)) return [];
    const pods = knownPods(history, object.metadata.uid, entry).map(({ now }) => now);
    const live = pods.find((pod) => !hasEnded(pod));
    const held = pods.find(isTracked);
    const condition = isTrue(object, 'Failed') ? 'Failed' : 'Complete';
    if (live)
      return [violation(entry, `the controller set ${condition}, although ${nameOf(live)} has not ended`)];
    if (held)
      return [
        violation(entry, `the controller set ${condition}, although ${nameOf(held)} still has the finalizer`),
      ];
    return [];
  });

/** The reason of an end is true: the counters, the deadline or the policies show it. */
export const endsForAReason: JobLaw = (history) =>
  jobWrites(history).flatMap((entry) => {
    const { object, previous, type } = entry;
    if (!previous || type === 'DELETED') return [];
    const interim = object.status.conditions?.find(
      (each) =>
        (each.type === 'FailureTarget' || each.type === 'SuccessCriteriaMet') && each.status === 'True',
    );
    const last = object.status.conditions?.find(({ type }) => type === 'Failed' || type === 'Complete');
    if (last && !isFinished(previous) && last.reason !== interim?.reason)
      return [
        violation(
          entry,
          `the condition ${last.type} has the reason ${last.reason}, but ${interim?.type ?? 'no earlier condition'} has ${interim?.reason}`,
        ),
      ];
    if (!interim || isTrue(previous, interim.type)) return [];
    const { reason = '' } = interim;
    const wrong = unfounded(history, entry, previous, reason);
    return wrong === undefined
      ? []
      : [violation(entry, `the controller set ${interim.type} with reason ${reason}, but ${wrong}`)];
  });

/** Explains why a reason is wrong; undefined if it is right. */
function unfounded(
  history: JobHistory,
  entry: JournalEntry<Job>,
  previous: Job,
  reason: string,
): string | undefined {
  const { object, atMs, revision } = entry;
  const { backoffLimit = 6, completions, activeDeadlineSeconds = Infinity, template } = object.spec;
  switch (reason) {
    case 'BackoffLimitExceeded': {
      const failed = failedOf(object);
      if (failed > backoffLimit) return undefined;
      if (template.spec?.restartPolicy === 'OnFailure') {
        const restarts = mostRestarts(history, object, revision);
        if (restarts > 0 && restarts >= backoffLimit) return undefined;
        return `${failed} pods have failed with ${restarts} restarts, and backoffLimit is ${backoffLimit}`;
      }
      return `${failed} pods have failed, and backoffLimit is ${backoffLimit}`;
    }
    case 'DeadlineExceeded': {
      const startTime = previous.status.startTime ?? object.status.startTime;
      const dueMs = Date.parse(startTime ?? '') + activeDeadlineSeconds * 1_000 - history.epochMs;
      return atMs >= dueMs ? undefined : `the deadline is at ${dueMs} ms`;
    }
    case 'CompletionsReached': {
      const succeeded = succeededOf(object);
      if (completions === undefined ? succeeded > 0 : succeeded >= completions) return undefined;
      return `${succeeded} pods have succeeded, and completions is ${completions}`;
    }
    default:
      return KNOWN.has(reason) ? undefined : 'this is no reason for an end';
  }
}

/** The reasons of optional policies, which other laws check. */
const KNOWN: ReadonlySet<string> = new Set([
  'PodFailurePolicy',
  'SuccessPolicy',
  'FailedIndexes',
  'MaxFailedIndexesExceeded',
]);

/** Returns the largest number of restarts that the controller can have seen. */
function mostRestarts(history: JobHistory, job: Job, revision: number): number {
  return history.pods.all.reduce((sum, pod) => {
    const states = pod.versions.flatMap((version) =>
      version.object && version.revision <= revision && jobOf(version.object) === job.metadata.uid
        ? [version.object.status]
        : [],
    );
    const counts = states.map(({ containerStatuses = [], initContainerStatuses = [] }) =>
      [...containerStatuses, ...initContainerStatuses].reduce(
        (each, { restartCount }) => each + restartCount,
        0,
      ),
    );
    return sum + Math.max(0, ...counts);
  }, 0);
}
