/**
 * The laws of the workers of a queue: each reads one history and names every place where it is broken. Safety laws
 * say what never happens; liveness laws say what has happened by when, as far as there was a worker free for it.
 */
import type { Breach } from '../../testing/holds.ts';
import type { PoolHistory } from './pool-history.ts';

/** Reads a history; empty when the law holds. */
export type Law = (history: PoolHistory) => readonly Breach[];

/** Safety. No item is seen to twice at once, and never more items than there are workers. */
export const oneAtATime: Law = ({ entries, scenario }) => {
  const running: string[] = [];
  return entries.flatMap((entry): Breach[] => {
    const { atMs } = entry;
    if (entry.kind === 'success' || entry.kind === 'failure') running.splice(running.indexOf(entry.item), 1);
    if (entry.kind !== 'begin') return [];
    const twice = running.includes(entry.item);
    running.push(entry.item);
    if (twice) return [{ atMs, message: `sync(${entry.item}) was called while it was still under way` }];
    if (running.length <= scenario.workers) return [];
    return [
      { atMs, message: `${running.length} items were in hand at once, of ${scenario.workers} workers` },
    ];
  });
};

/** Liveness. What is added is seen to as soon as a worker is free, whatever else fails. */
export const starvesNobody: Law = (history) => {
  const { entries } = history;
  return entries.flatMap((entry, index) => {
    if (entry.kind !== 'add') return [];
    return neglected(history, entry.item, index, entry.atMs, `${entry.item} was added`);
  });
};

/** Safety and liveness. What failed is tried again, when its wait is over, which is longer each time; not before. */
export const persistent: Law = (history) => judgeRetries(history, 'start');

/** Safety and liveness. After a success, failures count from the first again. */
export const forgives: Law = (history) => judgeRetries(history, 'success');

/** Safety and liveness. What has failed once more than it may be retried is left alone until it is added; then all begins anew. */
export const givesUp: Law = (history) => {
  const { scenario } = history;
  if (scenario.maxRetries === undefined) return [];
  const anew = judgeRetries(history, 'giving up');
  const again = attemptsIn(history).flatMap((attempt): Breach[] => {
    if (attempt.before?.outcome !== 'given up' || !attempt.groundless) return [];
    const message = `${attempt.item} was tried again after ${scenario.maxRetries} retries had failed, and nobody had added it`;
    return [{ atMs: attempt.beganAtMs, message }];
  });
  return [...again, ...anew];
};

/** Liveness. Whatever sync does, in the end every worker is still there. */
export const unkillable: Law = ({ entries, scenario }) => {
  const muster = entries.findIndex(({ kind }) => kind === 'muster');
  if (muster < 0) return [];
  const atMs = entries[muster]?.atMs ?? 0;
  const came = entries.slice(muster).filter((entry) => entry.kind === 'begin' && entry.atMs === atMs).length;
  if (came >= scenario.workers) return [];
  const message = `${scenario.workers} items were added when all was quiet, and only ${came} were seen to at once, though there are ${scenario.workers} workers`;
  return [{ atMs, message }];
};

/** Safety and liveness. Of each failure onError is told once, with what was thrown. */
export const tells: Law = ({ entries, scenario }) => {
  if (scenario.listener === 'nobody') return [];
  const untold: { readonly item: string; readonly error: unknown; readonly atMs: number }[] = [];
  const wrong = entries.flatMap((entry): Breach[] => {
    if (entry.kind === 'failure') untold.push(entry);
    if (entry.kind !== 'told') return [];
    const index = untold.findIndex(({ item, error }) => item === entry.item && error === entry.error);
    if (index >= 0) {
      untold.splice(index, 1);
      return [];
    }
    return [
      {
        atMs: entry.atMs,
        message: `onError was told of ${entry.item}, which had not failed so, or not again`,
      },
    ];
  });
  const missed = untold.map(({ item, atMs }) => ({
    atMs,
    message: `onError was never told that sync(${item}) failed`,
  }));
  return [...wrong, ...missed];
};

