import { type HistoryEntry, sayKey } from '../history.ts';
import { checkCached, checkDeleted } from './cached.ts';
import { extraProbe } from './extra-probe.ts';
import {
  containerIn,
  counted,
  type Hypothesis,
  NOTHING_SEEN,
  type Subject,
  sayAnswers,
  sayUnmet,
  type Ticked,
  tick,
  type View,
} from './hypothesis.ts';
import { missedTick } from './missed-tick.ts';
import { type Outcome, type Refusal, refuse, type Verdict } from './outcome.ts';
import type { LawName } from './reading.ts';
import { WorkerPast } from './worker-history.ts';

type Entry<K extends HistoryEntry['kind']> = Extract<HistoryEntry, { kind: K }>;

/** Follows one worker from its start, and keeps each hypothesis that explains the history; without one, the worker is wrong. */
export class WorkerJudge {
  readonly #subject: Subject;
  readonly #periodMs: number;
  /** The start of the simulation, in ms since 1970. */
  readonly #epochMs: number;
  readonly #met: (law: LawName) => void;
  /** The law about the times of its ticks. */
  readonly #timeLaw: 'spreads' | 'punctual';
  readonly #past: WorkerPast;
  #hypotheses: readonly Hypothesis[];
  /** The statuses that the worker may see at this instant: the previous one, and those made at this instant. */
  #views: View[];
  #isTerminating = false;
  verdict: Verdict | undefined;

  constructor(
    subject: Subject,
    {
      atMs,
      epochMs,
      status,
      callsMs,
      met,
    }: {
      readonly atMs: number;
      readonly epochMs: number;
      /** The status that the kubelet made before it added the pod, if it made one. */
      readonly status: View;
      /** The starts of this probe in the whole run, in ms. */
      readonly callsMs: readonly number[];
      readonly met: (law: LawName) => void;
    },
  ) {
    this.#subject = subject;
    this.#epochMs = epochMs;
    this.#met = met;
    this.#views = [status];
    this.#periodMs = subject.plan.periodSeconds * 1_000;
    this.#past = new WorkerPast({ callsMs, periodMs: this.#periodMs });
    const isYoung = epochMs + atMs - subject.bootMs < this.#periodMs;
    if (isYoung) met('spreads');
    this.#timeLaw = isYoung ? 'spreads' : 'punctual';
    this.#hypotheses = [{ ...NOTHING_SEEN, fromMs: atMs, toMs: isYoung ? atMs + this.#periodMs : atMs }];
  }

  /** The next instant with an obligation or a possible change; infinite if there is none. */
  get nextMs(): number {
    if (this.verdict) return Number.POSITIVE_INFINITY;
    return Math.min(
      ...this.#hypotheses
        .filter(({ call, ended }) => !call && !ended)
        .flatMap(({ fromMs, toMs }) => [toMs, ...this.#turns().filter((ms) => fromMs < ms && ms < toMs)]),
    );
  }

  /** The end of the initial delay of the container in the latest status. */
  #turns(): readonly number[] {
    const { key, plan } = this.#subject;
    const { startedAt } = containerIn(this.#views.at(-1), key.container)?.state?.running ?? {};
    return startedAt ? [Date.parse(startedAt) + plan.initialDelaySeconds * 1_000 - this.#epochMs] : [];
  }

  /** Checks all entries and all obligations of one instant. */
  pass(atMs: number, entries: readonly HistoryEntry[]): void {
    if (this.verdict) return;
    const statuses = entries.filter((entry): entry is Entry<'status'> => entry.kind === 'status');
    const isTurn = statuses.length > 0 || this.#turns().includes(atMs);
    if (isTurn) this.#try(atMs, (hypothesis) => ({ hypotheses: this.#split(hypothesis, atMs) }));
    const own = entries.filter((entry) => entry.kind !== 'status');
    for (const entry of statuses) this.#views.push(entry.status);
    for (const entry of statuses)
      this.#try(atMs, (hypothesis) => ({ hypotheses: [this.#want(hypothesis, entry)] }));
    const isQuiet = own.length === 0 && this.nextMs > atMs;
    for (const entry of isQuiet ? statuses : [])
      this.#try(atMs, (hypothesis) =>
        checkCached(this.#subject, hypothesis, {
          known: entry.known,
          past: this.#past,
          isTerminating: this.#isTerminating,
        }),
      );
    for (const entry of own) {
      if (entry.kind !== 'call') this.#past.note(entry);
      this.#try(atMs, (hypothesis) => this.#explain(hypothesis, entry, atMs));
      if (entry.kind === 'call') this.#past.note(entry);
    }
    this.#try(atMs, (hypothesis) => this.#settle(hypothesis, atMs));
    this.#views = this.#views.slice(-1);
    for (const { runs } of this.#hypotheses) {
      if (runs > 0) this.#met('initialResults');
      if (runs > 1) this.#met('resets');
    }
  }

  #try(atMs: number, step: (hypothesis: Hypothesis) => Outcome): void {
    if (this.verdict) return;
    const outcomes = this.#hypotheses.map(step);
    const left = outcomes.flatMap(({ hypotheses }) => hypotheses);
    const refusal = outcomes.find((outcome) => outcome.refusal)?.refusal;
    if (left.length === 0 && refusal) this.verdict = { ...refusal, atMs };
    else if (left.length < 2) this.#hypotheses = left;
    else this.#hypotheses = [...new Map(left.map((one) => [JSON.stringify(one), one])).values()];
  }

