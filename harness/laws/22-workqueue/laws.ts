/**
 * The laws of a queue: each reads one history and names every place where it is broken. Safety laws say what never
 * happens; liveness laws say what has happened by when, as far as there was a worker to whom it could happen.
 */
import type { Breach } from '../../testing/holds.ts';
import { closingOf, type Due, requestIn } from './dues.ts';
import { type Account, accountOf, type HandOver } from './hand-overs.ts';
import type { WorkQueueHistory } from './history.ts';
import { inMs } from './limits.ts';

/** Reads a history; empty when the law holds. */
export type Law = (history: WorkQueueHistory) => readonly Breach[];

/** Safety. No item is ever in two hands. */
export const stingy: Law = (history) => {
  const { handOvers, timeOf } = accountOf(history);
  return handOvers.flatMap((one) => {
    const other = handOvers.find(
      ({ item, got, done }) => item === one.item && got < one.got && one.got < done,
    );
    if (!other) return [];
    const message = `${one.item} was handed to ${one.worker} while ${other.worker} still had it in hand`;
    return [{ atMs: timeOf(one.got), message }];
  });
};

/** Liveness. What was added while it was in hand is handed out again when it was given back. */
export const reentrant: Law = (history) => {
  const account = accountOf(history);
  return account.dues.flatMap((due) => {
    const holder = holderOf(account, due);
    if (!holder || due.delayMs > 0) return [];
    const added = `${due.item} was added at ${due.loMs} ms while ${holder.worker} had it in hand`;
    return late(account, due, added);
  });
};

/** Liveness. Whatever is added is handed out, as soon as there is somebody to take it. */
export const lossless: Law = (history) => {
  const account = accountOf(history);
  return account.dues.flatMap((due) =>
    due.delayMs > 0 || holderOf(account, due)
      ? []
      : late(account, due, `${due.item} was added at ${due.loMs} ms`),
  );
};

/**
 * Safety and liveness. What is to be added later is not handed out before its time, and it is added when that has
 * come; of several times for one item, at the earliest.
 */
export const patient: Law = (history) => {
  const account = accountOf(history);
  const { handOvers, closing, timeOf } = account;
  const early = handOvers.flatMap((one): Breach[] => {
    const next = one.due || one.got > closing ? undefined : nextDue(account, one);
    if (!next) return [];
    const message = `${one.item} was handed out, but it was to wait until ${next.readyAtMs} ms (${said(next)})`;
    return [{ atMs: timeOf(one.got), message }];
  });
  const tooLate = account.dues.flatMap((due) => {
    if (due.delayMs === 0) return [];
    const saidAtMs = timeOf(due.index);
    return late(account, due, `${due.item} was ready (${said({ saidAtMs, delayMs: due.delayMs })})`);
  });
  return [...early, ...tooLate];
};

/** Safety. However often an item is added while it waits, it is handed out once. */
export const deduplicating: Law = (history) => {
  const account = accountOf(history);
  const { handOvers, closing, timeOf } = account;
  return handOvers.flatMap((one, i): Breach[] => {
    if (one.due || one.got > closing || nextDue(account, one)) return [];
    const before = handOvers.findLast(({ item }, j) => item === one.item && j < i);
    const message = before
      ? `${one.item} was handed out again, though nobody had added it since it was handed out at ${timeOf(before.got)} ms`
      : `${one.item} was handed out, though nobody had added it`;
    return [{ atMs: timeOf(one.got), message }];
  });
};

/** Safety. Who has stood in line longest is handed out first. */
export const fair: Law = (history) => {
  const { handOvers, timeOf } = accountOf(history);
  return handOvers.flatMap((one): Breach[] => {
    if (!one.due) return [];
    const passed = handOvers.find(
      (other) => other.item !== one.item && other.inLine.to < one.inLine.from && one.got < other.asked,
    );
    if (!passed) return [];
    const message = `${one.item} was handed out before ${passed.item}, which should have stood in line since ${passed.inLine.toMs} ms`;
    return [{ atMs: timeOf(one.got), message }];
  });
};

