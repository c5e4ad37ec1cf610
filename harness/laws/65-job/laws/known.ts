import type { Pod } from '../../../api/objects.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { ObjectHistory } from '../../../testing/rig/object-history.ts';
import type { RecordedRequest } from '../../../testing/rig/recorder.ts';
import type { JobHistory } from '../history.ts';
import { jobOf } from '../oracle/pods.ts';

const createdCache = new WeakMap<JobHistory, ReadonlyMap<string, RecordedRequest>>();

/** Returns the controller's successful creates, by the uid of the pod. */
export function createsOf(history: JobHistory): ReadonlyMap<string, RecordedRequest> {
  let creates = createdCache.get(history);
  if (!creates) {
    creates = new Map(
      history.requests.flatMap((request) =>
        request.verb === 'create' && request.resource === 'pods' && request.answer
          ? [[(request.answer as Pod).metadata.uid, request] as const]
          : [],
      ),
    );
    createdCache.set(history, creates);
  }
  return creates;
}

/**
 * Returns the pods of a Job that the controller certainly knows at a write: its create succeeded, or an event has shown
 * that the Job owns the pod. A create without an answer is unknown until then.
 */
export function knownPods(
  history: JobHistory,
  jobUid: string,
  { atMs, revision }: Pick<JournalEntry, 'atMs' | 'revision'>,
): readonly { readonly history: ObjectHistory<Pod>; readonly now: Pod }[] {
  const told = history.knowledge(atMs).pods;
  const creates = createsOf(history);
  return history.pods.all.flatMap((pod) => {
    const now = pod.at(revision);
    if (!now || jobOf(now) !== jobUid) return [];
    const owned = pod.versions.find(({ object }) => jobOf(object) === jobUid);
    const isKnown = creates.has(pod.id) || (owned && owned.revision <= told);
    return isKnown ? [{ history: pod, now }] : [];
  });
}
