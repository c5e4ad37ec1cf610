import type { Job, Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Violation } from '../../../testing/holds.ts';
import {
  type JobLaw,
  jobWrites,
  nameOf,
  type PodWrite,
  podWrites,
  versionsFor,
  violation,
} from '../history.ts';
import {
  indexOf,
  isFinished,
  isManaged,
  isOutOfRange,
  isTracked,
  jobOf,
  parseIndexes,
  uncounted,
} from '../oracle/pods.ts';
import { actionFor } from '../oracle/policies.ts';

/**
 * Each pod is counted once. A counter grows by one for each UID that leaves its list, a UID leaves the list only after
 * its pod has lost the finalizer, and it never enters a list again.
 */
export const countedOnce: JobLaw = (history) => {
  const left = new Set<string>();
  return jobWrites(history).flatMap((entry) => {
    if (!entry.previous || entry.type === 'DELETED') return [];
    const [now, before] = [uncounted(entry.object), uncounted(entry.previous)];
    const listed = [...now.succeeded, ...now.failed];
    const were = [...before.succeeded, ...before.failed];
    const gone = were.filter((uid) => !listed.includes(uid));
    const podName = (uid: string): string => history.pods.of(uid)?.last.metadata.name ?? uid;
    const violations: Violation[] = [];
    const say = (message: string): void => {
      violations.push(violation(entry, message));
    };
    for (const [at, uid] of listed.entries()) {
      if (listed.indexOf(uid) !== at) say(`uncountedTerminatedPods lists ${podName(uid)} twice`);
      else if (left.has(`${entry.object.metadata.uid} ${uid}`))
        say(`uncountedTerminatedPods lists ${podName(uid)} again, although the counters include it already`);
    }
    for (const uid of gone) {
      left.add(`${entry.object.metadata.uid} ${uid}`);
      const pod = history.pods.of(uid)?.at(entry.revision);
      if (pod && isTracked(pod))
        say(
          `the UID of ${nameOf(pod)} left uncountedTerminatedPods, but the pod still has the finalizer: after a crash it is counted again`,
        );
    }
    return [...violations, ...counterErrors(entry, entry.previous)];
  });
};

/** Compares the counters with the UIDs that left the lists. */
function counterErrors(entry: JournalEntry<Job>, previous: Job): readonly Violation[] {
  const { object } = entry;
  const [now, before] = [uncounted(object), uncounted(previous)];
  const fields =
    object.spec.completionMode === 'Indexed' ? (['failed'] as const) : (['failed', 'succeeded'] as const);
  return fields.flatMap((field) => {
    const settled = before[field].filter((uid) => !now[field].includes(uid)).length;
    const old = previous.status[field] ?? 0;
    const current = object.status[field] ?? 0;
    if (current === old + settled) return [];
    return [
      violation(
        entry,
        `status.${field} of ${nameOf(object)} changed from ${old} to ${current}, but ${settled} UIDs left uncountedTerminatedPods.${field}; expected ${old + settled}`,
      ),
    ];
  });
}

/** A pod that has ended loses the finalizer only after the stored status counts it. */
export const neverLost: JobLaw = (history) =>
  podWrites(history).flatMap((entry) => {
    const { previous: pod, job, revision } = entry;
    if (!pod || !isReleased(entry) || !job) return [];
    const versions = versionsFor(history, job, entry);
    const states =
      history.pods.of(pod.metadata.uid)?.statesBetween(history.knowledge(entry.atMs).pods, revision - 1) ??
      [];
    if (!versions.every((version) => version && mustCount(version, states))) return [];
    const stored = job.at(revision);
    if (!stored || isCounted(stored, pod)) return [];
    return [
      violation(
        entry,
        `the controller removed the finalizer of ${nameOf(pod)} (${pod.status.phase}) before the stored status of ${nameOf(stored)} counted it: after a crash the pod is lost`,
      ),
    ];
  });

function isReleased({ previous, object, type }: PodWrite): boolean {
  return previous !== undefined && isTracked(previous) && (type === 'DELETED' || !isTracked(object));
}

/** Tests whether the controller must have known that the pod had ended, and that the Job goes on. */
function mustCount(job: Job, states: readonly Pod[]): boolean {
  if (isFinished(job) || job.metadata.deletionTimestamp || !isManaged(job)) return false;
  return states.every((pod) => hasEnded(pod) && jobOf(pod) === job.metadata.uid && !isOutOfRange(job, pod));
}

function isCounted(job: Job, pod: Pod): boolean {
  const { uid } = pod.metadata;
  const { succeeded, failed } = uncounted(job);
  if (failed.includes(uid)) return true;
  if (pod.status.phase === 'Failed') return actionFor(job, pod) === 'Ignore';
  if (job.spec.completionMode !== 'Indexed') return succeeded.includes(uid);
  return parseIndexes(job.status.completedIndexes)?.includes(indexOf(pod) ?? -1) ?? false;
}

/** Each UID in a list belongs to a pod of the Job that has ended as the list says. */
export const countsTruly: JobLaw = (history) =>
  jobWrites(history).flatMap((entry) => {
    const { object, previous, revision, type } = entry;
    if (!previous || type === 'DELETED') return [];
    const [now, before] = [uncounted(object), uncounted(previous)];
    const isFailing = object.status.conditions?.some((each) => each.type === 'FailureTarget') ?? false;
    return (['succeeded', 'failed'] as const).flatMap((list) =>
      now[list]
        .filter((uid) => !before[list].includes(uid))
        .flatMap((uid) => {
          const states = history.pods.of(uid)?.versions.filter((version) => version.revision <= revision);
          const pods = (states ?? []).flatMap((version) => version.object ?? []);
          const owned = pods.filter((pod) => jobOf(pod) === object.metadata.uid);
          if (owned.length === 0)
            return [
              violation(
                entry,
                `uncountedTerminatedPods.${list} lists ${uid}, which is no pod of ${nameOf(object)}`,
              ),
            ];
          const isTrue = (pod: Pod): boolean =>
            list === 'succeeded'
              ? pod.status.phase === 'Succeeded'
              : isFailing || pod.status.phase === 'Failed' || isDeletedFailure(object, pod);
          if (owned.some(isTrue)) return [];
          const [pod = owned[0] as Pod] = owned.slice(-1);
          return [
            violation(
              entry,
              `uncountedTerminatedPods.${list} lists ${nameOf(pod)}, whose phase is ${pod.status.phase}${pod.metadata.deletionTimestamp ? ' and which is being deleted' : ''}`,
            ),
          ];
        }),
    );
  });

/** A deleted pod has failed at once, unless the Job waits for its end. */
function isDeletedFailure({ spec }: Job, { metadata, status }: Pod): boolean {
  const waits = spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined;
  return !waits && metadata.deletionTimestamp !== undefined && status.phase !== 'Succeeded';
}
