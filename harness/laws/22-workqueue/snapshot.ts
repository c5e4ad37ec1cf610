import { type Item, identityOf, sayItem } from './history.ts';
import { defaultLimits, Expectation, type Wait } from './limits.ts';
import { isPool, type Pool, type WorkQueueScenario } from './scenario.ts';

/** Which law an item that is to be handed out is owed by. */
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

/** A time at which an item is added. */
export interface Later {
  /** The item is added at this time at the earliest, and at the latest. */
  readonly loMs: number;
  readonly hiMs: number;
  /** Whether it must be; otherwise it may be. */
  certain: boolean;
  readonly reason: Reason;
  /** Why, as a sentence: `producer 1 called addAfter(a, 50) at 3 ms`. */
  readonly why: string;
  /** The entry before which the first of these times began, less a half; absent while it has not come. */
  from?: number;
}

/** What is known of one item. Numbers without a unit are indices of entries; halves lie between two. */
export interface Standing {
  readonly item: Item;
  /** Whether it is to be handed out, now or when it is given back. */
  wanted: 'no' | 'maybe' | 'yes';
  reason: Reason;
  why: string;
  /** The entry since which it is wanted. */
  since: number;
  /** Between which entries it came into the line; `to` is Infinity while that is not certain. */
  line: { from: number; to: number };
  /** The workers that have it in hand. */
  hands: string[];
  laters: Later[];
  /** Where it was added at this instant. */
  adds: number[];
  /** When it was last handed out. */
  got: { readonly index: number; readonly atMs: number } | undefined;
  /** How its failures came to be counted from the first again. */
  streak: 'start' | 'forgotten' | 'success' | 'giving up';
}

/** How a sentence about a failure goes on. */
export const sayStreak: Readonly<Record<Standing['streak'], string>> = {
  start: '',
  forgotten: ' since it was forgotten',
  success: ' since its success',
  'giving up': ' since it was given up',
};

/** A drain that has not resolved. */
export interface Drain {
  /** Whether nothing was in hand at some moment since it began. */
  hasRested: boolean;
  /** Whether a `shutDown` came after it. */
  isCutShort: boolean;
}

/** A failure that `onError` has not been told of. */
export interface Untold {
  readonly item: Item;
  readonly error: unknown;
}

/**
 * All that one knows of a queue at one moment, from what was asked of it and what it handed out. It is the queue as its
 * contract has it, and shares no code with one. Where two things happen at one instant, either may have come first, and both
 * are right: then it is known what must be, and what may be.
 */
export class Snapshot {
  readonly staff: WorkQueueScenario['staff'];
  readonly standings = new Map<Item, Standing>();
  /** The workers that wait in get, and the entries at which they asked. */
  readonly waiting = new Map<string, number>();
  readonly untold: Untold[] = [];
  readonly expectation: Expectation;
  readonly #tokensAreRounded: boolean;
  nowMs = 0;
  /** Whether the queue is shut down. */
  closed = false;
  /** Whether `runWorkers` was told to stop, and whether it returned. */
  aborted = false;
  returned = false;
  mustered = false;
  /** The drains that have not resolved. */
  readonly drains = new Map<number, Drain>();

  constructor({ staff, limits }: WorkQueueScenario) {
    this.staff = staff;
    // A bucket of the queue's own may count in fractions that are a little off, and a clock rounds up.
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
    if (this.inHand > 0) return 'while a sync was under way';
    if (this.aborted) return undefined;
    const [first] = this.line;
    const due = first && `${sayItem(first.item)} waits in the line${identityOf(first.item)}`;
    if (this.closed) return due && `while ${due}`;
    return `although neither the signal was aborted nor the queue shut down${due ? `; ${due}` : ''}`;
  }

  /** How many items are in hand. */
  get inHand(): number {
    return this.all.reduce((sum, { hands }) => sum + hands.length, 0);
  }

  /** How many workers could take an item now. */
  get free(): number {
    if (!this.pool) return this.waiting.size;
    return this.aborted || this.returned ? 0 : this.pool.workers - this.inHand;
  }

  get all(): readonly Standing[] {
    return [...this.standings.values()];
  }

