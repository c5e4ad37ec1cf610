import type { CronJob, Job } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { finishedCondition } from '../../contracts/job/facts.ts';
import { formatTime } from '../../sim/clock.ts';
import { type Law, lawAbout, type Violation } from '../../testing/holds.ts';
import { reachesRest, staysQuiet } from '../../testing/rig/rest-laws.ts';
import { latestTime, scheduledTimeOf } from './oracle.ts';
import { PERIODS, PROCESS, type Schedule } from './scenario.ts';
import type { CronJobHistory } from './simulation.ts';

type JobWrite = JournalEntry<Job>;

/** A decision is based on a state that was true up to this long before its write. */
const LATE_MS = 1_000;

/** Safety: no Job is created for a time that `status.lastScheduleTime` already covers. */
export const once: Law<CronJobHistory> = (history) =>
  creations(history).flatMap(({ entry, scheduledMs, cronJob }): Violation[] => {
    const { lastScheduleTime } = cronJob.status;
    if (!lastScheduleTime || Date.parse(lastScheduleTime) < scheduledMs) return [];
    return [violation(entry, `is created, although lastScheduleTime is already ${lastScheduleTime}`)];
  });

/** Safety: a Job is created for the latest scheduled time, never early, and within the deadline. */
export const scheduled: Law<CronJobHistory> = (history) =>
  creations(history).flatMap(({ entry, scheduledMs, seen }): Violation[] => {
    const nowMs = history.epochMs + entry.atMs;
    const time = formatTime(scheduledMs);
    if (nowMs < scheduledMs) return [violation(entry, `is created before its time ${time}`)];
    const isLatest = seen.some(
      (each) => latestTime(each, nowMs) === scheduledMs || latestTime(each, nowMs - LATE_MS) === scheduledMs,
    );
    if (!isLatest) return [violation(entry, `is for ${time}, which is not the latest scheduled time`)];
    const lateMs = nowMs - scheduledMs;
    const isInTime = seen.some(
      ({ metadata, spec: { startingDeadlineSeconds = Number.POSITIVE_INFINITY } }) =>
        lateMs <= startingDeadlineSeconds * 1_000 + LATE_MS &&
        Date.parse(metadata.creationTimestamp) < scheduledMs,
    );
    return isInTime ? [] : [violation(entry, `is created ${lateMs} ms after its time, which is too late`)];
  });

/** Safety: nothing is created while the CronJob is suspended. */
export const suspended: Law<CronJobHistory> = lawAbout(
  {
    name: 'a suspended CronJob with a Job that is due',
    isMet: ({ cronJobs, suspendedMs }) =>
      cronJobs.some(({ object, atMs }) => object.spec.suspend && atMs < suspendedMs),
  },
  (history) =>
    creations(history)
      .filter(({ seen }) => seen.every(({ spec }) => spec.suspend))
      .map(({ entry }) => violation(entry, 'is created, although the CronJob is suspended')),
);

/** Safety: with the policies Forbid and Replace, no Job starts while an active one runs. */
export const alone: Law<CronJobHistory> = lawAbout(
  {
    name: 'a Job that still ran when the next one was due, with Forbid or Replace',
    isMet: (history) =>
      history.jobs.some(
        ({ actor, verb, object }) => actor === PROCESS && verb === 'delete' && !finishedCondition(object),
      ),
  },
  (history) =>
    creations(history).flatMap(({ entry, cronJob, seen }): Violation[] => {
      if (seen.some(({ spec }) => spec.concurrencyPolicy === 'Allow')) return [];
      const running = (cronJob.status.active ?? []).filter(({ uid }) => {
        const job = stateOf(history.jobs, uid ?? '', entry.revision);
        return job && !finishedCondition(job) && job.metadata.deletionTimestamp === undefined;
      });
      return running.map(({ name }) => violation(entry, `is created while ${name} runs`));
    }),
);

/** Safety: the controller deletes only its own Jobs: running ones to replace them, and old ones beyond the limits. */
export const keeps: Law<CronJobHistory> = (history) =>
  history.jobs
    .filter(({ actor, verb, type }) => actor === PROCESS && verb === 'delete' && type === 'DELETED')
    .flatMap((entry): Violation[] => {
      const job = entry.previous ?? entry.object;
      const cronJob = ownerAt(history, job, entry.revision);
      if (!cronJob) return [violation(entry, 'is deleted, although it does not belong to the CronJob')];
      const type = finishedCondition(job)?.type;
      if (type === undefined) {
        const mayReplace = seenBefore(history, entry).some(
          ({ spec }) => spec.concurrencyPolicy === 'Replace',
        );
        return mayReplace ? [] : [violation(entry, 'is deleted, although it runs')];
      }
      const { successfulJobsHistoryLimit = 0, failedJobsHistoryLimit = 0 } = cronJob.spec;
      const limit = type === 'Complete' ? successfulJobsHistoryLimit : failedJobsHistoryLimit;
      const newer = newerOf(history, entry, type).length;
      if (newer >= limit) return [];
      return [
        violation(entry, `is deleted, although only ${newer} newer Jobs are ${type}, and ${limit} stay`),
      ];
    });

/** Safety: Jobs are deleted by uid, and their pods in the background. */
export const gentle: Law<CronJobHistory> = ({ requests }) =>
  requests.flatMap(({ verb, resource, name = '', request, sentMs }): Violation[] => {
    if (verb !== 'delete' || resource !== 'jobs') return [];
    const { options } = request as {
      readonly options?: { propagationPolicy?: string; preconditions?: { uid?: string } };
    };
    const wrong =
      options?.propagationPolicy !== 'Background'
        ? 'without its pods'
        : options.preconditions?.uid === undefined
          ? 'without its uid'
          : undefined;
    if (wrong === undefined) return [];
    return [{ atMs: sentMs, message: `${name} is deleted ${wrong}`, object: name }];
  });

