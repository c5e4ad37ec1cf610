import { type Law, lawAbout } from '../../testing/holds.ts';
import type { WorkQueueHistory } from './history.ts';
import { read } from './reading.ts';
import type { LawName, Reading } from './verdicts.ts';

const readings = new WeakMap<WorkQueueHistory, Reading>();

/** Reads a history once for all laws. */
function readingOf(history: WorkQueueHistory): Reading {
  const known = readings.get(history);
  if (known) return known;
  const reading = read(history);
  readings.set(history, reading);
  return reading;
}

/** @param situation what the law speaks of: "There was never …" */
function law(name: LawName, situation: string): Law<WorkQueueHistory> {
  return lawAbout(
    { name: situation, isMet: (history) => readingOf(history).met.has(name) },
    (history) => readingOf(history).violations.get(name) ?? [],
  );
}

/**
 * Safety. No item is handed to two workers at once.
 *
 * The laws of a queue and of its workers. Safety laws say what never happens. The others are read off one oracle, dues.ts:
 * whenever an instant is over, nothing is owed that could have been done by then.
 */
export const stingy = law('stingy', 'an item that was added while it was in hand');

/** Safety. What has stood in line longest is handed out first. */
export const fair = law('fair', 'an item that was handed out while others stood in line');

/** Safety. However often an item is added while it stands in line, it is handed out once. */
export const deduplicating = law('deduplicating', 'an item that was added while it stood in line');

/** Owed. Whatever is added is handed out, as soon as a worker is free. */
export const lossless = law('lossless', 'an item that was added');

/** Owed. What is added while it is in hand is handed out again when it was given back. */
export const reentrant = law('reentrant', 'an item that was added while it was in hand');

/** Safety, and owed. What is to be added later is added when its time has come; of several times, at the earliest. */
export const patient = law('patient', 'an item that was to be added later, and was given a second time');

/** Safety. `len` is what stands in line. */
export const counts = law('counts', 'a look at a line that was not empty');

/** Safety, and owed. After a shut down nothing is added, what stands in line is handed out, and then every get ends. */
export const closes = law('closes', 'a shut down with an item or a worker that waited');

/** Safety, and owed. Each failure doubles the wait of its item, up to the maximum. */
export const backsOff = law('backsOff', 'an item that failed twice in a row');

/** Safety, and owed. What was forgotten begins anew. */
export const forgets = law('forgets', 'an item that failed again after it was forgotten');

/** Safety, and owed. All items together wait for the tokens of one bucket. */
export const throttled = law('throttled', 'a failure that had to wait for a token');

/** Safety. Never more items are in hand than there are workers. */
export const bounded = law('bounded', 'a moment at which all workers were busy');

/** Safety, and owed. What fails is tried again, later each time. */
export const persistent = law('persistent', 'a sync that failed');

/** Safety, and owed. After a success, failures count from the first again. */
export const forgives = law('forgives', 'an item that failed again after a success');

/** Safety, and owed. What has failed once more than it may be retried is left alone until it is added; then all begins anew. */
export const givesUp = law('givesUp', 'an item that was given up');

/** Owed. Whatever sync and onError do, every worker goes on working. */
export const unkillable = law('unkillable', 'a muster of all workers');

/** Safety, and owed. Of each failure onError is told once, with what was thrown. */
export const tells = law('tells', 'a failure, and an onError to be told of it');

/** Safety, and owed. After the abort no sync begins, and runWorkers returns when those under way have settled. */
export const stops = law('stops', 'an abort while sync was under way');

/** Owed. In the end nothing is owed, and nothing is left on the clock. */
export const atRest = law('atRest', 'an end');

/** ★ Safety, and owed. To drain takes as long as something is in hand, and no longer. */
export const drains = law('drains', 'a drain while something was in hand');
