/** The laws of how long failures wait: read off what the rate limiter of a queue said. */
import type { Breach } from '../../testing/holds.ts';
import { closingOf } from './dues.ts';
import type { HistoryEntry, WorkQueueHistory } from './history.ts';
import type { Law } from './laws.ts';
import { Expectation, inMs } from './limits.ts';

/** How far a wait may be off that comes of counting tokens: fractions are rounded. */
const ROUNDING_MS = 1;
const EXACTLY_MS = 1e-6;

/** Safety. Each failure doubles the wait of its item, up to the maximum; each counts, once. */
export const backsOff: Law = (history) => judged(history).backsOff;

/** Safety. What was forgotten begins anew. */
export const forgets: Law = (history) => judged(history).forgets;

/** Safety. All together are kept to a burst and a rate, and no slower than that. */
export const throttled: Law = (history) => judged(history).throttled;

interface Judgement {
  readonly backsOff: Breach[];
  readonly throttled: Breach[];
  readonly forgets: Breach[];
}

function judged({ entries, limits }: WorkQueueHistory): Judgement {
  const expectation = new Expectation(limits);
  const forgotten = new Set<string>();
  const judgement: Judgement = { backsOff: [], throttled: [], forgets: [] };
  const ofItem = (item: string): Breach[] => (forgotten.has(item) ? judgement.forgets : judgement.backsOff);
  for (const entry of entries) {
    const { atMs } = entry;
    if (entry.kind === 'forget') {
      forgotten.add(entry.item);
      expectation.forget(entry.item);
    }
    if (entry.kind === 'requeues') {
      const { item, count } = entry;
      const wanted = limits.exponential ? expectation.failuresOf(item) : 0;
      if (count !== wanted)
        ofItem(item).push({ atMs, message: `numRequeues of ${item} is ${count}, not ${wanted}` });
    }
    if (entry.kind === 'when') judgeWait(entry);
  }
  judgement.backsOff.push(...miscounted(entries));
  return judgement;

  function judgeWait({ item, delayMs, atMs }: Extract<HistoryEntry, { kind: 'when' }>): void {
    const { exponentialMs, bucketMs } = expectation.fail(item, atMs);
    const failure = `failure ${expectation.failuresOf(item)} in a row of ${item}`;
    const since = forgotten.has(item) ? ' since it was forgotten' : '';
    const own = `${failure}${since} waits ${inMs(delayMs)} ms`;
    if (exponentialMs !== undefined && !(delayMs >= exponentialMs - EXACTLY_MS)) {
      ofItem(item).push({ atMs, message: `${own}; it must wait ${exponentialMs} ms` });
    } else if (bucketMs !== undefined && !(delayMs >= bucketMs - ROUNDING_MS)) {
      const message = `${item} waits ${inMs(delayMs)} ms, but the next token is there in ${bucketMs} ms`;
      judgement.throttled.push({ atMs, message });
    } else if (
      delayMs > Math.max((exponentialMs ?? 0) + EXACTLY_MS, (bucketMs ?? -ROUNDING_MS) + ROUNDING_MS)
    ) {
      if ((exponentialMs ?? -1) >= (bucketMs ?? 0)) {
        ofItem(item).push({ atMs, message: `${own}; it need not wait longer than ${exponentialMs} ms` });
      } else {
        const message = `${item} waits ${inMs(delayMs)} ms, but a token is there in ${bucketMs} ms`;
        judgement.throttled.push({ atMs, message });
      }
    }
  }
}

/** Where the rate limiter was not asked once for each failure. After a shut down it need not be. */
function miscounted(entries: readonly HistoryEntry[]): readonly Breach[] {
  const closing = closingOf(entries);
  const counts = new Map<string, { least: number; most: number; asked: number; atMs: number }>();
  for (const [index, entry] of entries.entries()) {
    if (entry.kind !== 'addRateLimited' && entry.kind !== 'when') continue;
    const count = counts.get(entry.item) ?? { least: 0, most: 0, asked: 0, atMs: entry.atMs };
    counts.set(entry.item, count);
    if (entry.kind === 'when') count.asked++;
    else if (index < closing) count.least++;
    if (entry.kind === 'addRateLimited') count.most++;
    if (count.asked <= count.most) count.atMs = entry.atMs;
  }
  return [...counts].flatMap(([item, { least, most, asked, atMs }]) => {
    if (asked >= least && asked <= most) return [];
    const message = `addRateLimited(${item}) was called ${most} times, and the rate limiter was asked ${asked} times`;
    return [{ atMs, message }];
  });
}