/**
 * Safety and liveness. After a shut down nothing is added, and what stands in line is still handed out; who asks then
 * is told so, and nobody goes on waiting. Before it, nobody is.
 */
export const closes: Law = (history) => {
  const account = accountOf(history);
  const { entries, handOvers, waits, dues, closing, timeOf } = account;
  const added = handOvers.flatMap((one): Breach[] => {
    if (one.due || one.got < closing) return [];
    const message = `${one.item} was handed out after the shut down, though nobody had added it before`;
    return [{ atMs: timeOf(one.got), message }];
  });
  const sentHome = waits.flatMap(({ worker, asked, returned }): Breach[] => {
    if (entries[returned]?.kind !== 'end') return [];
    const atMs = timeOf(returned);
    if (returned < closing) return [{ atMs, message: `get gave ${worker} undefined before any shut down` }];
    const left = dues.find((due) => isInLineAllThe(account, due, asked, returned));
    if (!left) return [];
    const message = `get gave ${worker} undefined while ${left.item} should have stood in line (${sinceWhen(account, left, asked)})`;
    return [{ atMs, message }];
  });
  const closedAtMs = timeOf(closing);
  const leftWaiting = waits.flatMap(({ worker, asked, returned }): Breach[] => {
    const sinceMs = Math.max(timeOf(asked), closedAtMs);
    if (sinceMs === Number.POSITIVE_INFINITY || timeOf(returned) <= sinceMs) return [];
    return [{ atMs: sinceMs, message: `${worker} went on waiting in get, though the queue was shut down` }];
  });
  return [...added, ...sentHome, ...leftWaiting];
};

/**
 * Safety and liveness. `shutDownWithDrain` returns when nothing is in hand any more, and then it does; or when the
 * queue is shut down after all.
 */
export const drains: Law = (history) => {
  const account = accountOf(history);
  const { entries, timeOf } = account;
  const drain = entries.findIndex(({ kind }) => kind === 'drain');
  if (drain < 0) return [];
  const index = entries.findIndex(({ kind }) => kind === 'drained');
  const returned = index < 0 ? Number.POSITIVE_INFINITY : index;
  const forced = entries.findIndex(({ kind }, i) => kind === 'shutDown' && i > drain);
  const early = forced >= 0 && forced < returned ? [] : returnedEarly(account, drain, returned);
  const lastDone = entries.findLastIndex(({ kind }, i) => kind === 'done' && i > drain);
  const restMs = timeOf(Math.max(drain, lastDone));
  const byMs = forced >= 0 ? Math.min(timeOf(forced), restMs) : restMs;
  if (timeOf(returned) <= byMs) return early;
  const why = byMs === restMs ? 'nothing was in hand any more' : 'the queue was shut down after all';
  return [...early, { atMs: byMs, message: `${why}, but shutDownWithDrain had not returned` }];
};

/** Was there no moment, between the call and its return, at which nothing was in hand? */
function returnedEarly({ handOvers, timeOf }: Account, drain: number, returned: number): readonly Breach[] {
  if (returned === Number.POSITIVE_INFINITY) return [];
  let holder: HandOver | undefined;
  for (let i = drain; i < returned; i++) {
    holder = handOvers.find(({ got, done }) => got <= i && i < done);
    if (!holder) return [];
  }
  if (!holder) return [];
  const message = `shutDownWithDrain returned while ${holder.worker} had ${holder.item} in hand`;
  return [{ atMs: timeOf(returned), message }];
}

/** Who had the item in hand, all the time, when it was added. */
function holderOf({ handOvers }: Account, due: Due): HandOver | undefined {
  return handOvers.find(({ item, got, done }) => item === due.item && got < due.from && due.to < done);
}

/** The hand-over that an added item came to. */
function servedBy({ handOvers, timeOf }: Account, due: Due): HandOver | undefined {
  return handOvers.find(
    ({ item, got }) => item === due.item && got > due.index && (due.delayMs === 0 || timeOf(got) >= due.loMs),
  );
}