/** Safety and liveness. After the abort no sync begins, and runWorkers returns when those under way have settled. */
export const stops: Law = ({ entries }) => {
  const abort = entries.findIndex(({ kind }) => kind === 'abort');
  const late = entries.slice(abort).flatMap((entry): Breach[] => {
    if (entry.kind !== 'begin') return [];
    return [{ atMs: entry.atMs, message: `sync(${entry.item}) began after the abort` }];
  });
  const abortedAtMs = entries[abort]?.atMs ?? 0;
  const settled = entries.filter(
    (entry, i) => i > abort && (entry.kind === 'success' || entry.kind === 'failure'),
  );
  const dueMs = settled.at(-1)?.atMs ?? abortedAtMs;
  const end = entries.findIndex(({ kind }) => kind === 'returned' || kind === 'rejected');
  const ending = entries[end];
  if (ending?.kind === 'rejected') {
    return [...late, { atMs: ending.atMs, message: `runWorkers rejected: ${String(ending.error)}` }];
  }
  const returnedAtMs = ending?.atMs ?? Number.POSITIVE_INFINITY;
  if (end >= 0 && end < abort)
    return [...late, { atMs: returnedAtMs, message: 'runWorkers returned, though nobody had stopped it' }];
  if (returnedAtMs < dueMs)
    return [...late, { atMs: returnedAtMs, message: 'runWorkers returned while sync was still under way' }];
  if (returnedAtMs === dueMs) return late;
  const what =
    settled.length > 0 ? 'the last sync had settled after the abort' : 'nothing was under way at the abort';
  return [...late, { atMs: dueMs, message: `${what}, but runWorkers had not returned` }];
};

/** One call of sync, and what the ones before mean for it. Numbers are indices of entries where they are not times. */
interface TimedAttempt {
  readonly item: string;
  readonly began: number;
  readonly beganAtMs: number;
  /** The one before, of the same item. */
  readonly before: TimedAttempt | undefined;
  /** Infinity when it did not settle. */
  settled: number;
  settledAtMs: number;
  outcome: 'under way' | 'succeeded' | 'failed' | 'given up';
  /** How many failures in a row count with this one. */
  failures: number;
  /** Since when they count, if any counted before that. */
  since: 'start' | 'success' | 'giving up';
  /** When it must be tried again at the latest. */
  retryAtMs: number;
  /** Whether nothing was there to begin it: no add, and no retry whose time had come. */
  readonly groundless: boolean;
}

const attempts = new WeakMap<PoolHistory, readonly TimedAttempt[]>();

function attemptsIn(history: PoolHistory): readonly TimedAttempt[] {
  const known = attempts.get(history);
  if (known) return known;
  const { entries, scenario } = history;
  const { maxRetries = Number.POSITIVE_INFINITY, exponential } = scenario;
  const all: TimedAttempt[] = [];
  const latest = new Map<string, TimedAttempt>();
  const grounds = new Grounds();
  for (const [index, entry] of entries.entries()) {
    const { atMs } = entry;
    if (entry.kind === 'add') grounds.add(entry.item, atMs);
    if (entry.kind === 'begin') {
      const before = latest.get(entry.item);
      const attempt: TimedAttempt = {
        item: entry.item,
        began: index,
        beganAtMs: atMs,
        before,
        settled: Number.POSITIVE_INFINITY,
        settledAtMs: Number.POSITIVE_INFINITY,
        outcome: 'under way',
        failures: before?.outcome === 'failed' ? before.failures : 0,
        since: sinceWhen(before),
        retryAtMs: Number.POSITIVE_INFINITY,
        groundless: !grounds.begin(entry.item, atMs),
      };
      latest.set(entry.item, attempt);
      all.push(attempt);
    }
    if (entry.kind !== 'success' && entry.kind !== 'failure') continue;
    const attempt = latest.get(entry.item);
    if (!attempt) continue;
    attempt.settled = index;
    attempt.settledAtMs = atMs;
    attempt.outcome = 'succeeded';
    if (entry.kind === 'success') continue;
    attempt.outcome = attempt.failures < maxRetries ? 'failed' : 'given up';
    if (attempt.outcome === 'given up') continue;
    const waitMs = Math.min(exponential.baseDelayMs * 2 ** attempt.failures, exponential.maxDelayMs);
    attempt.failures++;
    attempt.retryAtMs = atMs + waitMs;
    grounds.add(entry.item, attempt.retryAtMs);
  }
  attempts.set(history, all);
  return all;
}

