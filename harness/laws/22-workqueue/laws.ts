import { type Law, lawAbout } from '../../testing/holds.ts';
import type { WorkQueueHistory } from './history.ts';
import { read } from './oracle/reading.ts';
import type { LawName, Reading } from './oracle/verdicts.ts';

const readings = new WeakMap<WorkQueueHistory, Reading>();

/** Reads a history once for all laws. */
function readingOf(history: WorkQueueHistory): Reading {
  const known = readings.get(history);
  if (known) return known;
  const reading = read(history);
  readings.set(history, reading);
  return reading;
}

/** @param situation the situation of the law, for the sentence "There was never …" */
function law(name: LawName, situation: string): Law<WorkQueueHistory> {
  return lawAbout(
    { name: situation, isMet: (history) => readingOf(history).met.has(name) },
    (history) => readingOf(history).violations.get(name) ?? [],
  );
}

/**
 * Safety. An item is never in hand twice at the same time.
 *
 * A safety law forbids an event at any time. A liveness law comes from the oracle, obligations.ts: at the end of each
 * instant, no obligation is left that could have been met.
 */
export const stingy = law('stingy', 'an item that was added while it was in hand');

/** Safety. The item that has waited longest in line is handed out first. */
export const fair = law('fair', 'an item that was handed out while others waited in line');

/** Safety. An item that is added several times while it waits in line is handed out once. */
export const deduplicating = law('deduplicating', 'an item that was added while it waited in line');

/** Liveness. Every added item is handed out as soon as a worker is free. */
export const lossless = law('lossless', 'an item that was added');

/** Liveness. An item that is added while it is in hand is handed out again after done. */
export const reentrant = law('reentrant', 'an item that was added while it was in hand');

/** Safety and liveness. A delayed item is added when its delay ends; of several times, at the earliest. */
export const patient = law('patient', 'a second addAfter of an item that was still waiting');

/** Safety. `len` returns the number of items that wait in line. */
export const counts = law('counts', 'a call of len while an item waited in line');

/**
 * Safety and liveness. After a shutdown no item is added, the items in line are handed out, and then every get ends.
 */
export const closes = law('closes', 'a shutdown while an item or a worker waited');

/** Safety and liveness. Each failure doubles the wait of its item, up to the maximum. */
export const backsOff = law('backsOff', 'an item that failed twice in a row');

/** Safety and liveness. After forget, the failures of an item count from the first again. */
export const forgets = law('forgets', 'an item that failed again after it was forgotten');

/** Safety and liveness. All items together wait for the tokens of one bucket. */
export const throttled = law('throttled', 'a failure that had to wait for a token');

/** Safety. The number of items in hand never exceeds the number of workers. */
export const bounded = law('bounded', 'a moment at which all workers were busy');

/** Safety and liveness. A failed item is retried, later each time. */
export const persistent = law('persistent', 'a sync that failed');

/** Safety and liveness. After a success, failures count from the first again. */
export const forgives = law('forgives', 'an item that failed again after a success');

/**
 * Safety and liveness. After maxRetries retries, a failed item is left alone until it is added again; then its failures
 * count from the first.
 */
export const givesUp = law('givesUp', 'an item that was given up');

/** Liveness. No error of sync or onError ends a worker. */
export const unkillable = law('unkillable', 'a moment at which one item for each worker was added');

/** Safety and liveness. onError is called once for each failure, with the error that sync threw. */
export const reportsFailures = law('reportsFailures', 'a failure with an onError');

/** Safety and liveness. After the abort no sync begins, and runWorkers returns when the running ones have settled. */
export const stops = law('stops', 'an abort while sync was running');

/** Liveness. In the end no work is pending, and no timer is left on the clock. */
export const endsClean = law('endsClean', 'an end');

/** ★ Safety and liveness. A drain waits as long as an item is in hand, and no longer. */
export const drains = law('drains', 'a drain while an item was in hand');