/** Whether an item that was added was left lying: nobody had it in hand, and somebody waited for one. */
function late(account: Account, due: Due, what: string): readonly Breach[] {
  if (!due.certain) return [];
  const { handOvers, waits, timeOf } = account;
  const served = servedBy(account, due);
  const servedAtMs = served ? timeOf(served.got) : Number.POSITIVE_INFINITY;
  if (servedAtMs <= due.hiMs) return [];
  const own = handOvers.filter(({ item }) => item === due.item);
  const inHandAfter = (ms: number): boolean =>
    own.some(({ got, done }) => timeOf(got) <= ms && ms < timeOf(done));
  const waiterAfter = (ms: number) =>
    waits.find(({ asked, returned }) => timeOf(asked) <= ms && ms < timeOf(returned));
  const moments = [
    due.hiMs,
    ...own.map(({ done }) => timeOf(done)),
    ...waits.map(({ asked }) => timeOf(asked)),
  ].filter((ms) => ms >= due.hiMs && ms < servedAtMs);
  const atMs = moments.toSorted((x, y) => x - y).find((ms) => !inHandAfter(ms) && waiterAfter(ms));
  const outcome = served ? `it was handed out only at ${servedAtMs} ms` : 'it was never handed out';
  if (atMs !== undefined) {
    const message = `${what}, and ${waiterAfter(atMs)?.worker} waited for an item, but ${outcome}`;
    return [{ atMs, message }];
  }
  return served ? [] : [{ atMs: due.hiMs, message: `${what}, but ${outcome}` }];
}

/** Whether a due item stood in line from one entry to another. */
function isInLineAllThe(account: Account, due: Due, from: number, to: number): boolean {
  if (!due.certain || due.to >= from) return false;
  const own = account.handOvers.filter(({ item }) => item === due.item);
  if (own.some(({ got, done }) => got <= to && from <= done)) return false;
  const served = servedBy(account, due);
  return !served || served.got > to;
}

/** Since when a due item should have stood in line, for one who asked at that entry, and why. */
function sinceWhen({ handOvers, timeOf }: Account, due: Due, asked: number): string {
  const before = handOvers.findLast(({ item, done }) => item === due.item && done < asked);
  const sinceMs = Math.max(due.hiMs, before ? timeOf(before.done) : 0);
  const { delayMs, index } = due;
  const saidAtMs = timeOf(index);
  return `since ${sinceMs} ms: ${delayMs > 0 ? said({ saidAtMs, delayMs }) : `it was added at ${saidAtMs} ms`}`;
}

/** Who wants an item later says so, and that may have been long before. */
function said({ saidAtMs, delayMs }: { readonly saidAtMs: number; readonly delayMs: number }): string {
  return `at ${saidAtMs} ms somebody said: in ${inMs(delayMs)} ms`;
}

interface Later {
  readonly readyAtMs: number;
  readonly saidAtMs: number;
  readonly delayMs: number;
}

/** When the item that was handed out without a reason would have been ready; undefined when it was not to be. */
function nextDue({ entries, dues, timeOf }: Account, one: HandOver): Later | undefined {
  const nowMs = timeOf(one.got);
  const next = dues.find((due) => due.item === one.item && due.index < one.got && due.loMs > nowMs);
  if (next) return { readyAtMs: next.loMs, saidAtMs: timeOf(next.index), delayMs: next.delayMs };
  // One that is dropped because the queue is shut down before is no due any more.
  const closing = closingOf(entries);
  const dropped = entries.findLast((entry, index) => {
    const request = index < Math.min(one.got, closing) ? requestIn(entry) : undefined;
    return request?.item === one.item && request.delayMs > 0 && entry.atMs + request.delayMs > nowMs;
  });
  const request = dropped && requestIn(dropped);
  if (!dropped || !request) return undefined;
  const { delayMs } = request;
  return { readyAtMs: Math.floor(dropped.atMs + delayMs), saidAtMs: dropped.atMs, delayMs };
}
