import { type Item, identityOf, sayError, sayItem } from '../history.ts';
import { isPool, type Pool, type WorkQueueScenario } from '../scenario/index.ts';
import { defaultLimits, Expectation, type Wait } from './limits.ts';

/** The law that requires an item to be handed out. */
export type Reason =
  | 'lossless'
  | 'reentrant'
  | 'patient'
  | 'backsOff'
  | 'forgets'
  | 'throttled'
  | 'persistent'
  | 'forgives'
  | 'givesUp'
  | 'unkillable';

/** A future add of an item. */
export interface Later {
  /** The earliest and the latest time of the add. */
  readonly loMs: number;
  readonly hiMs: number;
  /** Whether the item must be added; otherwise it may be. */
  certain: boolean;
  readonly reason: Reason;
  /** The reason, as a sentence: `producer 1 called addAfter(a, 50) at 3 ms`. */
  readonly why: string;
  /** The index of the first entry at or after the earliest time, minus a half; absent before that time. */
  from?: number;
}

/** The known state of one item. Numbers without a unit are indices of entries; halves lie between two entries. */
export interface Standing {
  readonly item: Item;
  /** Whether the item must be handed out, now or after done. */
  wanted: 'no' | 'maybe' | 'yes';
  reason: Reason;
  why: string;
  /** The entry since which the item is wanted. */
  since: number;
  /** The range of entries in which it entered the line; `to` is Infinity while that is uncertain. */
  line: { from: number; to: number };
  /** The workers that have it in hand. */
  hands: string[];
  laters: Later[];
  /** The entries of its adds at this instant. */
  adds: number[];
  /** The last time when it was handed out. */
  got: { readonly index: number; readonly atMs: number } | undefined;
  /** Its last done. */
  gaveBack: { readonly worker: string; readonly atMs: number } | undefined;
  /** The reason why its failures count from the first again. */
  streak: 'start' | 'forgotten' | 'success' | 'giving up';
}

/** The part of a message about a failure that names the reason why its failures count from the first. */
export const sayStreak: Readonly<Record<Standing['streak'], string>> = {
  start: '',
  forgotten: ' (after forget)',
  success: ' (after a success)',
  'giving up': ' (after it was given up)',
};

/** An item that was handed out: the entry since which it was in line, and the reason. */
export interface HandOver {
  readonly from: number;
  readonly why: string;
}

/** A drain that has not resolved. */
export interface Drain {
  /** Whether no item was in hand at some moment since the drain began. */
  hasRested: boolean;
  /** The call that followed it and ended its wait. */
  endedBy: 'shutDown' | 'abort' | undefined;
}

/** A failure that `onError` has not received. */
export interface Unreported {
  readonly item: Item;
  readonly error: unknown;
}

/**
 * The known state of a queue at one moment, from its calls and results. It follows the contract and shares no code with
 * the reference. If two events happen at one instant, either order is correct: the snapshot then knows the certain and
 * the possible state.
 */
export class Snapshot {
  readonly staff: WorkQueueScenario['staff'];
  readonly standings = new Map<Item, Standing>();
  /** The workers that wait in get, with the entries of their calls. */
  readonly waiting = new Map<string, number>();
  readonly unreported: Unreported[] = [];
  readonly expectation: Expectation;
  readonly #tokensAreRounded: boolean;
  nowMs = 0;
  /** Whether the queue is shut down. */
  closed = false;
  /** Whether `runWorkers` was called, its signal was aborted, and it returned. */
  employed = false;
  aborted = false;
  returned = false;
  mustered = false;
  /** The drains that have not resolved. */
  readonly drains = new Map<number, Drain>();

  constructor({ staff, limits }: WorkQueueScenario) {
    this.staff = staff;
    // The default bucket may count in slightly inexact fractions, and a clock rounds up.
    this.#tokensAreRounded = limits === 'default';
    this.expectation = new Expectation(limits === 'default' ? defaultLimits : limits);
  }

  /** The pool, if `runWorkers` runs the workers. */
  get pool(): Pool | undefined {
    return isPool(this.staff) ? this.staff : undefined;
  }

  /** The code under test, as messages name it. */
  get subject(): string {
    return this.pool ? 'runWorkers' : 'the queue';
  }

  /** The reason why `runWorkers` must not return now; undefined if it may. */
  get objectionToReturn(): string | undefined {
    if (this.inHand > 0) return 'while a sync was running';
    if (this.aborted) return undefined;
    const [first] = this.line;
    const due = first && `${sayItem(first.item)} waits in line${identityOf(first.item)}`;
    if (this.closed) return due && `while ${due}`;
    return `although neither the signal was aborted nor the queue shut down${due ? `; ${due}` : ''}`;
  }

  /** The number of items in hand. */
  get inHand(): number {
    return this.all.reduce((sum, { hands }) => sum + hands.length, 0);
  }

  /** The number of workers that can take an item now. */
  get free(): number {
    if (!this.pool) return this.waiting.size;
    return !this.employed || this.aborted || this.returned ? 0 : this.pool.workers - this.inHand;
  }

