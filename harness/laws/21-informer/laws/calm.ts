import { isExpired, isTooLargeResourceVersion, isTooManyRequests, StatusError } from '../../../api/status.ts';
import { isConnectionRefused } from '../../../contracts/connection-error.ts';
import { lawAbout, type Violation } from '../../../testing/holds.ts';
import type { HistoryEntry, InformerHistory, Of, RequestKind } from '../history.ts';
import { requestNames } from '../render/names.ts';
import { SHORT_WATCH_MS } from './frugal.ts';
import { violation } from './law.ts';

const BACKOFF_MS_MIN = 800;
const BACKOFF_MS_MAX = 30_000;
const BACKOFF_RESET_MS = 120_000;
/** The number of waits without any jitter that cannot be a coincidence. */
const WAITS = 4;

/**
 * Safety and liveness. After a failure, the next request waits at least 0.8 s. Each further failure in a row doubles
 * the wait, up to 30 s; jitter, or Retry-After, adds up to as much again. Two informers wait differently, also at the
 * maximum. After two minutes without a failure, the wait starts at 0.8 s again: a list that succeeds before does not reset
 * it. A watch that ends at once without an event is a failure,
 * too.
 *
 * Three requests may follow at once: a list without a version, if the server does not have the version; a list, if a
 * page has expired; a list, if the server refuses a streaming list.
 */
export const calm = lawAbout<InformerHistory>(
  {
    name: 'a request that failed',
    isMet: ({ entries }) => entries.some(({ kind }) => kind === 'failed'),
  },
  ({ entries }) => {
    const waits = new Waits();
    const wrong = entries.flatMap((entry) => waits.take(entry));
    return [...wrong, ...waits.withoutChance()];
  },
);

/** A failure, and the requests that may follow it at once. */
interface Failure {
  readonly atMs: number;
  readonly error: unknown;
  /** The failed request; absent for a watch that ended at once. */
  readonly request?: RequestKind;
  /** Returns whether this request may follow without a wait. */
  isFree(entry: Of<'asked'>): boolean;
}

class Waits {
  #failure: Failure | undefined;
  #inRow = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #lastCountedMs = Number.NEGATIVE_INFINITY;
  #maxMs = 0;
  #openedMs = 0;
  #events = 0;
  /** Whether the initial events are complete, and no event has followed. */
  #hasJustListed = false;
  /** For each wait after a failure: the distance to the nearest wait without jitter, in ms. */
  readonly #strays: Stray[] = [];

  take(entry: HistoryEntry): readonly Violation[] {
    switch (entry.kind) {
      case 'asked':
        return this.#asked(entry);
      case 'failed':
        this.#fail(entry, entry.error);
        return [];
      case 'event':
        this.#events++;
        this.#hasJustListed = false;
        if (entry.event.type === 'ERROR') this.#fail(entry, new StatusError(entry.event.object));
        else this.#inRow = 0;
        return [];
      case 'opened':
        this.#events = 0;
        this.#inRow = 0;
        return [];
      case 'listed':
        this.#hasJustListed = entry.request === 'stream';
        return [];
      case 'ended':
        this.#ended(entry);
        return [];
      default:
        return [];
    }
  }

