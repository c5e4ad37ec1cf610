import type { Event, Node } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { ObjectHistory } from '../../../testing/rig/object-history.ts';
import { type NodeHistory, readyOf, undisturbedSinceMs, viewOf } from '../history.ts';
import { LIFECYCLE } from '../operations.ts';
import type { Subject } from '../oracle/obligations.ts';
import { overdueIn } from '../oracle/overdue.ts';
import { GRACE_MS, PERIOD_MS, REQUESTS_MS, STARTUP_GRACE_MS } from '../oracle/times.ts';
import { foundAgainMs } from '../oracle/zone-times.ts';

/** Checks a history; returns no violation when the law holds. */
export type Law = (history: NodeHistory) => readonly Violation[];

/** Returns a law about the obligations of one subject: each is fulfilled in time. */
export function inTime(subject: Subject): Law {
  return (history) =>
    overdueIn(history)
      .filter((each) => each.subject === subject)
      .map(({ words, atMs, sinceMs, object }) => ({
        atMs,
        message: `for ${seconds(atMs - sinceMs)} the controller did not ${words}`,
        object,
      }));
}

/** Says how long something lasted. */
export function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

/** Two passes may pass until the controller has noticed a heartbeat, and the silence after it. */
const NOTICED_MS = 2 * PERIOD_MS + REQUESTS_MS;

/** Liveness: a node that gives no sign of life for the grace period becomes Unknown, at the latest in the pass after it. */
export const verdictInTime: Law = (history) => {
  const { heartbeats, nodesByUid } = viewOf(history);
  if (!history.starts.some(({ process }) => process === LIFECYCLE)) return [];
  return nodesByUid.all.flatMap((node): readonly Violation[] => {
    const { name, creationTimestamp } = node.last.metadata;
    const bornMs = Date.parse(creationTimestamp) - history.epochMs;
    const diedMs = node.end?.atMs ?? history.endMs;
    const beats = (heartbeats.get(name) ?? []).filter((atMs) => atMs >= bornMs && atMs <= diedMs);
    return beats.flatMap((beatMs, i): readonly Violation[] => {
      const toMs = Math.min(beats[i + 1] ?? diedMs, diedMs);
      const worksMs = Math.max(undisturbedSinceMs(history, LIFECYCLE, toMs), foundAgainMs(history, toMs));
      // Of a node that has never reported, the apiserver knows the age.
      const passedMs = readyOf(node.atMs(beatMs))
        ? Math.max(beatMs, worksMs) + GRACE_MS + NOTICED_MS
        : Math.max(beatMs + STARTUP_GRACE_MS, worksMs) + NOTICED_MS;
      // After a conflict, the next pass may write the verdict.
      const dueMs = passedMs + (isWrittenBetween(node, passedMs - 2 * PERIOD_MS, passedMs) ? PERIOD_MS : 0);
      if (!(dueMs < toMs)) return [];
      const isUnknown = node
        .duringMs(dueMs, toMs - 0.5)
        .every((each) => readyOf(each)?.status === 'Unknown' || !each);
      if (isUnknown) return [];
      const message = `${name} gave no sign of life for ${seconds(toMs - beatMs)}, but its condition Ready did not become Unknown`;
      return [{ atMs: dueMs, message, object: name }];
    });
  });
};

/** Returns whether another client wrote the Node in this time. */
function isWrittenBetween({ versions }: ObjectHistory<Node>, fromMs: number, toMs: number): boolean {
  return versions.some(({ atMs, actor }) => atMs >= fromMs && atMs <= toMs && actor !== LIFECYCLE);
}

/**
 * Liveness: once nothing is left to do, the controllers write nothing. An Event may come later, if a fault has delayed it.
 * The eviction of a pod that has ended does not count: it may happen, or not.
 */
export const quiet: Law = (history) => {
  const { journal, restedMs, starts } = history;
  if (restedMs === undefined) return [];
  const processes = new Set(starts.map(({ process }) => process));
  const isLate = ({ actor, object, atMs }: (typeof journal)[number]): boolean =>
    object.kind === 'Event' && undisturbedSinceMs(history, actor, atMs) > restedMs;
  const ended = new Set(
    viewOf(history).podsByUid.all.flatMap(({ id, last }) => (hasEnded(last) ? [id] : [])),
  );
  const isOptional = ({ object }: (typeof journal)[number]): boolean =>
    ended.has(object.kind === 'Event' ? ((object as Event).involvedObject.uid ?? '') : object.metadata.uid);
  return journal
    .filter((entry) => entry.atMs > restedMs && processes.has(entry.actor))
    .filter((entry) => !isLate(entry) && !isOptional(entry))
    .map(({ atMs, actor, verb, resource, key }) => ({
      atMs,
      message: `nothing was left to do, but ${actor} wrote ${resource.plural} ${key} (${verb})`,
      object: key.split('/').at(-1) ?? key,
    }));
};