  get all(): readonly Standing[] {
    return [...this.standings.values()];
  }

  /** The items that certainly wait in line. */
  get line(): readonly Standing[] {
    return this.all.filter(({ wanted, hands }) => wanted === 'yes' && hands.length === 0);
  }

  of(item: Item): Standing {
    const known = this.standings.get(item);
    if (known) return known;
    const standing: Standing = {
      item,
      wanted: 'no',
      reason: 'lossless',
      why: '',
      since: 0,
      line: { from: 0, to: Number.POSITIVE_INFINITY },
      hands: [],
      laters: [],
      adds: [],
      got: undefined,
      gaveBack: undefined,
      streak: 'start',
    };
    this.standings.set(item, standing);
    return standing;
  }

  /** Adds an item now. */
  add(item: Item, index: number, by: string): void {
    const one = this.of(item);
    if (this.closed) return;
    one.adds.push(index);
    if (one.wanted === 'yes') return;
    const holder = one.hands[0];
    const while_ = holder === undefined ? '' : ` while ${holder} had it in hand`;
    one.why = `${by} added ${sayItem(item)} at ${this.nowMs} ms${while_}`;
    one.reason = this.mustered ? 'unkillable' : holder === undefined ? 'lossless' : 'reentrant';
    // It may have entered the line earlier at this instant, if a delay ends now.
    const ready = one.laters.flatMap(({ loMs, from = index }) => (loMs <= this.nowMs ? [from] : []));
    one.line = { from: Math.min(index, ...ready, one.wanted === 'maybe' ? one.line.from : index), to: index };
    one.since = index;
    one.wanted = 'yes';
  }

  /** Adds an item later. The earliest of several times counts. */
  addLater(item: Item, delayMs: number, reason: Reason, why: string, roundingMs = 0): void {
    if (this.closed) return;
    const one = this.of(item);
    const loMs = this.nowMs + Math.ceil(delayMs);
    const later: Later = { loMs, hiMs: loMs + roundingMs, certain: true, reason, why };
    const known = one.laters.find(({ certain, loMs: readyMs }) => certain && readyMs > this.nowMs);
    if (known) {
      const first = later.loMs < known.loMs ? later : known;
      const hiMs = Math.min(known.hiMs, later.hiMs);
      one.laters = one.laters.map((each) => (each === known ? { ...first, hiMs } : each));
      return;
    }
    // If a delay ends at this instant, the item may still be waiting for it, and then the earlier time counts.
    later.certain = one.laters.every(({ loMs: readyMs }) => readyMs > later.hiMs);
    one.laters.push(later);
  }

  /** Counts a failure of the item, and adds it again after its wait. */
  fail(item: Item, reason: Reason, what: string, index: number): Wait {
    const wait = this.expectation.fail(item, this.nowMs);
    if (wait.ms === 0) {
      this.add(item, index, what);
      return wait;
    }
    const failures = this.expectation.failuresOf(item);
    const roundingMs = wait.isCounted && this.#tokensAreRounded ? 1 : 0;
    const why = `${what} at ${this.nowMs} ms: ${this.expectation.explain(wait, failures)}`;
    this.addLater(item, wait.ms, wait.isForToken ? 'throttled' : reason, why, roundingMs);
    return wait;
  }

  /** Stops all adds. An item whose delay ends at this instant may or may not have been added. */
  close(): void {
    this.closed = true;
    for (const one of this.all) {
      one.laters = one.laters.filter(({ loMs }) => loMs <= this.nowMs);
      for (const later of one.laters) later.certain = false;
    }
  }

  /** Notes that a worker called done. */
  giveBack(item: Item, worker: string, index: number): void {
    const one = this.of(item);
    one.hands.splice(one.hands.indexOf(worker), 1);
    one.gaveBack = { worker, atMs: this.nowMs };
    if (this.inHand === 0) for (const drain of this.drains.values()) drain.hasRested = true;
    if (one.wanted === 'no') return;
    one.line = { from: index, to: one.wanted === 'yes' ? index : Number.POSITIVE_INFINITY };
  }

  /** Ends an instant: all its delays have ended. `index` is that of the next entry, minus a half. */
  endInstant(index: number): void {
    for (const one of this.all) {
      for (const later of one.laters.filter(({ hiMs }) => hiMs <= this.nowMs)) this.#ready(one, later, index);
      one.laters = one.laters.filter(({ hiMs }) => hiMs > this.nowMs);
      one.adds = [];
      // A free worker gets every item in line, so an item that it does not get is not in line.
      if (one.wanted === 'maybe' && one.hands.length === 0 && this.free > this.line.length) one.wanted = 'no';
    }
  }

