import { extraProbe } from './extra-probe.ts';
import {
  containerIn,
  counted,
  type Guess,
  isOf,
  NOTHING_SEEN,
  type Subject,
  sayAnswers,
  sayUnmet,
  type Ticked,
  tick,
  type View,
} from './guess.ts';
import { type HistoryEntry, type Known, sayKey } from './history.ts';
import { missedTick } from './missed-tick.ts';
import { type Outcome, type Refusal, refuse, type Verdict } from './outcome.ts';
import type { LawName } from './reading.ts';
import { WorkerPast } from './worker-past.ts';

type Entry<K extends HistoryEntry['kind']> = Extract<HistoryEntry, { kind: K }>;

/**
 * Follows one worker through its life, from its addition on, and keeps all guesses that explain what is seen. When none is left
 * the worker is wrong, and the last guess says in what.
 */
export class WorkerJudge {
  readonly #subject: Subject;
  readonly #periodMs: number;
  /** What the simulation's first instant is in ms since 1970. */
  readonly #epochMs: number;
  readonly #met: (law: LawName) => void;
  /** The law that says when its ticks come. */
  readonly #timeLaw: 'spreads' | 'punctual';
  readonly #past: WorkerPast;
  #guesses: readonly Guess[];
  /** The statuses that can be seen at this instant: the one before it, and those that were made in it. */
  #views: View[] = [undefined];
  /** Its pod is to end. */
  #isEnding = false;
  verdict: Verdict | undefined;

  constructor(
    subject: Subject,
    {
      atMs,
      epochMs,
      callsMs,
      met,
    }: {
      readonly atMs: number;
      readonly epochMs: number;
      /** The calls of this probe in the whole run. */
      readonly callsMs: readonly number[];
      readonly met: (law: LawName) => void;
    },
  ) {
    this.#subject = subject;
    this.#epochMs = epochMs;
    this.#met = met;

    this.#periodMs = subject.plan.periodSeconds * 1_000;
    this.#past = new WorkerPast({ callsMs, periodMs: this.#periodMs });
    const isYoung = epochMs + atMs - subject.bootMs < this.#periodMs;
    if (isYoung) met('spreads');
    this.#timeLaw = isYoung ? 'spreads' : 'punctual';
    this.#guesses = [{ ...NOTHING_SEEN, fromMs: atMs, toMs: isYoung ? atMs + this.#periodMs : atMs }];
  }

