import type { Job, Pod } from '../../../api/objects.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import {
  type JobHistory,
  type JobLaw,
  jobWrites,
  nameOf,
  type PodWrite,
  podWrites,
  violation,
} from '../history.ts';
import { backoffMs, finishedMs, succeededOf } from '../oracle/counts.ts';
import {
  formatIndexes,
  indexOf,
  isFailed,
  isTracked,
  isTrue,
  jobOf,
  parseIndexes,
  uncounted,
} from '../oracle/pods.ts';
import { actionFor, failuresBefore, ignoredBefore, isLastFailure, successIn } from '../oracle/policies.ts';
import { createsOf } from './known.ts';

/** The pod failure policy decides: `FailJob` ends the Job, and an ignored failure is not counted. */
export const followsFailurePolicy: JobLaw = (history) =>
  jobWrites(history).flatMap((entry) => {
    const { object, previous, type } = entry;
    if (!previous || type === 'DELETED' || !object.spec.podFailurePolicy) return [];
    const failed = failedPods(history, entry);
    const started = startedEnd(object, previous);
    const mustFail = failed.find((pod) => actionFor(object, pod) === 'FailJob');
    if (started === 'PodFailurePolicy' && !mustFail)
      return [
        violation(
          entry,
          `the controller failed ${nameOf(object)} by its pod failure policy, but no pod matches a rule FailJob`,
        ),
      ];
    if (isTrue(object, 'FailureTarget')) return [];
    const before = uncounted(previous).failed;
    const ignored = uncounted(object)
      .failed.filter((uid) => !before.includes(uid))
      .flatMap((uid) => failed.find((pod) => pod.metadata.uid === uid) ?? [])
      .find((pod) => pod.status.phase === 'Failed' && actionFor(object, pod) === 'Ignore');
    return ignored
      ? [
          violation(
            entry,
            `the controller counted ${nameOf(ignored)} as failed, but the pod failure policy ignores it`,
          ),
        ]
      : [];
  });

/** The success policy decides: it ends the Job when a rule matches the completed indexes, and only then. */
export const followsSuccessPolicy: JobLaw = (history) =>
  jobWrites(history).flatMap((entry) => {
    const { object, previous } = entry;
    const reason = previous && startedEnd(object, previous);
    const match = successIn(object);
    const completed = `completedIndexes ${JSON.stringify(object.status.completedIndexes ?? '')}`;
    if (reason === 'SuccessPolicy' && !match)
      return [
        violation(
          entry,
          `the controller ended ${nameOf(object)} by its success policy, but no rule matches ${completed}`,
        ),
      ];
    if (reason === 'CompletionsReached' && match)
      return [
        violation(
          entry,
          `the controller ended ${nameOf(object)} by its completions, but rule ${match.rule} of its success policy matches ${completed}`,
        ),
      ];
    return [];
  });

/** `failedIndexes` names the indexes that have failed too often, and only these; they end the Job at the right time. */
export const trueFailedIndexes: JobLaw = (history) =>
  jobWrites(history).flatMap((entry) => {
    const { object, previous, type } = entry;
    const { backoffLimitPerIndex, completions = 0, maxFailedIndexes = Infinity } = object.spec;
    if (!previous || type === 'DELETED' || backoffLimitPerIndex === undefined) return [];
    const { failedIndexes: text = '', completedIndexes = '' } = object.status;
    const indexes = parseIndexes(text);
    if (!indexes || formatIndexes(indexes) !== text)
      return [
        violation(
          entry,
          `failedIndexes is ${JSON.stringify(text)}; expected ${JSON.stringify(formatIndexes(indexes ?? []))}`,
        ),
      ];
    const before = parseIndexes(previous.status.failedIndexes) ?? [];
    const failed = failedPods(history, entry);
    const unearned = indexes.find(
      (index) =>
        !before.includes(index) &&
        !failed.some((pod) => indexOf(pod) === index && isLastFailure(object, pod)),
    );
    if (unearned !== undefined)
      return [
        violation(
          entry,
          `failedIndexes has ${unearned}, but no pod of this index has failed more than ${backoffLimitPerIndex} times`,
        ),
      ];
    const both = indexes.find((index) => parseIndexes(completedIndexes)?.includes(index));
    if (both !== undefined)
      return [violation(entry, `index ${both} is in completedIndexes and in failedIndexes`)];
    const reason = startedEnd(object, previous);
    const ended = indexes.length + succeededOf(object);
    if (reason === 'FailedIndexes' && (indexes.length === 0 || ended < completions))
      return [
        violation(
          entry,
          `the controller set the reason FailedIndexes, but only ${ended} of ${completions} indexes have ended`,
        ),
      ];
    return reason === 'MaxFailedIndexesExceeded' && indexes.length <= maxFailedIndexes
      ? [
          violation(
            entry,
            `the controller set the reason MaxFailedIndexesExceeded, but ${indexes.length} indexes have failed`,
          ),
        ]
      : [];
  });

