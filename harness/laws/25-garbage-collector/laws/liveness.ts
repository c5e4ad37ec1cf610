import type { Event, KubeObject } from '../../../api/objects.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { GarbageHistory, Notification } from '../history.ts';
import { ObjectHistories, ownersOf } from '../oracle/object-histories.ts';
import { obligations } from '../oracle/obligations.ts';
import { nameOf, rowName } from '../render/names.ts';
import type { Law } from './safety.ts';

/** Liveness. After faults stop, no object remains whose owners are all deleted, and no owner waits without need. */
export const thorough: Law = ({ obligations: left, healedMs }) =>
  left
    .filter(({ of }) => of === 'deletion')
    .map(({ message, object }) => ({ atMs: healedMs, message, object }));

/** Liveness. After faults stop, no object that still has an owner references a deleted one. */
export const tidy: Law = ({ obligations: left, healedMs }) =>
  left
    .filter(({ of }) => of === 'reference')
    .map(({ message, object }) => ({ atMs: healedMs, message, object }));

/**
 * Liveness. Whenever nothing happens for a minute, no obligation is pending. After a fault it may take as long again
 * as the run has lasted: a request that has failed repeatedly waits that long.
 */
export const prompt: Law = (history) => {
  const violations: Violation[] = [];
  for (const { now, toMs, silentMs } of quietPeriods(history)) {
    if (silentMs <= patienceMs(history)) continue;
    for (const { message, object } of obligations(now)) {
      const seconds = Math.round(silentMs / 1_000);
      violations.push({ atMs: toMs, message: `nothing happened for ${seconds} s, and ${message}`, object });
    }
  }
  return violations;
};

/** The minimum quiescent time before the check. */
const PROMPT_MS = 60_000;

/** After a fault: the time for an answer that never arrives, and for a new watch. */
const RECOVERY_MS = 120_000;

function patienceMs({ wellMs }: GarbageHistory): number {
  return PROMPT_MS + (wellMs > 0 ? RECOVERY_MS + wellMs : 0);
}

interface QuietPeriod {
  /** The current objects. The same instance each time, updated. */
  readonly now: ObjectHistories;
  readonly toMs: number;
  /** Its length, after the last fault. */
  readonly silentMs: number;
}

/** Yields the periods between two writes that change owners, finalizers or the deletion of an object. */
function* quietPeriods({ journal, wellMs, endMs }: GarbageHistory): Generator<QuietPeriod> {
  const now = new ObjectHistories();
  let fromMs = 0;
  for (const [i, entry] of journal.entries()) {
    const isOver = i === journal.length - 1;
    now.apply(entry);
    if (!isQuiet(entry)) fromMs = entry.atMs;
    const next = journal[i + 1];
    if (next && isQuiet(next) && !isOver) continue;
    const toMs = next?.atMs ?? endMs;
    yield { now, toMs, silentMs: toMs - Math.max(fromMs, wellMs) };
  }
}

/** Does the write change neither owners nor the deletion? */
export function isQuiet({ type, object, previous }: GarbageHistory['journal'][number]): boolean {
  if (object.kind === 'Event') return true;
  if (type !== 'MODIFIED' || !previous) return false;
  return (['ownerReferences', 'finalizers', 'deletionTimestamp'] as const).every(
    (field) => JSON.stringify(previous.metadata[field]) === JSON.stringify(object.metadata[field]),
  );
}

/** Liveness. When no obligation is pending, the collector writes nothing. */
export const restful: Law = ({ restless }) =>
  restless.map(({ atMs, verb, object }) => ({
    atMs,
    message: `requested to ${verb} ${object} although no obligation is pending`,
    ...(object === undefined ? {} : { object }),
  }));

/**
 * Liveness, without faults. An Event reports each dependent whose one owner is in another namespace, if the collector
 * had observed the owner before the reference. If it observes the owner later, it may already have looked for it
 * without success.
 */
export const reports: Law = (history) => {
  if (history.wellMs > 0) return [];
  const notifications = new Set(
    history.journal.flatMap(({ object }) =>
      object.kind === 'Event' ? [(object as Event).involvedObject.uid] : [],
    ),
  );
  return strangersSeen(history).flatMap(({ atMs, object }) => {
    const message = `reported no Event about ${nameOf(object)}, whose owner is in another namespace`;
    return notifications.has(object.metadata.uid) ? [] : [{ atMs, message, object: rowName(object) }];
  });
};

/**
 * Returns the notifications about dependents with one owner in another namespace that the collector had already
 * observed.
 */
export function strangersSeen({ notifications }: GarbageHistory) {
  const seen = new Map<string, KubeObject>();
  return notifications.filter((what): what is Notification & { readonly type: 'seen' } => {
    if (what.type === 'start') seen.clear();
    if (what.type === 'gone') seen.delete(what.object.metadata.uid);
    if (what.type !== 'seen') return false;
    const { uid, namespace } = what.object.metadata;
    const before = seen.get(uid);
    seen.set(uid, what.object);
    const [reference, ...more] = ownersOf(what.object);
    if (
      !reference ||
      more.length > 0 ||
      (before && ownersOf(before).some((one) => one.uid === reference.uid))
    ) {
      return false;
    }
    const owner = seen.get(reference.uid)?.metadata;
    return owner?.namespace !== undefined && owner.namespace !== namespace;
  });
}
