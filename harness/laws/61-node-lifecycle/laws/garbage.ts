import type { Node, Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { ObjectHistory } from '../../../testing/rig/object-history.ts';
import { knownVersions, type NodeHistory, viewOf } from '../history.ts';
import { GARBAGE } from '../operations.ts';
import { isOutOfService, QUARANTINE_MS } from '../oracle/obligations.ts';
import { type Law, seconds } from './owed.ts';
import { reusedNames } from './pods.ts';

/** A write of the collector to a pod. */
type Change = JournalEntry<Pod> & { readonly previous: Pod };

function changesIn(history: NodeHistory): readonly Change[] {
  return viewOf(history).pods.filter(
    (entry): entry is Change => entry.actor === GARBAGE && entry.previous !== undefined,
  );
}

/** Returns the writes that delete a pod by force, or begin to. */
export function collectionsIn(history: NodeHistory): readonly Change[] {
  return changesIn(history).filter(
    ({ type, object, previous }) =>
      type === 'DELETED' ||
      object.metadata.deletionTimestamp !== previous.metadata.deletionTimestamp ||
      object.metadata.deletionGracePeriodSeconds !== previous.metadata.deletionGracePeriodSeconds,
  );
}

/** The longest time from a look at the cluster to the last delete that follows from it. */
const LOOK_MS = 4_000;
/** A quarantine counts from the pass that first missed the node. */
const ROUNDED_MS = 1_000;

/**
 * Safety. The collector fails or deletes a pod only with a proof that no kubelet will: its Node does not exist, and did
 * not exist 40 s before; or somebody deletes the pod, which has no node, or a node that is out of service and not ready.
 */
export const proven: Law = (history) =>
  changesIn(history).flatMap(({ atMs, previous }): readonly Violation[] => {
    const why = whyNot(history, previous, atMs);
    return why === undefined ? [] : [{ atMs, message: why, object: previous.metadata.name }];
  });

function whyNot(history: NodeHistory, { metadata, spec }: Pod, atMs: number): string | undefined {
  const { name, uid } = metadata;
  const { nodeName } = spec;
  const pod = viewOf(history).podsByUid.of(uid);
  const look = { atMs, withinMs: LOOK_MS };
  const isLeaving = knownVersions(history, GARBAGE, pod, look).some(
    (version) => version?.metadata.deletionTimestamp !== undefined,
  );
  if (nodeName === undefined) {
    return isLeaving
      ? undefined
      : `the collector deleted ${name}, which has no node and which nobody deletes`;
  }
  const node = viewOf(history).nodesByName.of(nodeName);
  const known = knownVersions(history, GARBAGE, node, look);
  if (isLeaving && known.some((version) => version !== undefined && isOutOfService(version)))
    return undefined;
  if (!known.includes(undefined)) {
    return isLeaving
      ? `the collector deleted ${name} by force, but ${nodeName} exists and is not out of service`
      : `the collector deleted ${name}, but its node ${nodeName} exists`;
  }
  const missedMs = firstMissedMs(node, atMs);
  if (atMs - missedMs >= QUARANTINE_MS - ROUNDED_MS) return undefined;
  return `the collector deleted ${name} ${seconds(atMs - missedMs)} after its node ${nodeName} was deleted; a node may come back within 40 s`;
}

/** A collector may forget a short return of a node, but not a long one. */
const REMEMBERED_MS = 150_000;

/** Returns since when a node was missed, at the earliest: its first deletion of the last minutes. */
function firstMissedMs(node: ObjectHistory<Node> | undefined, atMs: number): number {
  if (!node) return Number.NEGATIVE_INFINITY;
  const sinceMs = atMs - REMEMBERED_MS;
  if (node.atMs(sinceMs) === undefined) return sinceMs;
  const deletion = node.versions.find((version) => version.object === undefined && version.atMs > sinceMs);
  return deletion?.atMs ?? atMs;
}

/**
 * Safety. A pod that has not ended fails before its deletion, and that of a deleted Node says why. A pod that has ended
 * keeps its phase and its conditions.
 */
export const tells: Law = (history) =>
  changesIn(history).flatMap((change): readonly Violation[] => {
    const { atMs, object, previous } = change;
    const { name } = object.metadata;
    const violation = (message: string): Violation => ({ atMs, message, object: name });
    const isChanged = JSON.stringify(object.status) !== JSON.stringify(previous.status);
    if (isChanged && hasEnded(previous) && !wasFailedByCollector(history, object.metadata.uid))
      return [
        violation(`the collector changed the status of ${name}, which was ${previous.status.phase} already`),
      ];
    if (!collectionsIn(history).includes(change)) return [];
    if (!hasEnded(previous))
      return [
        violation(`the collector deleted ${name} in the phase ${previous.status.phase}; it must fail first`),
      ];
    const isOrphan = previous.metadata.deletionTimestamp === undefined;
    const why = previous.status.conditions?.find(({ type }) => type === 'DisruptionTarget');
    if (isOrphan && wasFailedByCollector(history, object.metadata.uid) && why?.reason !== 'DeletionByPodGC')
      return [
        violation(
          `the collector deleted ${name} without the condition DisruptionTarget, reason DeletionByPodGC`,
        ),
      ];
    const { deletionGracePeriodSeconds: grace } = object.metadata;
    if (change.type !== 'DELETED' && grace !== 0)
      return [violation(`the collector gave ${name} ${grace} s to stop, but no kubelet will ever stop it`)];
    return [];
  });

function wasFailedByCollector(history: NodeHistory, uid: string): boolean {
  return changesIn(history).some(
    ({ object, previous }) => object.metadata.uid === uid && hasEnded(object) && !hasEnded(previous),
  );
}

/** Safety: as {@link proven}, for a pod whose name another pod had before. */
export const respectsUid: Law = (history) => {
  const reused = reusedNames(history);
  return proven(history).filter(({ object }) => object !== undefined && reused.has(object));
};