/** With a limit per index, a pod carries the failures of its index, and comes after the back-off of its index. */
export const waitsPerIndex: JobLaw = (history) =>
  podWrites(history).flatMap((entry) => {
    const { job, object, verb } = entry;
    if (verb !== 'create' || !job || job.last.spec.backoffLimitPerIndex === undefined) return [];
    const known = failuresOfIndex(history, job.last, entry);
    const count = failuresBefore(object);
    const isFailedForGood = parseIndexes(
      job.at(history.knowledge(entry.atMs).jobs)?.status.failedIndexes,
    )?.includes(indexOf(object) ?? -1);
    if (isFailedForGood)
      return [
        violation(
          entry,
          `the controller created ${nameOf(object)} for index ${indexOf(object)}, which has failed`,
        ),
      ];
    const counts = known.map((pod) => failuresBefore(pod) + (actionFor(job.last, pod) === 'Ignore' ? 0 : 1));
    const expected = counts.length > 0 ? counts : [0];
    if (!expected.includes(count))
      return [
        violation(
          entry,
          `the controller created ${nameOf(object)} with ${count} failures of its index; expected ${Math.max(...expected)}`,
        ),
      ];
    const last = known.toSorted((a, b) => (finishedMs(b) ?? 0) - (finishedMs(a) ?? 0))[0];
    const endMs = last && finishedMs(last);
    if (!last || endMs === undefined) return [];
    const dueMs = endMs + backoffMs(failuresBefore(last) + ignoredBefore(last) + 1) - history.epochMs;
    const sentMs = createsOf(history).get(object.metadata.uid)?.sentMs ?? entry.atMs;
    return sentMs >= dueMs
      ? []
      : [
          violation(
            entry,
            `the controller created ${nameOf(object)} at ${sentMs} ms, but the back-off of index ${indexOf(object)} ends at ${dueMs} ms`,
          ),
        ];
  });

/** Returns the pods of the same index that the controller must know as failed, and that it has not released. */
function failuresOfIndex(history: JobHistory, job: Job, { atMs, object }: PodWrite): readonly Pod[] {
  const told = history.knowledge(atMs).pods;
  return history.pods.all.flatMap((pod) => {
    const then = pod.at(told);
    const isOne = then && jobOf(then) === job.metadata.uid && indexOf(then) === indexOf(object);
    return isOne && then.status.phase === 'Failed' && isTracked(then) ? [then] : [];
  });
}

/** Returns every failed pod of the Job so far, in its last state. */
function failedPods(history: JobHistory, { object, revision }: JournalEntry<Job>): readonly Pod[] {
  return history.pods.all.flatMap((pod) => {
    const states = pod.versions.flatMap((version) =>
      version.revision <= revision && version.object ? [version.object] : [],
    );
    const last = states.findLast((state) => jobOf(state) === object.metadata.uid && isFailed(object, state));
    return last ? [last] : [];
  });
}

/** Returns the reason of the end that this write decided; undefined if it decided none. */
function startedEnd(job: Job, previous: Job): string | undefined {
  const started = job.status.conditions?.find(
    ({ type, status }) =>
      (type === 'FailureTarget' || type === 'SuccessCriteriaMet') &&
      status === 'True' &&
      !isTrue(previous, type),
  );
  return started?.reason;
}
