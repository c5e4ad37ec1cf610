import type { KeyEvent } from '../../../contracts/store/index.ts';
import { covers, type StoreHistory } from '../history.ts';
import { sayError, sayEvent, sayKv, sayRange } from '../render/values.ts';
import type { Call } from './calls.ts';
import type { Order } from './linearize.ts';
import { isSameKv } from './matches.ts';
import type { State } from './model.ts';
import type { Session } from './sessions.ts';
import { type Bounds, boundsOf } from './times.ts';
import type { Verdicts } from './verdicts.ts';

/** A run whose calls have an order. */
export interface JudgedRun {
  readonly history: StoreHistory;
  readonly calls: readonly Call[];
  readonly order: Order;
}

/** Judges a watch: its messages must be the changes of its range, from its start on. */
export function judgeSession(session: Session, run: JudgedRun, verdicts: Verdicts): void {
  new SessionJudge(session, run, verdicts).judge();
}

class SessionJudge {
  readonly #session: Session;
  readonly #history: StoreHistory;
  readonly #verdicts: Verdicts;
  readonly #calls: readonly Call[];
  readonly #bounds: Bounds;
  /** The state of each revision, by its number. */
  readonly #states: readonly (State | undefined)[];
  readonly #name: string;
  readonly #compactions: readonly { readonly revision: number; readonly from: number }[];
  /** The revisions of its range with changes, from its start on, that have not been sent. */
  #due: State[];

