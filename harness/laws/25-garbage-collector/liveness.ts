import type { Event, KubeObject } from '../../api/objects.ts';
import type { Violation } from '../../testing/holds.ts';
import type { GarbageHistory, Notification } from './history.ts';
import { nameOf, rowName } from './names.ts';
import { ObjectHistories, ownersOf } from './object-history.ts';
import { obligations } from './obligations.ts';
import type { Law } from './safety.ts';

/** Liveness. Once faults stop, nothing remains all of whose owners are gone, and no owner waits that need not wait. */
export const thorough: Law = ({ obligations: left, healedMs }) =>
  left
    .filter(({ of }) => of === 'deletion')
    .map(({ message, object }) => ({ atMs: healedMs, message, object }));

/** Liveness. Once faults stop, no object that has an owner names one that is gone. */
export const tidy: Law = ({ obligations: left, healedMs }) =>
  left
    .filter(({ of }) => of === 'reference')
    .map(({ message, object }) => ({ atMs: healedMs, message, object }));

/**
 * Liveness. Whenever nothing happens for a minute, nothing is owed. After a fault it may take as long again as the life has
 * lasted by then: so long a request waits that has failed again and again.
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

/** How long it is silent at least before anything is asked. */
const PROMPT_MS = 60_000;

/** After a fault: an answer that never comes, and a watch that is begun again. */
const RECOVERY_MS = 120_000;

function patienceMs({ wellMs }: GarbageHistory): number {
  return PROMPT_MS + (wellMs > 0 ? RECOVERY_MS + wellMs : 0);
}

interface QuietPeriod {
  /** What there is. The same each time, brought up to date. */
  readonly now: ObjectHistories;
  readonly toMs: number;
  /** How long it was, after the last fault. */
  readonly silentMs: number;
}

/** The times between two writes that change owners, finalizers or deletion of an object. */
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

/** Is this a write that says nothing of owners or deletion? */
function isQuiet({ type, object, previous }: GarbageHistory['journal'][number]): boolean {
  if (object.kind === 'Event') return true;
  if (type !== 'MODIFIED' || !previous) return false;
  return (['ownerReferences', 'finalizers', 'deletionTimestamp'] as const).every(
    (field) => JSON.stringify(previous.metadata[field]) === JSON.stringify(object.metadata[field]),
  );
}

/** Liveness. When there is nothing left to do, nothing is done. */
export const restful: Law = ({ restless }) =>
  restless.map(({ atMs, verb, object }) => ({
    atMs,
    message: `asked to ${verb} ${object} although nothing was left to do`,
    ...(object === undefined ? {} : { object }),
  }));

/**
 * Liveness, where there are no faults. An Event tells of each dependent whose one owner is in another namespace, if the collector
 * had been told of the owner when it was told of the reference. An owner of which it is told later may be looked for in vain by then.
 */
export const tells: Law = (history) => {
  if (history.wellMs > 0) return [];
  const told = new Set(
    history.journal.flatMap(({ object }) =>
      object.kind === 'Event' ? [(object as Event).involvedObject.uid] : [],
    ),
  );
  return strangersSeen(history).flatMap(({ atMs, object }) => {
    const message = `said nothing of ${nameOf(object)}, whose owner is in another namespace`;
    return told.has(object.metadata.uid) ? [] : [{ atMs, message, object: rowName(object) }];
  });
};

/** Where the collector was told of a dependent with one owner, in another namespace, of which it had been told before. */
export function strangersSeen({ told }: GarbageHistory) {
  const seen = new Map<string, KubeObject>();
  return told.filter((what): what is Notification & { readonly type: 'seen' } => {
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