  /** The next instant at which something is owed, even if nothing happens; infinite when nothing is. */
  get nextMs(): number {
    if (this.verdict) return Number.POSITIVE_INFINITY;
    return Math.min(
      ...this.#guesses
        .filter(({ call, ended }) => !call && !ended)
        .flatMap(({ fromMs, toMs }) => [toMs, ...this.#turns().filter((ms) => fromMs < ms && ms < toMs)]),
    );
  }

  /** When the delay of the container ends that is in view. */
  #turns(): readonly number[] {
    const { key, plan } = this.#subject;
    const { startedAt } = containerIn(this.#views.at(-1), key.container)?.state?.running ?? {};
    return startedAt ? [Date.parse(startedAt) + plan.initialDelaySeconds * 1_000 - this.#epochMs] : [];
  }

  /** Everything that happened at one instant, and what was owed at it. */
  pass(atMs: number, entries: readonly HistoryEntry[]): void {
    if (this.verdict) return;
    const statuses = entries.filter((entry): entry is Entry<'status'> => entry.kind === 'status');
    const isTurn = statuses.length > 0 || this.#turns().includes(atMs);
    if (isTurn) this.#try(atMs, (guess) => ({ guesses: this.#split(guess, atMs) }));
    const own = entries.filter((entry) => entry.kind !== 'status');
    for (const entry of statuses) this.#views.push(entry.status);
    for (const entry of statuses) this.#try(atMs, (guess) => ({ guesses: [this.#want(guess, entry)] }));
    const isQuiet = own.length === 0 && this.nextMs > atMs;
    for (const entry of isQuiet ? statuses : [])
      this.#try(atMs, (guess) => this.#compare(guess, entry.known));
    for (const entry of own) {
      if (entry.kind !== 'call') this.#past.note(entry);
      this.#try(atMs, (guess) => this.#explain(guess, entry, atMs));
      if (entry.kind === 'call') this.#past.note(entry);
    }
    this.#try(atMs, (guess) => this.#settle(guess, atMs));
    this.#views = this.#views.slice(-1);
    for (const { lives } of this.#guesses) {
      if (lives > 0) this.#met('begins');
      if (lives > 1) this.#met('fresh');
    }
  }

  #try(atMs: number, step: (guess: Guess) => Outcome): void {
    if (this.verdict) return;
    const outcomes = this.#guesses.map(step);
    const left = outcomes.flatMap(({ guesses }) => guesses);
    const refusal = outcomes.find((outcome) => outcome.refusal)?.refusal;
    if (left.length === 0 && refusal) this.verdict = { ...refusal, atMs };
    else if (left.length < 2) this.#guesses = left;
    else this.#guesses = [...new Map(left.map((guess) => [JSON.stringify(guess), guess])).values()];
  }

  /** What will be seen changes now: a worker that was to tick at some time may have done so before, unseen. */
  #split(guess: Guess, atMs: number): readonly Guess[] {
    const { fromMs, toMs, call, ended } = guess;
    if (fromMs >= atMs || toMs < atMs || fromMs === toMs || call || ended) return [guess];
    // At the instant of a new status it may still have seen the old one.
    const lastMs = this.#turns().includes(atMs) ? atMs - 1 : atMs;
    const before = this.#unseen(guess, lastMs).map(
      (one): Guess => ({ ...one, fromMs: fromMs + this.#periodMs, toMs: lastMs + this.#periodMs }),
    );
    return [{ ...guess, fromMs: atMs }, ...before];
  }

  /** A status was made: a container that runs, has started and is not ready is to be asked at once. */
  #want(guess: Guess, { status }: Entry<'status'>): Guess {
    const { key } = this.#subject;
    const container = containerIn(status, key.container);
    if (key.type !== 'readiness' || guess.ended || !container?.state?.running || !container.started)
      return guess;
    if (container.containerID === guess.containerID && guess.result === 'Success') return guess;
    if (guess.call || guess.fromMs !== guess.toMs) return { ...guess, wanted: 'may' };
    this.#met('prompt');
    return { ...guess, wanted: 'must' };
  }

  /** What the manager says it knows. */
  #compare(guess: Guess, known: readonly Known[]): Outcome {
    const { key } = this.#subject;
    const own = known.filter(({ type, containerID }) => type === key.type && isOf(containerID, key));
    const { result: held, ended, call, containerID } = guess;
    if (ended && call) return { guesses: [guess] };
    const expected = ended ? undefined : held;
    const old = own.find((one) => one.containerID !== containerID || expected === undefined);
    const name = sayKey(key);
    if (old) {
      const law = ended ?? 'fresh';
      return refuse(
        law,
        `${name}: the result ${old.result} of ${old.containerID} is still in the cache, although ${ended ? this.#past.sayStop : `its container was replaced by ${containerID}`}`,
      );
    }
    const [now] = own;
    if (now?.result === expected) return { guesses: [guess] };
    const law = now || !this.#isEnding ? 'counts' : 'ends';
    return refuse(
      law,
      `${name}: the cached result is ${now?.result ?? 'missing'}; expected ${expected ?? 'none'}${this.#isEnding && !ended ? ` (${this.#past.sayStop}, but that must not stop ${this.#subject.isSidecar ? 'the probes of a sidecar' : 'readiness probes'})` : ''}`,
    );
  }

  #explain(guess: Guess, entry: HistoryEntry, atMs: number): Outcome {
    switch (entry.kind) {
      case 'call':
        return entry.isFurther || guess.call ? this.#goOn(guess, entry) : this.#ask(guess, atMs);
      case 'answer':
        return { guesses: [this.#take(guess, entry)] };
      case 'update':
        return this.#hear(guess, entry, atMs);
      case 'stop':
        this.#isEnding = true;
        return { guesses: [this.#goesOn() ? guess : this.#end(guess, 'ends')] };
      default:
        return { guesses: [this.#end(guess, 'quiet')] };
    }
  }

  /** Readiness probes and sidecars outlast the word that their pod is to end. */
  #goesOn(): boolean {
    return this.#subject.isSidecar || this.#subject.key.type === 'readiness';
  }

  #end(guess: Guess, why: 'ends' | 'quiet'): Guess {
    if (!guess.ended) this.#met(why);
    return { ...guess, ended: guess.ended ?? why, result: undefined, owes: [], wanted: 'no' };
  }

  /** A call while a probe is under way: another try of it, or a redirect that it follows. */
  #goOn(guess: Guess, { isFurther }: Entry<'call'>): Outcome {
    const { call } = guess;
    const name = sayKey(this.#subject.key);
    const isDue = isFurther ? call?.next === 'further' : call?.next !== undefined && call.next !== 'further';
    if (call && isDue) return { guesses: [{ ...guess, call: { tries: call.tries + 1 } }] };
    return call && !isFurther
      ? refuse('oneAtATime', `${name}: a probe started while the one before it was still running`)
      : refuse('redirects', `${name}: the prober sent a further request, but the answer was not a redirect`);
  }

  /** A first call: a tick that asks. */
  #ask(guess: Guess, atMs: number): Outcome {
    const name = sayKey(this.#subject.key);
    if (guess.ended)
      return refuse(guess.ended, `${name}: a probe ran at ${atMs} ms, although ${this.#past.sayStop}`);
    const ticks = this.#ticksAt(guess, atMs);
    const asking = ticks
      .filter(({ reason }) => !reason)
      .map(({ guess: one }): Guess => ({ ...one, call: { tries: 1 } }));
    if (asking.length > 0) {
      this.#met('punctual');
      return { guesses: asking };
    }
    return { guesses: [], refusal: this.#tooMuch(guess, atMs) };
  }

  /** Why it should not have been asked. */
  #tooMuch(guess: Guess, atMs: number): Refusal {
    const [{ reason } = {}] = tick(this.#subject, guess, this.#views.at(-1), this.#epochMs + atMs);
    return extraProbe(this.#subject, guess, { reason, atMs, past: this.#past, timeLaw: this.#timeLaw });
  }

  /** All ticks that may be at this instant, with the time of the next one. */
  #ticksAt(guess: Guess, atMs: number): readonly Ticked[] {
    const { fromMs, toMs, call, ended, wanted } = guess;
    if (call || ended) return [];
    const afterwards = [
      ...(fromMs <= atMs ? this.#dueAfter(fromMs === toMs ? toMs : atMs, atMs) : []),
      ...(wanted === 'no' ? [] : [atMs + this.#periodMs]),
    ];
    return afterwards.flatMap((nextMs) =>
      this.#views.flatMap((view) => {
        const before: Guess = {
          ...guess,
          fromMs: nextMs,
          toMs: nextMs,
          wanted: wanted === 'must' ? 'may' : wanted,
        };
        return tick(this.#subject, before, view, this.#epochMs + atMs);
      }),
    );
  }

  /** When the next tick is due after one that was due at `dueMs` and came at `atMs`: those between them are left out. */
  #dueAfter(dueMs: number, atMs: number): readonly number[] {
    const period = this.#periodMs;
    if (dueMs === atMs) return [dueMs + period];
    this.#met('oneAtATime');
    const nextMs = dueMs + Math.floor((atMs - dueMs) / period + 1) * period;
    return [nextMs, ...(nextMs - period === atMs ? [atMs] : []), atMs + period];
  }

  #take(guess: Guess, { means }: Entry<'answer'>): Guess {
    const { call, ended } = guess;
    if (!call) return guess;
    const { call: _, ...free } = guess;
    if (means === 'redirect') return { ...guess, call: { ...call, next: 'further' } };
    if (means === 'error') {
      this.#met('retries');
      return call.tries < TRIES_MAX ? { ...guess, call: { ...call, next: 'again' } } : free;
    }
    if (ended) return { ...free, owes: ['Unknown', 'Success', 'Failure'] };
    const after = counted(this.#subject, guess, means);
    if (after.owes.length > 0 && after.run !== 1) this.#met('counts');
    if (after.isOnHold) this.#met('decided');
    return after;
  }

  /** Something was told. */
  #hear(guess: Guess, { containerID, result }: Entry<'update'>, atMs: number): Outcome {
    const name = sayKey(this.#subject.key);
    this.#met('tells');
    const heard = (one: Guess): readonly Guess[] => {
      const at = one.containerID === containerID ? one.owes.indexOf(result) : -1;
      return at < 0 ? [] : [{ ...one, owes: one.ended ? one.owes : one.owes.slice(at + 1) }];
    };
    const told = heard(guess);
    if (told.length > 0) return { guesses: told };
    const ticks = this.#ticksAt(guess, atMs);
    if (ticks.some(({ reason }) => reason === 'does not run')) this.#met('gone');
    const ticked = ticks.flatMap(({ guess: one, reason }) =>
      heard(reason ? one : { ...one, call: { tries: 0, next: 'first' } }),
    );
    if (ticked.length > 0) return { guesses: ticked };
    if (guess.ended)
      return refuse(
        guess.ended,
        `${name}: onUpdate was called with ${result}, although ${this.#past.sayStop}`,
      );
    if (containerID !== guess.containerID) {
      return refuse(
        'fresh',
        `${name}: onUpdate was called with ${result} for ${containerID}, but ${sayUnmet(this.#subject, guess, { containerID, views: this.#views })}`,
      );
    }
    return guess.result === result
      ? refuse(
          'tells',
          `${name}: onUpdate was called with ${result} again, although the result has not changed`,
        )
      : refuse(
          guess.isOnHold ? 'decided' : 'counts',
          `${name}: onUpdate was called with ${result}, but its result is ${guess.result ?? 'not known'}, and ${sayAnswers(this.#subject.plan, guess, this.#past.sayAnswer)}`,
        );
  }

  /** The instant is over: what was owed at it was done, or it is late. */
  #settle(guess: Guess, atMs: number): Outcome {
    const { owes, call, ended, wanted, toMs } = guess;
    const name = sayKey(this.#subject.key);
    if (ended) return { guesses: [{ ...guess, owes: [] }] };
    if (owes.length > 0) {
      const law = guess.run === 0 && !guess.isOnHold ? (guess.lives > 1 ? 'fresh' : 'begins') : 'counts';
      return refuse(
        law,
        `${name}: onUpdate was not called with ${owes.at(-1)}, although ${guess.run === 0 && !guess.isOnHold ? 'that is the initial result of a container that the worker sees for the first time' : sayAnswers(this.#subject.plan, guess, this.#past.sayAnswer)}`,
      );
    }
    if (call?.next === 'again')
      return refuse(
        'retries',
        `${name}: the probe ended in an error, but the worker did not retry it at once (up to ${TRIES_MAX} tries)`,
      );
    if (call?.next === 'further')
      return refuse(
        'redirects',
        `${name}: the answer was a redirect to another path of the same host, but the prober did not follow it`,
      );
    if (call?.next === 'first') return { guesses: [], refusal: this.#tooLittle(guess, atMs) };
    if (call) return { guesses: [guess] };
    if (toMs <= atMs) {
      const obligations = this.#dueAfter(toMs, atMs);
      const unseen = this.#unseen(guess, atMs);
      const guesses = obligations.flatMap((ms) =>
        unseen.map((one): Guess => ({ ...one, fromMs: ms, toMs: ms })),
      );
      const next = guess.fromMs === toMs ? guesses : unseen.map((one) => this.#slid(one, guess));
      if (next.length === 0) return { guesses: [], refusal: this.#tooLittle(guess, toMs) };
      return { guesses: next.map((one): Guess => ({ ...one, wanted: 'no' })) };
    }
    const left: Guess = { ...guess, wanted: 'no' };
    if (wanted === 'no') return { guesses: [left] };
    const resetMs = atMs + this.#periodMs;
    const unseen = this.#unseen(left, atMs).flatMap((one) => [
      one,
      { ...one, fromMs: resetMs, toMs: resetMs },
    ]);
    if (wanted === 'may') return { guesses: [left, ...unseen] };
    if (unseen.length > 0) return { guesses: unseen };
    return refuse(
      'prompt',
      `${name}: a status was made while the container was started and not ready, but no readiness probe ran at once: updatePodStatus must trigger it`,
    );
  }

  /** A tick at some time of its own, unseen: the next one comes a period later. */
  #slid(one: Guess, { fromMs, toMs }: Guess): Guess {
    return { ...one, fromMs: fromMs + this.#periodMs, toMs: toMs + this.#periodMs };
  }

  /** A tick of which nothing is to be seen, if there can be one. */
  #unseen(guess: Guess, atMs: number): readonly Guess[] {
    return this.#views
      .flatMap((view) => tick(this.#subject, guess, view, this.#epochMs + atMs))
      .filter(({ reason, guess: { owes } }) => reason && owes.length === 0)
      .map(({ guess: one, reason }) => {
        if (reason === 'delay') this.#met('delayed');
        if (reason === 'startup') this.#met('startupFirst');
        return one;
      });
  }

  #tooLittle(guess: Guess, dueMs: number): Refusal {
    const [view, timeLaw] = [this.#views.at(-1), this.#timeLaw];
    const { sayDue } = this.#past;
    return missedTick(this.#subject, guess, {
      view,
      dueMs,
      atMs: this.#epochMs + guess.toMs,
      sayDue,
      timeLaw,
    });
  }
}

/** Tries of one probe that cannot be made. */
const TRIES_MAX = 3;
