import type { Job, Pod } from '../../../api/objects.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { ObjectHistory } from '../../../testing/rig/object-history.ts';
import { type JobHistory, type JobLaw, nameOf, podWrites, violation } from '../history.ts';
import { PROCESS } from '../operations.ts';
import { backoffMs, finishedMs } from '../oracle/counts.ts';
import { isEnding, isFinished, isManaged, isTracked, jobOf, uncounted } from '../oracle/pods.ts';
import { createsOf } from './known.ts';

/**
 * After the k-th consecutive failure that this incarnation has counted, the next pod comes at the earliest
 * 10 s · 2^(k−1) after the last end, and at most 600 s after it.
 */
export const waits: JobLaw = (history) =>
  podWrites(history).flatMap((entry) => {
    const { job, verb, object } = entry;
    if (verb !== 'create' || !job || job.last.spec.backoffLimitPerIndex !== undefined) return [];
    const sentMs = createsOf(history).get(object.metadata.uid)?.sentMs ?? entry.atMs;
    const failures = knownFailures(history, job, entry.atMs);
    if (failures.length === 0) return [];
    const lastMs = Math.max(...failures) - history.epochMs;
    const dueMs = lastMs + backoffMs(failures.length);
    if (sentMs >= dueMs) return [];
    return [
      violation(
        entry,
        `the controller created ${nameOf(object)} ${sentMs - lastMs} ms after the last of ${failures.length} consecutive failures of ${nameOf(job.last)}; expected at least ${backoffMs(failures.length)} ms`,
      ),
    ];
  });

/** Returns the ends of the consecutive failures that this incarnation must know, in ms since 1970. */
function knownFailures(history: JobHistory, job: ObjectHistory<Job>, atMs: number): readonly number[] {
  const { pods: told, bornMs } = history.knowledge(atMs);
  const ended = history.pods.all.flatMap((pod) => {
    const end = pod.versions.find(({ object }) => object && ENDED.has(object.status.phase ?? ''));
    // A user may have removed the owner for a while.
    const wasOwned = pod.versions.some(({ object }) => jobOf(object) === job.id);
    return end?.object && wasOwned ? [{ end, pod, object: end.object }] : [];
  });
  const successes = ended.filter(({ object }) => object.status.phase === 'Succeeded');
  const lastSuccess = {
    revision: Math.max(0, ...successes.map(({ end }) => end.revision)),
    atMs: Math.max(0, ...successes.map(({ object }) => finishedMs(object) ?? 0)),
  };
  return ended.flatMap(({ end, pod, object }) => {
    const finished = finishedMs(object);
    if (object.status.phase !== 'Failed' || finished === undefined || end.revision > told) return [];
    // The controller deleted it, and does not count it.
    if (!isTracked(object) || jobOf(object) !== job.id) return [];
    if (end.revision < lastSuccess.revision || finished <= lastSuccess.atMs) return [];
    return isNewTo(history, job, pod, bornMs) ? [finished] : [];
  });
}

const ENDED: ReadonlySet<string> = new Set(['Succeeded', 'Failed']);

/** Tests whether the pod was not counted yet when this incarnation started. */
function isNewTo(
  { pods }: JobHistory,
  job: ObjectHistory<Job>,
  pod: ObjectHistory<Pod>,
  bornMs: number,
): boolean {
  const then = pods.of(pod.id)?.atMs(bornMs);
  const born = pod.versions[0];
  if (!then) return born !== undefined && born.atMs > bornMs && isTracked(born.object as Pod);
  const status = job.atMs(bornMs);
  const isListed = status ? uncounted(status).failed.includes(pod.id) : false;
  return isTracked(then) && !isListed;
}

/** The time in which a controller without faults reacts to a change of a spec: some requests, but not the delay of pod events. */
const AT_ONCE_MS = 600;

/** A controller without faults acts at once on a new Job and on a change of the spec. */
export const startsAtOnce: JobLaw = (history) => {
  if (history.hasFaults) return [];
  return history.jobs.all.flatMap((job) => {
    if (!isManaged(job.last)) return [];
    const [first] = job.versions;
    if (!first?.object || first.object.spec.suspend || first.object.spec.parallelism === 0) return [];
    const hadLongerLife = (job.end?.atMs ?? history.leftMs) > first.atMs + AT_ONCE_MS;
    const hadPeace = job.versions.every(
      ({ actor, atMs, revision }) =>
        actor === PROCESS || revision === first.revision || atMs > first.atMs + AT_ONCE_MS,
    );
    const isWritten = history.journal.some(
      ({ actor, atMs, object, verb }) =>
        actor === PROCESS &&
        (verb === 'create' || verb === 'patch') &&
        atMs >= first.atMs &&
        atMs <= first.atMs + AT_ONCE_MS &&
        jobOf(object as Pod) === job.id,
    );
    if (!hadLongerLife || !hadPeace || isWritten || first.object.spec.completions === 0) return [];
    const message = `${nameOf(job.last)} was created at ${first.atMs} ms, but ${AT_ONCE_MS} ms later the controller has not created its first pod`;
    return [{ atMs: first.atMs + AT_ONCE_MS, message, object: nameOf(job.last) }];
  });
};

/** The time after a deadline in which a controller without faults sets the condition. */
const DEADLINE_MS = 1_500;

/** A controller without faults ends a Job soon after its deadline, whatever happens to the pods meanwhile. */
export const keepsDeadlines: JobLaw = (history) => {
  if (history.hasFaults) return [];
  return history.jobs.all.flatMap((job) => lateEnds(history, job));
};

function lateEnds(history: JobHistory, job: ObjectHistory<Job>): readonly Violation[] {
  let since = { key: '', atMs: 0 };
  for (const [at, { object, atMs }] of job.versions.entries()) {
    if (!object || !isManaged(object)) return [];
    const { suspend, activeDeadlineSeconds } = object.spec;
    const key = JSON.stringify([suspend, activeDeadlineSeconds, object.status.startTime]);
    if (key !== since.key) since = { key, atMs };
    const dueMs = dueOf(object, history.epochMs);
    const untilMs = job.versions[at + 1]?.atMs ?? history.leftMs;
    if (dueMs === undefined || untilMs <= Math.max(dueMs, since.atMs) + DEADLINE_MS) continue;
    const message = `the deadline of ${nameOf(object)} passed at ${dueMs} ms, but the condition FailureTarget is missing`;
    return [{ atMs: Math.max(dueMs, since.atMs) + DEADLINE_MS, message, object: nameOf(object) }];
  }
  return [];
}

/** Returns the time of the Job's deadline in virtual ms; undefined without one. */
function dueOf(job: Job, epochMs: number): number | undefined {
  const { suspend, activeDeadlineSeconds } = job.spec;
  const { startTime } = job.status;
  const isRunning = !suspend && !isEnding(job) && !isFinished(job) && !job.metadata.deletionTimestamp;
  if (!isRunning || activeDeadlineSeconds === undefined || !startTime) return undefined;
  return Date.parse(startTime) + activeDeadlineSeconds * 1_000 - epochMs;
}