  /** Splits a hypothesis at a change of status, if its tick has no fixed time: it may have ticked before, without a trace. */
  #split(hypothesis: Hypothesis, atMs: number): readonly Hypothesis[] {
    const { fromMs, toMs, call, ended } = hypothesis;
    if (fromMs >= atMs || toMs < atMs || fromMs === toMs || call || ended) return [hypothesis];
    // If the status changes at this instant, the worker may have read the old one.
    const lastMs = this.#turns().includes(atMs) ? atMs - 1 : atMs;
    const before = this.#unseen(hypothesis, lastMs).map(
      (one): Hypothesis => ({ ...one, fromMs: fromMs + this.#periodMs, toMs: lastMs + this.#periodMs }),
    );
    return [{ ...hypothesis, fromMs: atMs }, ...before];
  }

  /**
   * Notes that a status was made: a running, started container that is not ready in the cache of that time needs a probe at once.
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go manager.UpdatePodStatus
   */
  #want(hypothesis: Hypothesis, { status, known }: Entry<'status'>): Hypothesis {
    const { key } = this.#subject;
    const container = containerIn(status, key.container);
    if (key.type !== 'readiness' || hypothesis.ended || !container?.state?.running || !container.started)
      return hypothesis;
    const { containerID } = container;
    const isReady = known.some(
      (one) => one.containerID === containerID && one.type === key.type && one.result === 'Success',
    );
    if (isReady) return hypothesis;
    if (hypothesis.call || hypothesis.fromMs !== hypothesis.toMs) return { ...hypothesis, wanted: 'may' };
    this.#met('prompt');
    return { ...hypothesis, wanted: 'must' };
  }

  #explain(hypothesis: Hypothesis, entry: HistoryEntry, atMs: number): Outcome {
    switch (entry.kind) {
      case 'call':
        return entry.isFurther || hypothesis.call
          ? this.#goOn(hypothesis, entry)
          : this.#ask(hypothesis, atMs);
      case 'answer':
        return { hypotheses: [this.#take(hypothesis, entry)] };
      case 'update':
        return this.#explainUpdate(hypothesis, entry, atMs);
      case 'stop':
        this.#isTerminating = true;
        return { hypotheses: [this.#goesOn() ? hypothesis : this.#end(hypothesis, 'termination')] };
      case 'left':
        return checkDeleted(this.#subject, hypothesis, { known: entry.known, past: this.#past });
      default:
        return { hypotheses: [this.#end(hypothesis, 'quiet')] };
    }
  }

  /** Whether the probe goes on in a terminating pod, as readiness probes and those of sidecars do. */
  #goesOn(): boolean {
    return this.#subject.isSidecar || this.#subject.key.type === 'readiness';
  }

  #end(hypothesis: Hypothesis, why: 'termination' | 'quiet'): Hypothesis {
    if (!hypothesis.ended) this.#met(why);
    const { call, ...free } = hypothesis;
    return {
      ...free,
      // A probe that runs may finish; one that has not started must not start.
      ...(call && call.next !== 'first' && { call }),
      ended: hypothesis.ended ?? why,
      result: undefined,
      owes: [],
      wanted: 'no',
    };
  }

  /** Explains a call during a probe: another try, or a redirect that it follows. */
  #goOn(hypothesis: Hypothesis, { isFurther }: Entry<'call'>): Outcome {
    const { call } = hypothesis;
    const name = sayKey(this.#subject.key);
    const isDue = isFurther ? call?.next === 'further' : call?.next !== undefined && call.next !== 'further';
    if (call && isDue) return { hypotheses: [{ ...hypothesis, call: { tries: call.tries + 1 } }] };
    return call && !isFurther
      ? refuse('oneAtATime', `${name}: a probe started while the one before it was still running`)
      : refuse('redirects', `${name}: the prober sent a further request, but the answer was not a redirect`);
  }

  /** Explains the first call of a probe: a tick. */
  #ask(hypothesis: Hypothesis, atMs: number): Outcome {
    const name = sayKey(this.#subject.key);
    if (hypothesis.ended)
      return refuse(hypothesis.ended, `${name}: a probe ran at ${atMs} ms, although ${this.#past.sayStop}`);
    const ticks = this.#ticksAt(hypothesis, atMs);
    const asking = ticks
      .filter(({ reason }) => !reason)
      .map(({ hypothesis: one }): Hypothesis => ({ ...one, call: { tries: 1 } }));
    if (asking.length > 0) {
      this.#met('punctual');
      return { hypotheses: asking };
    }
    return { hypotheses: [], refusal: this.#tooMuch(hypothesis, atMs) };
  }

  #tooMuch(hypothesis: Hypothesis, atMs: number): Refusal {
    const [{ reason } = {}] = tick(this.#subject, hypothesis, this.#views.at(-1), this.#epochMs + atMs);
    return extraProbe(this.#subject, hypothesis, { reason, atMs, past: this.#past, timeLaw: this.#timeLaw });
  }

  /** Returns all possible ticks at this instant, with the time of the next one. */
  #ticksAt(hypothesis: Hypothesis, atMs: number): readonly Ticked[] {
    const { fromMs, toMs, call, ended, wanted } = hypothesis;
    if (call || ended) return [];
    const afterwards = [
      ...(fromMs <= atMs ? this.#dueAfter(fromMs === toMs ? toMs : atMs, atMs) : []),
      ...(wanted === 'no' ? [] : [atMs + this.#periodMs]),
    ];
    return afterwards.flatMap((nextMs) =>
      this.#views.flatMap((view) => {
        const before: Hypothesis = {
          ...hypothesis,
          fromMs: nextMs,
          toMs: nextMs,
          wanted: wanted === 'must' ? 'may' : wanted,
        };
        return tick(this.#subject, before, view, this.#epochMs + atMs);
      }),
    );
  }

  /** Returns the possible times of the next tick after one that was due at `dueMs` and came at `atMs`. */
  #dueAfter(dueMs: number, atMs: number): readonly number[] {
    const period = this.#periodMs;
    if (dueMs === atMs) return [dueMs + period];
    this.#met('oneAtATime');
    const nextMs = dueMs + Math.floor((atMs - dueMs) / period + 1) * period;
    return [nextMs, ...(nextMs - period === atMs ? [atMs] : []), atMs + period];
  }

  #take(hypothesis: Hypothesis, { means }: Entry<'answer'>): Hypothesis {
    const { call, ended } = hypothesis;
    if (!call) return hypothesis;
    const { call: _, ...free } = hypothesis;
    if (means === 'redirect') return { ...hypothesis, call: { ...call, next: 'further' } };
    if (means === 'error') {
      this.#met('retries');
      return call.tries < TRIES_MAX ? { ...hypothesis, call: { ...call, next: 'again' } } : free;
    }
    if (ended) return { ...free, owes: ['Unknown', 'Success', 'Failure'] };
    const after = counted(this.#subject, hypothesis, means);
    if (after.owes.length > 0 && after.run !== 1) this.#met('counts');
    if (after.isOnHold) this.#met('onHold');
    return after;
  }

  #explainUpdate(hypothesis: Hypothesis, { containerID, result }: Entry<'update'>, atMs: number): Outcome {
    const name = sayKey(this.#subject.key);
    this.#met('notifies');
    const heard = (one: Hypothesis): readonly Hypothesis[] => {
      const at = one.containerID === containerID ? one.owes.indexOf(result) : -1;
      return at < 0 ? [] : [{ ...one, owes: one.ended ? one.owes : one.owes.slice(at + 1) }];
    };
    const explained = heard(hypothesis);
    if (explained.length > 0) return { hypotheses: explained };
    const ticks = this.#ticksAt(hypothesis, atMs);
    if (ticks.some(({ reason }) => reason === 'does not run')) this.#met('notRunning');
    const ticked = ticks.flatMap(({ hypothesis: one, reason }) =>
      heard(reason ? one : { ...one, call: { tries: 0, next: 'first' } }),
    );
    if (ticked.length > 0) return { hypotheses: ticked };
    if (hypothesis.ended)
      return refuse(
        hypothesis.ended,
        `${name}: onUpdate was called with ${result}, although ${this.#past.sayStop}`,
      );
    if (containerID !== hypothesis.containerID) {
      return refuse(
        'resets',
        `${name}: onUpdate was called with ${result} for ${containerID}, but ${sayUnmet(this.#subject, hypothesis, { containerID, views: this.#views })}`,
      );
    }
    return hypothesis.result === result
      ? refuse(
          'notifies',
          `${name}: onUpdate was called with ${result} again, although the result has not changed`,
        )
      : refuse(
          hypothesis.isOnHold ? 'onHold' : 'counts',
          `${name}: onUpdate was called with ${result}, but its result is ${hypothesis.result ?? 'not known'}, and ${sayAnswers(this.#subject.plan, hypothesis, this.#past.sayAnswer)}`,
        );
  }

  /** Ends an instant: an obligation that is still open is a violation. */
  #settle(hypothesis: Hypothesis, atMs: number): Outcome {
    const { owes, call, ended, wanted, toMs } = hypothesis;
    const name = sayKey(this.#subject.key);
    if (ended) return { hypotheses: [{ ...hypothesis, owes: [] }] };
    if (owes.length > 0) {
      const law =
        hypothesis.run === 0 && !hypothesis.isOnHold
          ? hypothesis.runs > 1
            ? 'resets'
            : 'initialResults'
          : 'counts';
      return refuse(
        law,
        `${name}: onUpdate was not called with ${owes.at(-1)}, although ${hypothesis.run === 0 && !hypothesis.isOnHold ? 'that is the initial result of a container that the worker sees for the first time' : sayAnswers(this.#subject.plan, hypothesis, this.#past.sayAnswer)}`,
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
    if (call?.next === 'first') return { hypotheses: [], refusal: this.#tooLittle(hypothesis, atMs) };
    if (call) return { hypotheses: [hypothesis] };
    if (toMs <= atMs) {
      const obligations = this.#dueAfter(toMs, atMs);
      const unseen = this.#unseen(hypothesis, atMs);
      const hypotheses = obligations.flatMap((ms) =>
        unseen.map((one): Hypothesis => ({ ...one, fromMs: ms, toMs: ms })),
      );
      const next = hypothesis.fromMs === toMs ? hypotheses : unseen.map((one) => this.#slid(one, hypothesis));
      if (next.length === 0) return { hypotheses: [], refusal: this.#tooLittle(hypothesis, toMs) };
      return { hypotheses: next.map((one): Hypothesis => ({ ...one, wanted: 'no' })) };
    }
    const left: Hypothesis = { ...hypothesis, wanted: 'no' };
    if (wanted === 'no') return { hypotheses: [left] };
    const resetMs = atMs + this.#periodMs;
    const unseen = this.#unseen(left, atMs).flatMap((one) => [
      one,
      { ...one, fromMs: resetMs, toMs: resetMs },
    ]);
    if (wanted === 'may') return { hypotheses: [left, ...unseen] };
    if (unseen.length > 0) return { hypotheses: unseen };
    return refuse(
      'prompt',
      `${name}: updatePodStatus was called for a started container that is not ready, but did not trigger a readiness probe at once`,
    );
  }

  /** Returns a hypothesis after a tick at an unknown time, without a trace: the next tick comes a period later. */
  #slid(one: Hypothesis, { fromMs, toMs }: Hypothesis): Hypothesis {
    return { ...one, fromMs: fromMs + this.#periodMs, toMs: toMs + this.#periodMs };
  }

  /** Returns the hypotheses after a tick without a visible effect; empty if such a tick is impossible. */
  #unseen(hypothesis: Hypothesis, atMs: number): readonly Hypothesis[] {
    return this.#views
      .flatMap((view) => tick(this.#subject, hypothesis, view, this.#epochMs + atMs))
      .filter(({ reason, hypothesis: { owes } }) => reason && owes.length === 0)
      .map(({ hypothesis: one, reason }) => {
        if (reason === 'delay') this.#met('initialDelay');
        if (reason === 'startup') this.#met('startupFirst');
        return one;
      });
  }

  #tooLittle(hypothesis: Hypothesis, dueMs: number): Refusal {
    const [view, timeLaw] = [this.#views.at(-1), this.#timeLaw];
    const { sayDue } = this.#past;
    return missedTick(this.#subject, hypothesis, {
      view,
      dueMs,
      atMs: this.#epochMs + hypothesis.toMs,
      sayDue,
      timeLaw,
    });
  }
}

const TRIES_MAX = 3;
