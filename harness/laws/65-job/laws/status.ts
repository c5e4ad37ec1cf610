import type { Job, Pod } from '../../../api/objects.ts';
import { hasEnded, isReady } from '../../../api/predicates.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import { type JobHistory, type JobLaw, jobWrites, nameOf, violation } from '../history.ts';
import {
  formatIndexes,
  indexOf,
  isActive,
  isTerminating,
  jobOf,
  parseIndexes,
  uncounted,
} from '../oracle/pods.ts';

const COUNTS = {
  active: isActive,
  ready: (pod: Pod) => isActive(pod) && isReady(pod),
  terminating: isTerminating,
} as const;

/** Each count of a status was true at a moment that the controller can have seen. */
export const truthfulStatus: JobLaw = (history) =>
  jobWrites(history).flatMap((entry) => {
    const { object, previous, type } = entry;
    if (!previous || type === 'DELETED') return [];
    return Object.entries(COUNTS).flatMap(([field, is]) => {
      const count = object.status[field as keyof typeof COUNTS] ?? 0;
      if (count === (previous.status[field as keyof typeof COUNTS] ?? 0)) return [];
      const { least, most } = boundsOf(history, entry, is);
      if (count >= least && count <= most) return [];
      const expected = least === most ? `${least}` : `${least} to ${most}`;
      return [
        violation(
          entry,
          `the controller reported status.${field} ${count} of ${nameOf(object)}; expected ${expected}`,
        ),
      ];
    });
  });

/** Returns the least and the largest number of pods in this state at any moment that the controller can have seen. */
function boundsOf(
  history: JobHistory,
  { object, atMs, revision }: JournalEntry<Job>,
  is: (pod: Pod) => boolean,
): { readonly least: number; readonly most: number } {
  const told = history.knowledge(atMs).pods;
  const isOf = (pod: Pod | undefined): boolean => jobOf(pod) === object.metadata.uid;
  const isIn = (pod: Pod | undefined): boolean => pod !== undefined && is(pod);
  let [least, most] = [0, 0];
  for (const pod of history.pods.all) {
    const states = pod.between(told, revision);
    if (states.every((state) => isOf(state) && isIn(state))) least++;
    // A user may have removed the owner meanwhile, or a pod may have ended before the controller deleted it.
    const isDeleted = states.some((state) => !state || state.metadata.deletionTimestamp);
    const mayBeIn =
      states.some(isIn) ||
      (is === isTerminating && isDeleted && states.some((state) => state && !hasEnded(state)));
    if (states.some(isOf) && mayBeIn) most++;
  }
  return { least, most };
}

/** `completedIndexes` is in the API's form, names only indexes with a pod that succeeded, and loses none. */
export const trueIndexes: JobLaw = (history) =>
  jobWrites(history).flatMap((entry) => {
    const { object, previous, revision, type } = entry;
    if (!previous || type === 'DELETED' || object.spec.completionMode !== 'Indexed') return [];
    const { completedIndexes: text = '', succeeded = 0 } = object.status;
    const indexes = parseIndexes(text);
    const say = (message: string) => [violation(entry, message)];
    if (!indexes || formatIndexes(indexes) !== text)
      return say(
        `completedIndexes of ${nameOf(object)} is ${JSON.stringify(text)}; expected ${JSON.stringify(formatIndexes(indexes ?? []))}`,
      );
    const before = parseIndexes(previous.status.completedIndexes) ?? [];
    const { completions = 0 } = object.spec;
    const lost = before.find((index) => index < completions && !indexes.includes(index));
    if (lost !== undefined) return say(`index ${lost} is no longer in completedIndexes of ${nameOf(object)}`);
    const outside = indexes.find((index) => index >= completions);
    if (outside !== undefined)
      return say(`completedIndexes has ${outside}, but completions is ${completions}`);
    if (succeeded !== indexes.length)
      return say(`status.succeeded is ${succeeded}, but completedIndexes is ${JSON.stringify(text)}`);
    const unearned = indexes.find(
      (index) => !before.includes(index) && !hasSucceeded(history, object, index, revision),
    );
    return unearned === undefined
      ? []
      : say(`completedIndexes has ${unearned}, but no pod of this index has succeeded`);
  });

/** A pod that counts as failed, because it was deleted, does not complete its index later. */
function hasSucceeded(history: JobHistory, { metadata }: Job, index: number, revision: number): boolean {
  const versions =
    history.jobs.of(metadata.uid)?.versions.filter((version) => version.revision <= revision) ?? [];
  const failed = new Set(versions.flatMap(({ object }) => (object ? uncounted(object).failed : [])));
  return history.pods.all.some(
    (pod) =>
      !failed.has(pod.id) &&
      pod.versions.some(
        ({ object, revision: at }) =>
          at <= revision &&
          object?.status.phase === 'Succeeded' &&
          jobOf(object) === metadata.uid &&
          indexOf(object) === index,
      ),
  );
}
