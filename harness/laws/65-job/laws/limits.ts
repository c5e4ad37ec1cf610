import type { Job, Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import {
  type JobHistory,
  type JobLaw,
  nameOf,
  type PodWrite,
  podWrites,
  versionsFor,
  violation,
} from '../history.ts';
import { succeededOf } from '../oracle/counts.ts';
import {
  indexOf,
  isActive,
  isTracked,
  jobOf,
  parseIndexes,
  replacesOnlyEnded,
  uncounted,
} from '../oracle/pods.ts';
import { knownPods } from './known.ts';

/**
 * After each create, the Job has at most `parallelism` active pods, and no more than the completions that are missing.
 * The values may be any that the controller can have read. Pods that it cannot know do not count.
 */
export const neverTooMany: JobLaw = (history) =>
  creates(history).flatMap((entry) => {
    const { job, object } = entry;
    if (!job) return [];
    const live = liveAt(history, entry, job.last);
    const versions = versionsFor(history, job, entry).flatMap((version) => version ?? []);
    const wanted = Math.max(0, ...versions.map((version) => wantedFor(history, version, entry)));
    if (live.length <= wanted) return [];
    return [
      violation(
        entry,
        `the controller created ${nameOf(object)}: ${nameOf(job.last)} then has ${live.length} pods that have not ended (${live.map(nameOf).join(', ')}), but it needs ${wanted}`,
      ),
    ];
  });

/** An index has one pod at a time, and a completed index gets none. */
export const onePodPerIndex: JobLaw = (history) =>
  creates(history).flatMap((entry) => {
    const { job, object } = entry;
    const index = indexOf(object);
    if (job?.last.spec.completionMode !== 'Indexed') return [];
    const versions = versionsFor(history, job, entry).flatMap((version) => version ?? []);
    if (index === undefined || versions.every(({ spec }) => index >= (spec.completions ?? 0)))
      return [
        violation(
          entry,
          `the controller created ${nameOf(object)} with index ${index}, which ${nameOf(job.last)} does not have`,
        ),
      ];
    const twin = liveAt(history, entry, job.last).find(
      (pod) => pod.metadata.uid !== object.metadata.uid && indexOf(pod) === index,
    );
    if (twin)
      return [
        violation(
          entry,
          `the controller created ${nameOf(object)} for index ${index}, although ${nameOf(twin)} has not ended`,
        ),
      ];
    const isDone = versions.every(({ status }) => parseIndexes(status.completedIndexes)?.includes(index));
    return isDone && versions.length > 0
      ? [violation(entry, `the controller created ${nameOf(object)} for index ${index}, which is complete`)]
      : [];
  });

/** A suspended Job gets no pod. */
export const suspendedHasNone: JobLaw = (history) =>
  creates(history).flatMap((entry) => {
    if (!entry.job) return [];
    const versions = versionsFor(history, entry.job, entry).flatMap((version) => version ?? []);
    if (versions.length === 0 || !versions.every(({ spec }) => spec.suspend)) return [];
    return [
      violation(
        entry,
        `the controller created ${nameOf(entry.object)}, although ${nameOf(entry.job.last)} is suspended`,
      ),
    ];
  });

/** A pod that the controller deletes because the Job is suspended or smaller loses its finalizer before: it is no failure. */
export const removedIsNoFailure: JobLaw = (history) =>
  podWrites(history).flatMap((entry) => {
    const { job, previous, object, verb } = entry;
    if (verb !== 'delete' || !job || !previous || previous.metadata.deletionTimestamp) return [];
    const versions = versionsFor(history, job, entry);
    const goesOn = (version: Job | undefined): boolean =>
      version !== undefined &&
      !version.status.conditions?.some(({ type }) => ENDS.has(type)) &&
      !isPastEnd(version, history, entry);
    if (!versions.every(goesOn) || !isTracked(previous) || hasEnded(previous)) return [];
    const later = job.versions.filter((version) => version.revision > entry.revision);
    const isCounted = later.some(
      (version) => version.object && uncounted(version.object).failed.includes(object.metadata.uid),
    );
    return isCounted
      ? [
          violation(
            entry,
            `the controller deleted ${nameOf(object)}, which still had the finalizer, and later counted it as a failure of ${nameOf(job.last)}`,
          ),
        ]
      : [];
  });

/**
 * A Job that goes on loses a pod only if it has more active pods than it needs. A work queue with a success needs all its
 * pods. The values are those that favour the deletion. Jobs with indexes, deadlines or changed limits have other reasons,
 * and do not count.
 */
export const deletesForAReason: JobLaw = (history) =>
  podWrites(history).flatMap((entry) => {
    const { job, previous, object, verb } = entry;
    if (verb !== 'delete' || !job || !previous || !isActive(previous)) return [];
    const all = job.versions.map((version) => version.object);
    const limits = new Set(all.map((version) => version?.spec.backoffLimit));
    if (limits.size > 1 || !all.every((version) => version && hasPlainReasons(version))) return [];
    const versions = versionsFor(history, job, entry);
    // A controller deletes the pods of a Job that fails before it stores the condition.
    const fails = all.some((version) => version?.status.conditions?.some(({ type }) => FAILURES.has(type)));
    const goesOn = versions.every(
      (version) =>
        version && !version.spec.suspend && !version.status.conditions?.some(({ type }) => ENDS.has(type)),
    );
    if (fails || !goesOn) return [];
    const active = everActive(history, entry, job.last);
    const wanted = Math.min(...versions.map((version) => leastWanted(history, version as Job, entry)));
    if (active > wanted) return [];
    const reason = Number.isFinite(wanted)
      ? `${nameOf(job.last)} had only ${active} active pods, and needed ${wanted}`
      : `the work queue ${nameOf(job.last)} has a success: each of its other pods ends by itself`;
    return [violation(entry, `the controller deleted ${nameOf(object)}, although ${reason}`)];
  });

function hasPlainReasons({ metadata, spec }: Job): boolean {
  return (
    metadata.deletionTimestamp === undefined &&
    spec.completionMode !== 'Indexed' &&
    spec.activeDeadlineSeconds === undefined &&
    spec.podFailurePolicy === undefined
  );
}

/** Returns the number of pods of the Job that were active in a state that the controller can have used. */
function everActive(history: JobHistory, { atMs, revision }: PodWrite, { metadata }: Job): number {
  const told = history.knowledge(atMs).pods;
  return history.pods.all.filter((pod) =>
    pod.statesBetween(told, revision).some((state) => jobOf(state) === metadata.uid && isActive(state)),
  ).length;
}

/**
 * Returns the lowest number of pods that this version of the Job may need: every success counts. It is infinite for a work
 * queue whose success the controller must know.
 */
function leastWanted(history: JobHistory, job: Job, entry: PodWrite): number {
  const { parallelism = 1, completions } = job.spec;
  if (completions === undefined)
    return succeededOf(job) + knownSuccesses(history, job, entry) > 0
      ? Number.POSITIVE_INFINITY
      : parallelism;
  const fresh = history.pods.all.filter((pod) => {
    const now = pod.at(entry.revision);
    return now && jobOf(now) === job.metadata.uid && now.status.phase === 'Succeeded' && isTracked(now);
  });
  return Math.max(0, Math.min(parallelism, completions - succeededOf(job) - fresh.length));
}

const FAILURES: ReadonlySet<string> = new Set(['FailureTarget', 'Failed']);
const ENDS: ReadonlySet<string> = new Set([...FAILURES, 'SuccessCriteriaMet', 'Complete']);

/** Tests whether the Job ends later on: the controller deletes its pods before it stores the condition. */
function isPastEnd({ metadata }: Job, history: JobHistory, { atMs }: PodWrite): boolean {
  const versions = history.jobs.of(metadata.uid)?.versions ?? [];
  return versions.some(
    (version) =>
      version.atMs >= atMs && version.object?.status.conditions?.some(({ type }) => ENDS.has(type)),
  );
}

function creates(history: JobHistory): readonly PodWrite[] {
  return podWrites(history).filter(({ verb }) => verb === 'create');
}

/** Returns the known pods of the Job that count against its parallelism right after a create. */
function liveAt(history: JobHistory, entry: PodWrite, job: Job): readonly Pod[] {
  const counts = replacesOnlyEnded(job) ? (pod: Pod) => !hasEnded(pod) : isActive;
  const others = knownPods(history, job.metadata.uid, entry).map(({ now }) => now);
  return [
    ...others.filter(({ metadata }) => metadata.uid !== entry.object.metadata.uid),
    entry.object,
  ].filter(counts);
}

/** Returns the number of pods that this version of the Job needs, with the successes that the controller must know. */
function wantedFor(history: JobHistory, job: Job, entry: PodWrite): number {
  const { parallelism = 1, completions } = job.spec;
  const succeeded = succeededOf(job) + knownSuccesses(history, job, entry);
  if (completions === undefined) return succeeded > 0 ? 0 : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

/** Returns the number of succeeded pods that the controller must have seen, and that the status does not list. */
function knownSuccesses(history: JobHistory, job: Job, { atMs, revision }: PodWrite): number {
  if (job.spec.completionMode === 'Indexed') return 0;
  const told = history.knowledge(atMs).pods;
  const listed = new Set(uncounted(job).succeeded);
  return history.pods.all.filter((pod) => {
    const then = pod.at(told);
    const now = pod.at(revision);
    const hasSucceeded =
      then !== undefined && jobOf(then) === job.metadata.uid && then.status.phase === 'Succeeded';
    return hasSucceeded && isTracked(then) && now && isTracked(now) && !listed.has(pod.id);
  }).length;
}