  constructor(session: Session, { order, calls, history }: JudgedRun, verdicts: Verdicts) {
    this.#session = session;
    this.#history = history;
    this.#verdicts = verdicts;
    this.#calls = calls;
    this.#bounds = boundsOf(order, calls);
    this.#compactions = calls.flatMap(({ request, from }) =>
      request.call === 'compact' ? [{ revision: request.revision, from }] : [],
    );
    this.#states = this.#bounds.states;
    const { range, start } = { range: session.request, start: session.request.startRevision };
    this.#name = `The watch of ${sayRange(range)} from ${start === undefined ? 'the next revision' : `revision ${start}`} (${session.by})`;
    this.#due = this.#states.filter((state) =>
      state?.events.some(({ kv }) => covers(range, kv.key)),
    ) as State[];
  }

  judge(): void {
    const { request, from, responses, ended, atMs } = this.#session;
    const { startRevision } = request;
    this.#skipTo(startRevision ?? this.#firstOfNext());
    if (startRevision !== undefined && startRevision < this.#bounds.compactedAt(from).sure) {
      this.#verdicts.met.add('compacted');
    }
    for (const [i, { response, at, atMs: now }] of responses.entries()) {
      if (response.compactRevision !== undefined) {
        this.#refused(response.compactRevision, at, now, i);
        this.#judgeForgetting(response.compactRevision, at);
        return;
      }
      if (!this.#take(response.events, at, now)) return;
      if (!this.#isHonest(response.revision, response.events, at, now)) return;
    }
    if (ended?.error !== undefined)
      this.#break('answers', ended.atMs, `failed with ${sayError(ended.error)}: a stream must only end`);
    this.#judgeRest(atMs);
  }

  #break(law: Parameters<Verdicts['break']>[0], atMs: number, message: string): void {
    this.#verdicts.break(law, atMs, `${this.#name} ${message}.`);
  }

  /** Returns the earliest revision that a watch of the next revision can begin with. */
  #firstOfNext(): number {
    return this.#bounds.revisionAt(this.#session.from).least + 1;
  }

  #skipTo(start: number): void {
    this.#due = this.#due.filter(({ revision }) => revision >= start);
  }

  /** Judges the message about a compaction. */
  #refused(compactRevision: number, at: number, atMs: number, index: number): void {
    const { startRevision = this.#firstOfNext() } = this.#session.request;
    const { responses } = this.#session;
    const last = responses[index - 1]?.response;
    const seen = last ? (last.events.at(-1)?.kv.modRevision ?? last.revision) : 0;
    // A compaction can overtake changes that have no answer yet: then the watch may not have passed them.
    const isAhead = this.#compactions.some(
      ({ revision, from }) => revision === compactRevision && this.#bounds.revisionAt(from).least < revision,
    );
    const next = isAhead ? seen + 1 : (this.#due[0]?.revision ?? startRevision);
    const first = index === 0 && !isAhead ? startRevision : Math.max(startRevision, next);
    const { possible } = this.#bounds.compactedAt(at);
    this.#verdicts.met.add('compacted');
    if (compactRevision > possible || first >= compactRevision)
      this.#break(
        'compacted',
        atMs,
        `ended with compactRevision ${compactRevision}, but ${possible === 0 ? 'no revision is compacted' : `the store is compacted at ${possible}, and the watch continues from ${first}`}`,
      );
  }

  /** A compaction that a watch has reported must survive a crash. */
  #judgeForgetting(compactRevision: number, at: number): void {
    for (const { request, answer, from, by, atMs } of this.#calls) {
      if (from < at || request.call !== 'range' || answer?.kind !== 'range') continue;
      const { revision = 0 } = request.request;
      if (revision === 0 || revision >= compactRevision) continue;
      const later = `${by} has read revision ${revision} later. A reported compaction must survive a crash`;
      this.#break('durable', atMs, `ended with compactRevision ${compactRevision}, but ${later}`);
      return;
    }
  }

  /** Judges changes. Returns whether the rest of the stream can be judged. */
  #take(events: readonly KeyEvent[], at: number, atMs: number): boolean {
    const { request, from } = this.#session;
    let rest = events;
    while (rest.length > 0) {
      const revision = rest[0]?.kv.modRevision as number;
      const group = rest.filter(({ kv }) => kv.modRevision === revision);
      rest = rest.slice(group.length);
      // A watch of the next revision may have begun at any moment of its call.
      if (request.startRevision === undefined && revision <= this.#bounds.revisionAt(from).most)
        this.#skipTo(revision);
      const [expected] = this.#due;
      const isLost = revision > this.#bounds.revisionAt(at).most;
      if (isLost || this.#states[revision] === undefined) {
        this.#break(
          'durable',
          atMs,
          `sent ${group.map(sayEvent).join(', ')}, but no such revision has become durable`,
        );
        return false;
      }
      if (!expected || expected.revision !== revision) {
        const { startRevision = 0 } = request;
        const why =
          revision < startRevision
            ? `it begins with revision ${startRevision}`
            : expected && expected.revision < revision
              ? `it has not sent revision ${expected.revision} before: ${this.#own(expected).map(sayEvent).join(', ')}`
              : `it has sent that revision before, or has no change there`;
        this.#break('noGap', atMs, `sent ${group.map(sayEvent).join(', ')}, but ${why}`);
        return false;
      }
      this.#due.shift();
      if (!this.#isRight(expected, group, at, atMs)) return false;
      if (expected.revision < this.#bounds.revisionAt(from).least + 1 || this.#due.length > 0)
        this.#verdicts.met.add('noGap');
    }
    return true;
  }

  #own({ events }: State): readonly KeyEvent[] {
    return events.filter(({ kv }) => covers(this.#session.request, kv.key));
  }

  /** Compares the changes of one revision. */
  #isRight(state: State, group: readonly KeyEvent[], at: number, atMs: number): boolean {
    const own = this.#own(state);
    const { possible } = this.#bounds.compactedAt(at);
    if (group.length !== own.length) {
      this.#break(
        'noGap',
        atMs,
        `sent ${group.length} of the ${own.length} changes of revision ${state.revision}: ${group.map(sayEvent).join(', ')}; expected ${own.map(sayEvent).join(', ')} in one response`,
      );
      return false;
    }
    for (const event of own) {
      const sent = group.find(({ kv }) => kv.key === event.kv.key);
      if (!sent || sent.type !== event.type || !isSameKv(sent.kv, event.kv)) {
        this.#break(
          'noGap',
          atMs,
          `sent ${group.map((each) => `${each.type} ${sayKv(each.kv)}`).join(', ')}; expected ${event.type} ${sayKv(event.kv)}`,
        );
        return false;
      }
      const isOptional = state.revision - 1 < possible;
      const isForgotten = state.revision - 1 < this.#bounds.compactedAt(this.#session.from).sure;
      const isRight =
        event.previous && sent.previous
          ? !isForgotten && isSameKv(sent.previous, event.previous)
          : sent.previous === undefined && (event.previous === undefined || isOptional);
      if (isRight) continue;
      const [is, must] = [sent.previous, isForgotten ? undefined : event.previous].map((kv) =>
        kv ? sayKv(kv) : 'absent',
      );
      this.#break('noGap', atMs, `sent ${sayEvent(sent)} with previous ${is}; expected ${must}`);
      return false;
    }
    return true;
  }

  /** Judges the revision of a response. */
  #isHonest(revision: number, events: readonly KeyEvent[], at: number, atMs: number): boolean {
    const { most } = this.#bounds.revisionAt(at);
    const last = events.at(-1)?.kv.modRevision ?? 0;
    if (revision > most || revision < last) {
      const why = revision < last ? `it has changes of revision ${last}` : `the store was at ${most} at most`;
      this.#break('progress', atMs, `sent a response of revision ${revision}, but ${why}`);
      return false;
    }
    if (events.length > 0) return true;
    const [missing] = this.#due;
    if (missing) this.#verdicts.met.add('progress');
    if (missing && missing.revision <= revision) {
      this.#break(
        'progress',
        atMs,
        `promised all changes up to revision ${revision}, but has not sent ${this.#own(missing).map(sayEvent).join(', ')}`,
      );
      return false;
    }
    return true;
  }

  /** Judges a watch that is still open when nothing happens any more. */
  #judgeRest(beganMs: number): void {
    const { request, from, asks, stopped, ended, crashed, responses } = this.#session;
    const { entries } = this.#history;
    const over = Math.min(stopped ?? Number.POSITIVE_INFINITY, crashed ?? Number.POSITIVE_INFINITY);
    if (ended && over === Number.POSITIVE_INFINITY) {
      this.#break('answers', ended.atMs, 'ended, although nobody stopped it and the store was alive');
      return;
    }
    const rest = entries.findLastIndex(({ kind }, i) => kind === 'rest' && i < over);
    if (rest < from) return;
    const atMs = entries[rest]?.atMs ?? beganMs;
    const { least } = this.#bounds.revisionAt(rest);
    // A watch of the next revision owes only the changes of later calls.
    const owed = this.#due.filter(
      ({ revision }) =>
        revision <= least &&
        (request.startRevision !== undefined || revision > this.#bounds.revisionAt(from).most),
    );
    const hasAnswer = (ask: number): boolean =>
      responses.some(({ at, response }) => at > ask && response.events.length === 0);
    const [missing] = owed;
    const { startRevision = 0 } = request;
    const { sure } = this.#bounds.compactedAt(from);
    if (startRevision > 0 && startRevision < sure)
      this.#break(
        'compacted',
        atMs,
        `still waits, but its start is compacted at ${sure}: the store must send compactRevision ${sure}, and end the stream`,
      );
    else if (missing)
      this.#break('noGap', atMs, `has not sent ${this.#own(missing).map(sayEvent).join(', ')} in the end`);
    else if (asks.some((ask) => ask < rest && !hasAnswer(ask)))
      this.#break('progress', atMs, 'did not answer requestProgress, although all changes were sent');
  }
}
