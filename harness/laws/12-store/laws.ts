import { type Law, lawAbout } from '../../testing/holds.ts';
import type { StoreHistory } from './history.ts';
import { readingOf } from './oracle/reading.ts';
import type { LawName } from './oracle/verdicts.ts';

/** @param situation the situation of the law, for the message "No scenario led to …" */
function law(name: LawName, situation: string): Law<StoreHistory> {
  return lawAbout(
    { name: situation, isMet: (history) => readingOf(history).met.has(name) },
    (history) => readingOf(history).violations.get(name) ?? [],
  );
}

/** Liveness. A process opens, answers every call, and ends its watches. */
export const answers = law('answers', 'a process that opened after a crash');

/** Safety. Each write that changes a key has the next revision; all other calls leave the revision as it is. */
export const oneCounter = law('oneCounter', 'a transaction that changed nothing, after writes');

/** Safety. A transaction happens as a whole, or not at all. */
export const allOrNothing = law('allOrNothing', 'a read after a transaction of several keys');

/** Safety. A range has all its keys in order, and `count` and `more` are right. */
export const ranges = law('ranges', 'a range with more keys than its limit');

/** Safety. Each call takes effect at one moment between its call and its answer. */
export const linearizable = law('linearizable', 'a read while another call was under way');

/** Safety. A range at a revision shows the state after all changes up to it. */
export const snapshot = law('snapshot', 'a range at a past revision');

/** Safety. History before a compacted revision is refused to reads and watches; the rest stays. */
export const compacted = law('compacted', 'a read or a watch of a compacted revision');

/** Safety. An answered write survives a crash; a write without an answer happens as a whole, or not at all. */
export const durable = law('durable', 'an answer of a process that opened a written log');

/** Safety and liveness. A watch sends each change of its range once, in order, one response for a revision. */
export const noGap = law('noGap', 'a watch that sent changes of the past');

/** Safety and liveness. A response without changes promises that all changes up to its revision were sent. */
export const progress = law('progress', 'a progress response while changes had not been sent');

/**
 * ★ Safety and liveness. The end of a lease deletes its keys in one revision, on time. All other laws also hold with
 * leases.
 */
export const leases: Law<StoreHistory> = lawAbout(
  { name: 'a lease that expired with keys', isMet: (history) => readingOf(history).met.has('leases') },
  (history) => [...readingOf(history).violations.values()].flat(),
);