  /** What certainly stands in line. */
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
      streak: 'start',
    };
    this.standings.set(item, standing);
    return standing;
  }

  /** An item is added now. */
  add(item: Item, index: number, by: string): void {
    const one = this.of(item);
    if (this.closed) return;
    one.adds.push(index);
    if (one.wanted === 'yes') return;
    const holder = one.hands[0];
    const while_ = holder === undefined ? '' : ` while ${holder} had it in hand`;
    one.why = `${by} added ${sayItem(item)} at ${this.nowMs} ms${while_}`;
    one.reason = this.mustered ? 'unkillable' : holder === undefined ? 'lossless' : 'reentrant';
    // It may have come into the line before: at this very instant, if that is its time.
    const ready = one.laters.flatMap(({ loMs, from = index }) => (loMs <= this.nowMs ? [from] : []));
    one.line = { from: Math.min(index, ...ready, one.wanted === 'maybe' ? one.line.from : index), to: index };
    one.since = index;
    one.wanted = 'yes';
  }

  /** An item is to be added later. Of several times the earliest counts. */
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
    // If its time has come at this very instant, it may wait for that still, and then the earlier time counts.
    later.certain = one.laters.every(({ loMs: readyMs }) => readyMs > later.hiMs);
    one.laters.push(later);
  }

  /** Counts a failure of the item, and adds it again when it has waited. */
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

  /** From now on nothing is added; what is ready at this very instant may have been. */
  close(): void {
    this.closed = true;
    for (const one of this.all) {
      one.laters = one.laters.filter(({ loMs }) => loMs <= this.nowMs);
      for (const later of one.laters) later.certain = false;
    }
  }

  /** An item is given back. */
  giveBack(item: Item, worker: string, index: number): void {
    const one = this.of(item);
    one.hands.splice(one.hands.indexOf(worker), 1);
    if (this.inHand === 0) for (const drain of this.drains.values()) drain.hasRested = true;
    if (one.wanted === 'no') return;
    one.line = { from: index, to: one.wanted === 'yes' ? index : Number.POSITIVE_INFINITY };
  }

  /** An instant is over: what was to be added at it was added. `index` is that of the next entry, less a half. */
  endInstant(index: number): void {
    for (const one of this.all) {
      for (const later of one.laters.filter(({ hiMs }) => hiMs <= this.nowMs)) this.#ready(one, later, index);
      one.laters = one.laters.filter(({ hiMs }) => hiMs > this.nowMs);
      one.adds = [];
      // What a free worker does not get does not stand in line.
      if (one.wanted === 'maybe' && one.hands.length === 0 && this.free > this.line.length) one.wanted = 'no';
    }
  }

  #ready(one: Standing, later: Later, index: number): void {
    const { certain, reason, why, loMs, from = index } = later;
    if (one.wanted === 'yes') return;
    // If it was handed out meanwhile, that may have been after its time came.
    const isKnown = certain && !(one.got && one.got.atMs >= loMs && one.got.index > from);
    // It may have stood in line before.
    const since = one.wanted === 'maybe' ? Math.min(one.line.from, from) : from;
    one.line = { from: since, to: isKnown ? index : Number.POSITIVE_INFINITY };
    one.wanted = isKnown ? 'yes' : 'maybe';
    Object.assign(one, { reason, why, since });
  }

  /** When something may be ready next, after now. */
  get nextMs(): number {
    const times = this.all.flatMap(({ laters }) => laters.flatMap(({ loMs, hiMs }) => [loMs, hiMs]));
    return Math.min(...times.filter((ms) => ms > this.nowMs), Number.POSITIVE_INFINITY);
  }

  /** A new instant begins. */
  beginInstant(atMs: number, index: number): void {
    this.nowMs = atMs;
    for (const one of this.all)
      for (const later of one.laters) if (later.loMs <= atMs && later.from === undefined) later.from = index;
  }

  /**
   * An item was handed out to a worker that asked at entry `asked`.
   *
   * @returns why it was; `undefined` when there was no reason
   */
  take(item: Item, worker: string, asked: number, index: number): { readonly from: number } | undefined {
    const one = this.of(item);
    one.hands.push(worker);
    one.got = { index, atMs: this.nowMs };
    const { from } = one.line;
    if (one.wanted !== 'no') {
      // What was added after it may have been taken off the line makes it wanted again.
      const after = Math.max(one.since, asked);
      const again = one.adds.some((added) => added > after);
      one.wanted = again ? 'maybe' : 'no';
      if (again) {
        one.reason = 'reentrant';
        one.why = `${sayItem(item)} was added again at ${this.nowMs} ms`;
      }
      return { from };
    }
    const ready = one.laters.find(({ loMs }) => loMs <= this.nowMs);
    if (!ready) return undefined;
    one.laters.splice(one.laters.indexOf(ready), 1);
    return { from: ready.from ?? index };
  }

  /**
   * Why an item that was handed out without a reason should not have been, and the law that says so.
   *
   * @param before when it was handed out before that
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
        message: `${this.subject} handed out ${name} after the shut down, although it was not in the line before: a closed queue takes no items`,
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