  #ready(one: Standing, later: Later, index: number): void {
    const { certain, reason, why, loMs, from = index } = later;
    if (one.wanted === 'yes') return;
    // If it was handed out meanwhile, that may have been after its delay ended.
    const isKnown = certain && !(one.got && one.got.atMs >= loMs && one.got.index > from);
    // It may have been in line before.
    const since = one.wanted === 'maybe' ? Math.min(one.line.from, from) : from;
    one.line = { from: since, to: isKnown ? index : Number.POSITIVE_INFINITY };
    one.wanted = isKnown ? 'yes' : 'maybe';
    Object.assign(one, { reason, why, since });
  }

  /** The next time at which a delay may end. */
  get nextMs(): number {
    const times = this.all.flatMap(({ laters }) => laters.flatMap(({ loMs, hiMs }) => [loMs, hiMs]));
    return Math.min(...times.filter((ms) => ms > this.nowMs), Number.POSITIVE_INFINITY);
  }

  /** Begins a new instant. */
  beginInstant(atMs: number, index: number): void {
    this.nowMs = atMs;
    for (const one of this.all)
      for (const later of one.laters) if (later.loMs <= atMs && later.from === undefined) later.from = index;
  }

  /**
   * Hands an item to a worker whose get was called at entry `asked`.
   *
   * @returns the entry since which the item was in line, and the reason; `undefined` if it had no reason to be handed out
   */
  take(item: Item, worker: string, asked: number, index: number): HandOver | undefined {
    const one = this.of(item);
    one.hands.push(worker);
    one.got = { index, atMs: this.nowMs };
    const { why } = one;
    const { from } = one.line;
    if (one.wanted !== 'no') {
      // An add after the item may have left the line makes it wanted again.
      const after = Math.max(one.since, asked);
      const again = one.adds.some((added) => added > after);
      one.wanted = again ? 'maybe' : 'no';
      if (again) {
        one.reason = 'reentrant';
        one.why = `${sayItem(item)} was added again at ${this.nowMs} ms`;
      }
      return { from, why };
    }
    const ready = one.laters.find(({ loMs }) => loMs <= this.nowMs);
    if (!ready) return undefined;
    one.laters.splice(one.laters.indexOf(ready), 1);
    return { from: ready.from ?? index, why: ready.why };
  }

  /** Explains why an item that is in hand must not be handed to this worker, too. */
  objectionToSecond(item: Item, worker: string): string {
    const { wanted, hands, got, gaveBack } = this.of(item);
    const name = sayItem(item);
    if (this.pool) {
      const running = `runWorkers called sync(${name}) while an earlier sync(${name}) was still running`;
      return this.pool.workers === 1
        ? `${running}, although it has only 1 worker: await each sync before done and the next get`
        : `${running}: ${name} is in hand until that sync has settled and done was called`;
    }
    const [holder] = hands;
    const rule =
      wanted === 'no'
        ? 'one add must hand the item to one get only'
        : `${name} was added while ${holder} had it in hand, so it must wait until ${holder} calls done`;
    // The fault may be in the done before: it handed the item out again, and forgot that it is in hand.
    const early =
      wanted !== 'no' && gaveBack && got?.atMs === gaveBack.atMs
        ? `. ${holder} got it at ${got.atMs} ms, when ${gaveBack.worker} called done: from then on, ${holder} has it in hand`
        : '';
    return `the queue handed ${name} to ${worker} while ${holder} had it in hand: ${rule}${early}`;
  }

  /** Explains why `onError` must not have been called with this error. */
  objectionToReport(item: Item, error: unknown): string {
    const left = this.unreported.filter((one) => one.item === item).map((one) => sayError(one.error));
    const rule = left.length === 0 ? 'no failure of it is left to report' : `sync threw ${left.join(', ')}`;
    return `runWorkers called onError for ${sayItem(item)} with ${sayError(error)}, but ${rule}: each error that sync throws must be reported once`;
  }

  /**
   * Explains why an item must not have been handed out, with the law that forbids it.
   *
   * @param before the previous time when it was handed out
   */
  objection(
    item: Item,
    before: Standing['got'],
  ): { readonly law: Reason | 'closes' | 'deduplicating'; readonly message: string } {
    const name = sayItem(item);
    const { laters, streak } = this.of(item);
    const [next] = laters.toSorted((x, y) => x.loMs - y.loMs);
    if (next) {
      const message = `${this.subject} handed out ${name} at ${this.nowMs} ms, but it must wait until ${next.loMs} ms: ${next.why}`;
      return { law: next.reason, message };
    }
    if (this.closed)
      return {
        law: 'closes',
        message: `${this.subject} handed out ${name} after the shutdown, although it was not in line before: a queue that is shut down must add no items`,
      };
    if (this.pool && streak === 'giving up')
      return {
        law: 'givesUp',
        message: `runWorkers called sync(${name}) again, although it failed more often than maxRetries and was not added since`,
      };
    const since = before ? ` since it was handed out at ${before.atMs} ms` : '';
    const message = `${this.subject} handed out ${name} at ${this.nowMs} ms, although it was not added${since}`;
    return { law: 'deduplicating', message };
  }
}