function sinceWhen(before: TimedAttempt | undefined): TimedAttempt['since'] {
  if (!before) return 'start';
  if (before.outcome === 'given up') return 'giving up';
  // A success after which nothing is different from the start says nothing about forgetting.
  return before.outcome === 'succeeded' && before.failures > 0 ? 'success' : before.since;
}

/** What each item may be tried for, by the time at which it is added. */
class Grounds {
  readonly #open = new Map<string, readonly number[]>();

  add(item: string, atMs: number): void {
    this.#open.set(item, [...(this.#open.get(item) ?? []), atMs]);
  }

  /** Uses up what an attempt that begins now is for. Gives whether there is anything. */
  begin(item: string, nowMs: number): boolean {
    const open = this.#open.get(item) ?? [];
    const due = open.filter((atMs) => atMs <= nowMs);
    // Of several, those of this very instant may have come after the item was taken: they are good for one more.
    const left = open.filter((atMs) => atMs > nowMs || (due.length > 1 && atMs === nowMs));
    this.#open.set(item, left);
    return due.length > 0;
  }
}

function judgeRetries(history: PoolHistory, counted: TimedAttempt['since']): readonly Breach[] {
  const all = attemptsIn(history);
  return all.flatMap((failed): readonly Breach[] => {
    if (failed.outcome !== 'failed' || failed.since !== counted) return [];
    const { item, failures, settledAtMs, retryAtMs } = failed;
    const since = { start: '', success: ' since a success', 'giving up': ' since it was given up' }[
      failed.since
    ];
    const what = `${item} failed at ${settledAtMs} ms, failure ${failures} in a row${since}, and was to wait ${retryAtMs - settledAtMs} ms`;
    const next = all.find(({ before }) => before === failed);
    if (next?.groundless && next.beganAtMs < retryAtMs) {
      const message = `${what}, but it was tried again after ${next.beganAtMs - settledAtMs} ms`;
      return [{ atMs: next.beganAtMs, message }];
    }
    return neglected(history, item, failed.settled, retryAtMs, what);
  });
}

/** Whether an item that was due from `dueMs` on was left lying, though a worker was free, until after the abort. */
function neglected(
  history: PoolHistory,
  item: string,
  since: number,
  dueMs: number,
  what: string,
): readonly Breach[] {
  const { entries, scenario } = history;
  const abortedAtMs = entries.find(({ kind }) => kind === 'abort')?.atMs ?? Number.POSITIVE_INFINITY;
  const all = attemptsIn(history);
  const begun = all.find((one) => one.item === item && one.began > since);
  const begunAtMs = begun?.beganAtMs ?? Number.POSITIVE_INFINITY;
  const runningAfter = (ms: number): readonly TimedAttempt[] =>
    all.filter(({ beganAtMs, settledAtMs }) => beganAtMs <= ms && ms < settledAtMs);
  const moments = [dueMs, ...all.map(({ settledAtMs }) => settledAtMs)].filter(
    (ms) => ms >= dueMs && ms < begunAtMs && ms < abortedAtMs,
  );
  const atMs = moments
    .toSorted((x, y) => x - y)
    .find((ms) => {
      const running = runningAfter(ms);
      return running.length < scenario.workers && running.every((one) => one.item !== item);
    });
  if (atMs === undefined) return [];
  const free = scenario.workers - runningAfter(atMs).length;
  const outcome = begun ? `it was seen to only at ${begunAtMs} ms` : 'it was never seen to';
  const message = `${what}; ${free} of ${scenario.workers} workers ${free === 1 ? 'was' : 'were'} free, but ${outcome}`;
  return [{ atMs, message }];
}