/**
 * Liveness: once faults have stopped, the latest missed Job has run if its deadline allows, and each Job is created
 * within a second of its time.
 */
export const onTime: Law<CronJobHistory> = ({ epochMs, steadyMs, steady, suspendedMs, jobs }) => {
  if (!steady) return [];
  const { spec, status, metadata } = steady;
  const periodMs = PERIODS[spec.schedule as Schedule] * 60_000;
  const first = latestTime(steady, epochMs + steadyMs - LATE_MS);
  const violations: Violation[] = [];
  const isDue = first > Date.parse(metadata.creationTimestamp) && spec.startingDeadlineSeconds === undefined;
  if (isDue && Date.parse(status.lastScheduleTime ?? metadata.creationTimestamp) < first) {
    violations.push({ atMs: steadyMs, message: `no Job was created for ${formatTime(first)}` });
  }
  for (let timeMs = first + periodMs; timeMs <= epochMs + suspendedMs - LATE_MS; timeMs += periodMs) {
    if (timeMs < epochMs + steadyMs) continue;
    const created = jobs.find(({ type, object }) => type === 'ADDED' && scheduledTimeOf(object) === timeMs);
    const atMs = timeMs - epochMs;
    if (created && created.atMs <= atMs + LATE_MS) continue;
    violations.push({ atMs, message: `no Job is created within a second of ${formatTime(timeMs)}` });
  }
  return violations;
};

/** Safety: the annotation of a Job names its scheduled time, and the status lists each created Job. */
export const recorded: Law<CronJobHistory> = (history) =>
  creations(history).flatMap(({ entry, scheduledMs }): Violation[] => {
    const annotation =
      entry.object.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'] ?? '';
    if (Date.parse(annotation) !== scheduledMs) {
      return [violation(entry, `has the scheduled time "${annotation}" in its annotation`)];
    }
    const isSteady = entry.atMs > history.steadyMs && entry.atMs < history.suspendedMs - LATE_MS;
    const isListed = history.cronJobs.some(({ object }) =>
      object.status.active?.some(({ uid }) => uid === entry.object.metadata.uid),
    );
    return isSteady && !isListed ? [violation(entry, 'never appears in status.active')] : [];
  });

/** Liveness: eventually the status is true, and the history has at most as many Jobs as its limits. */
export const atRest: Law<CronJobHistory> = reachesRest;

/** Liveness: after that, the controller sends no write, not even after a restart. */
export const quiet: Law<CronJobHistory> = staysQuiet;

interface Creation {
  readonly entry: JobWrite;
  readonly scheduledMs: number;
  /** The stored CronJob at the creation. */
  readonly cronJob: CronJob;
  /** The states of the CronJob that the controller may have based its decision on. */
  readonly seen: readonly CronJob[];
}

/** Returns the creations of the controller whose CronJob exists. */
function creations(history: CronJobHistory): readonly Creation[] {
  return history.jobs.flatMap((entry): Creation[] => {
    const { actor, type, object, revision } = entry;
    if (actor !== PROCESS || type !== 'ADDED') return [];
    const cronJob = ownerAt(history, object, revision);
    const scheduledMs = scheduledTimeOf(object) ?? Number.NaN;
    return cronJob ? [{ entry, scheduledMs, cronJob, seen: seenBefore(history, entry) }] : [];
  });
}

/** Returns the states of the owner of a Job from a second before a write until the write. */
function seenBefore({ cronJobs }: CronJobHistory, entry: JobWrite): readonly CronJob[] {
  const uid = controllerOf(entry.object)?.uid;
  const before = cronJobs.filter(
    ({ object, revision }) => object.metadata.uid === uid && revision < entry.revision,
  );
  return before
    .filter((_, i) => (before[i + 1]?.atMs ?? Number.POSITIVE_INFINITY) >= entry.atMs - LATE_MS)
    .map(({ object }) => object);
}

function ownerAt({ cronJobs }: CronJobHistory, job: Job, revision: number): CronJob | undefined {
  return stateOf(cronJobs, controllerOf(job)?.uid ?? '', revision);
}

/** Returns the state of an object just before a revision; undefined if it does not exist. */
function stateOf<T extends CronJob | Job>(
  entries: readonly JournalEntry<T>[],
  uid: string,
  revision: number,
): T | undefined {
  const last = entries.findLast((each) => each.object.metadata.uid === uid && each.revision < revision);
  return last === undefined || last.type === 'DELETED' ? undefined : last.object;
}

/** Returns the Jobs of the same owner that had ended in the same way before, and had not started earlier. */
function newerOf({ jobs }: CronJobHistory, entry: JobWrite, type: string): readonly string[] {
  const { object, revision } = entry;
  const uids = jobs
    .filter(
      (each) =>
        each.revision < revision &&
        each.object.metadata.uid !== object.metadata.uid &&
        controllerOf(each.object)?.uid === controllerOf(object)?.uid &&
        finishedCondition(each.object)?.type === type &&
        (each.object.status.startTime ?? '') >= (object.status.startTime ?? ''),
    )
    .map((each) => each.object.metadata.uid);
  return [...new Set(uids)];
}

function violation({ atMs, object }: JobWrite, what: string): Violation {
  const { name } = object.metadata;
  return { atMs, message: `${name} ${what}`, object: name };
}
