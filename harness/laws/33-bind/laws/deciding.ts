import type { Violation } from '../../../testing/holds.ts';
import type { Attempt } from '../history/index.ts';
import { bindingsOf, type Law, podName, versionsOf } from '../history/reading.ts';

/** The scheduler tries a pod in the last version that it observed, or in a newer version. */
export const knowsTheNewest: Law = (history) =>
  history.attempts.flatMap(({ pod, atMs }): readonly Violation[] => {
    const { uid, resourceVersion } = pod.metadata;
    const told = history.told.atThought(atMs).pods;
    const versions = versionsOf(history, uid, told, atMs);
    if (versions.some((version) => version?.metadata.resourceVersion === resourceVersion)) return [];
    if (!versions.some(Boolean)) return [];
    const newest = versions[0]?.metadata.resourceVersion ?? versions.at(-1)?.metadata.resourceVersion;
    const isOver = history.pods.at(uid, told) === undefined;
    const name = podName(pod);
    const why = isOver
      ? 'although its informer had reported that the pod was deleted: do not put a deleted pod back into the queue'
      : `although its informer had reported revision ${newest}: requeue a pod in the version that the informer has, and only after it is no longer assumed: the queue gets no change of an assumed pod`;
    const message = `the scheduler looked for a node for ${name} as of revision ${resourceVersion}, ${why}`;
    return [{ atMs, message, object: name }];
  });

/** A pod is bound to one of the feasible nodes with the highest score. */
export const goesWhereItIsBest: Law = (history) =>
  bindingsOf(history).flatMap(({ entry, node, decision: { attempt } }): readonly Violation[] => {
    if (!attempt || attempt.feasible.length < 2 || !attempt.feasible.includes(node)) return [];
    const best = attempt.best();
    if (best.includes(node)) return [];
    const name = podName(entry.object);
    const message = `the scheduler bound ${name} to ${node}, although ${best.join(' and ')} had a higher score`;
    return [{ atMs: entry.atMs, message, object: name }];
  });

/** Each search starts at the nextStartIndex of the previous one; the first starts at 0. */
export const takesTurns: Law = ({ attempts }) => {
  const last = new Map<number, Attempt>();
  return attempts.flatMap((attempt): readonly Violation[] => {
    const { incarnation, atMs, pod, startIndex, nodeInfos } = attempt;
    const before = last.get(incarnation);
    const due = before?.nextStartIndex ?? 0;
    last.set(incarnation, attempt);
    // A search without a feasible node has filtered all nodes, so a start at the same index is as good.
    const asGood = before && before.feasible.length === 0 ? [due, before.startIndex] : [due];
    if (asGood.some((index) => startIndex % nodeInfos.length === index % nodeInfos.length)) return [];
    if (nodeInfos.length === 0) return [];
    const name = podName(pod);
    const expected = before
      ? `the search before it returned nextStartIndex ${due}`
      : 'the first search must start at 0';
    const message = `the search for a node for ${name} started at index ${startIndex}; ${expected}`;
    return [{ atMs, message, object: name }];
  });
};