  /** Returns a violation if no wait has jitter, or no wait at the maximum. */
  withoutChance(): readonly Violation[] {
    const longest = this.#strays.filter(({ leastMs }) => leastMs === BACKOFF_MS_MAX);
    return [
      ...exactly(this.#strays, 'a step of the back-off'),
      ...exactly(longest, `the maximum, ${BACKOFF_MS_MAX} ms`),
    ].slice(0, 1);
  }

  #fail(
    { atMs, request }: Of<'failed'> | Of<'event'> | Of<'ended'>,
    error: unknown,
    isFree = freeAfter(request, error),
  ): void {
    // A long wait and a request that times out can also take two minutes: then the back-off may restart.
    if (atMs - this.#lastCountedMs > BACKOFF_RESET_MS) this.#inRow = 0;
    const rested = atMs - this.#lastMs > BACKOFF_RESET_MS + 2 * BACKOFF_MS_MAX;
    this.#maxMs = rested ? 2 * BACKOFF_MS_MIN : 2 * BACKOFF_MS_MAX;
    this.#lastMs = atMs;
    if (!isFree) {
      this.#inRow++;
      this.#lastCountedMs = atMs;
    }
    this.#failure = { atMs, error, ...(request && { request }), isFree: isFree ?? (() => false) };
  }

  #ended(entry: Of<'ended'>): void {
    if (entry.atMs - this.#openedMs >= SHORT_WATCH_MS) return;
    if (this.#events === 0) this.#fail(entry, undefined);
    // The stream ended right after the initial events. The contract does not say if that is a failure, but no list may
    // follow at once.
    else if (this.#hasJustListed) this.#fail(entry, undefined, ({ request }) => request === 'watch');
  }

  #asked(entry: Of<'asked'>): readonly Violation[] {
    // The duration may count from the request or from the answer, so the longer one must be short.
    this.#openedMs = entry.atMs;
    const failure = this.#failure;
    if (!failure) return [];
    this.#failure = undefined;
    if (failure.isFree(entry)) return [];
    const waitedMs = entry.atMs - failure.atMs;
    const askedMs = askedToWaitMs(failure.error);
    const baseMs = Math.min(BACKOFF_MS_MIN * 2 ** (Math.max(1, this.#inRow) - 1), BACKOFF_MS_MAX);
    const leastMs = Math.max(baseMs, isTooManyRequests(failure.error) ? askedMs : 0);
    const mostMs = Math.max(this.#maxMs, askedMs) + 1;
    if (askedMs === 0) this.#strays.push({ entry, waitedMs, leastMs: baseMs, ms: strayOf(waitedMs) });
    if (waitedMs < leastMs) {
      const reason =
        leastMs > baseMs
          ? 'the server asked for that with Retry-After'
          : `${BACKOFF_MS_MIN} ms, doubled with each failure in a row, at most ${BACKOFF_MS_MAX} ms`;
      const message = `the informer sent a ${requestNames[entry.request]} ${waitedMs} ms after ${nameOf(failure)}, failure ${Math.max(1, this.#inRow)} in a row; it must wait at least ${leastMs} ms: ${reason}`;
      return [violation(entry, message)];
    }
    if (waitedMs <= mostMs) return [];
    const isFirst = this.#maxMs === 2 * BACKOFF_MS_MIN;
    const reason =
      askedMs > this.#maxMs
        ? `the server asked for ${askedMs} ms`
        : `a back-off of ${this.#maxMs / 2} ms and at most as much jitter`;
    const since = isFirst
      ? `; no failure in the ${BACKOFF_RESET_MS / 1_000} s before, so it starts again`
      : '';
    const message = `the informer sent a ${requestNames[entry.request]} only ${waitedMs} ms after ${nameOf(failure)}; it must retry within ${mostMs - 1} ms: ${reason}${since}`;
    return [violation(entry, message)];
  }
}

/** A wait after a failure. */
interface Stray {
  readonly entry: HistoryEntry;
  readonly waitedMs: number;
  /** The wait without jitter. */
  readonly leastMs: number;
  /** The distance to the nearest wait without jitter. */
  readonly ms: number;
}

/** Returns a violation if none of several waits has jitter. */
function exactly(strays: readonly Stray[], what: string): readonly Violation[] {
  const [first] = strays;
  if (!first || strays.length < WAITS || strays.some(({ ms }) => ms >= 1)) return [];
  const waits = strays
    .slice(0, WAITS)
    .map(({ waitedMs }) => waitedMs)
    .join(', ');
  return [
    violation(
      first.entry,
      `each of ${strays.length} waits was exactly ${what} (first ${waits} ms): without jitter, all informers of a cluster retry at the same moment`,
    ),
  ];
}

/** Returns which requests may follow a failure at once; `undefined` if none may. */
function freeAfter(request: RequestKind | undefined, error: unknown): Failure['isFree'] | undefined {
  const isUnavailable = isExpired(error) || isTooLargeResourceVersion(error);
  const isNewest = (entry: Of<'asked'>): boolean => entry.version === '' && entry.request !== 'watch';
  switch (request) {
    case 'page':
      return isUnavailable ? (entry) => entry.request === 'list' : undefined;
    case 'list':
      return isUnavailable ? isNewest : undefined;
    case 'stream':
      if (isTooManyRequests(error) || isConnectionRefused(error)) return undefined;
      return (entry) => entry.request === 'list' || (isUnavailable && isNewest(entry));
    default:
      return undefined;
  }
}

/** Names a failure: `a watch that failed (Expired)`. */
function nameOf({ error, request }: Failure): string {
  if (error === undefined) return 'a watch that ended at once without an event';
  return `a ${request ? requestNames[request] : 'request'} that failed (${error instanceof StatusError ? error.reason : String(error)})`;
}

/** Returns the distance of a wait to the nearest wait without jitter, in ms. */
function strayOf(waitedMs: number): number {
  const bases = [0, 1, 2, 3, 4, 5].map((i) => BACKOFF_MS_MIN * 2 ** i);
  return Math.min(...[...bases, BACKOFF_MS_MAX].map((ms) => Math.abs(waitedMs - ms)));
}

function askedToWaitMs(error: unknown): number {
  return error instanceof StatusError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
}
