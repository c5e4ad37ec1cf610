import { keyOf } from '../history.ts';
import { sayCall, sayObjectAnswer, sayObjects } from '../render/values.ts';
import type { Judged, JudgedRun } from './reading.ts';
import { isEqual, selected } from './truth.ts';
import type { ObjectLawName } from './verdicts.ts';

/** The longest wait of a read for its revision. */
const FRESH_WITHIN_MS = 3_000;
/** The longest time of an answer of an undisturbed cache, without the ways of its messages. */
const PROMPT_MS = 300;
/** The most messages between an apiserver and the store for one read. */
const WAYS = 8;
/** The time that a cache needs after a disturbance, at most. */
const REPAIR_MS = 5_000;

/** Judges a get or a list. */
export function judgeRead(run: JudgedRun, one: Judged): void {
  new ReadJudge(run, one).judge();
}

class ReadJudge {
  readonly #run: JudgedRun;
  readonly #one: Judged;

  constructor(run: JudgedRun, one: Judged) {
    this.#run = run;
    this.#one = one;
  }

  judge(): void {
    const { call, answer } = this.#one;
    if (call.call === 'list' && Number.isNaN(Number(call.options.resourceVersion ?? 0))) {
      if (answer.kind !== 'refused' || answer.reason !== 'BadRequest')
        this.#break('served', 'a resourceVersion that is no number is a bad request');
      return;
    }
    if (answer.kind === 'refused' && answer.reason !== 'NotFound') this.#judgeRefusal();
    else if (call.call === 'get') this.#judgeGet();
    else if (call.call === 'list' && answer.kind === 'list') this.#judgeList();
    this.#judgeTime();
  }

  #break(law: ObjectLawName, why: string): void {
    const { by, call, answer, atMs } = this.#one;
    const message = `${by} called ${sayCall(call)} and got ${sayObjectAnswer(answer)}, but ${why}.`;
    this.#run.verdicts.break(law, atMs, message);
  }

  /** The revisions whose state is right. */
  get #window(): { readonly from: number; readonly to: number; readonly isExact?: boolean } {
    const { call, lo, hi } = this.#one;
    if (call.call !== 'get' && call.call !== 'list') return { from: lo, to: hi };
    const { resourceVersion } = call.options;
    if (call.call === 'list') {
      const { before, options } = call;
      if (before) return { from: before.revision, to: before.revision, isExact: true };
      const { resourceVersionMatch: match, limit = 0 } = options;
      const asked = Number(resourceVersion ?? 0);
      if (asked > 0 && (match === 'Exact' || (match === undefined && limit > 0)))
        return { from: asked, to: asked, isExact: true };
    }
    if (resourceVersion === undefined) return { from: lo, to: hi };
    return { from: Number(resourceVersion), to: hi };
  }

  #judgeGet(): void {
    const { call, answer } = this.#one;
    if (call.call !== 'get') return;
    const { states } = this.#run.truth;
    const { from, to } = this.#window;
    const key = keyOf(call.place);
    const found = answer.kind === 'object' ? answer.object : undefined;
    for (let revision = from; revision <= to; revision++)
      if (isEqual(states[revision]?.get(key), found)) return;
    const isOld = states.some((state, revision) => revision < from && isEqual(state.get(key), found));
    this.#break(
      'askedState',
      isOld ? `that state is older than revision ${from}` : 'the object never had this state',
    );
  }

  #judgeList(): void {
    const { call, answer, hi } = this.#one;
    if (call.call !== 'list' || answer.kind !== 'list') return;
    const { items, metadata } = answer.list;
    const { states, changes } = this.#run.truth;
    const { selection, options, before } = call;
    const { from, to, isExact } = this.#window;
    const revision = metadata.resourceVersion ? Number(metadata.resourceVersion) : Number.NaN;
    const next = (metadata as { readonly continue?: string }).continue;
    const { limit = 0 } = options;
    if (before && changes.some((each) => each.revision > before.revision))
      this.#run.verdicts.met.add('pages');
    if (isExact && from < hi) this.#run.verdicts.met.add('askedState');
    const all = (at: number) =>
      selected(states[at], selection)
        .filter(([key]) => !before || key > before.last)
        .map(([, object]) => object);
    const isRight = (at: number): boolean => {
      const expected = all(at);
      return isEqual(items, next ? expected.slice(0, items.length) : expected);
    };
    if (limit > 0 && items.length > limit && (before || options.resourceVersion !== '0')) {
      this.#break('pages', `the limit is ${limit}`);
      return;
    }
    if (next && items.length < limit && !selection.onlyApp) {
      this.#break('pages', `the page has room for ${limit}, and there are more`);
      return;
    }
    const { remainingItemCount: remaining } = metadata as { readonly remainingItemCount?: number };
    const left = all(revision).length - items.length;
    // The count is optional.
    const isCounted = remaining !== undefined && isRight(revision);
    if (next && isCounted && (selection.onlyApp || remaining !== left)) {
      const rule = selection.onlyApp ? 'nobody knows how many more are selected' : `${left} more are left`;
      this.#break('pages', `its remainingItemCount is ${remaining}, and ${rule}`);
      return;
    }
    if (!(revision >= from && revision <= to)) {
      const wanted = isExact
        ? `revision ${from} was requested`
        : `it must show a revision from ${from} to ${to}`;
      this.#break(
        before ? 'pages' : Number.isNaN(revision) || isRight(from) ? 'ownVersion' : 'askedState',
        wanted,
      );
      return;
    }
    if (isRight(revision)) return;
    const expected = all(revision);
    const elsewhere = items.find(
      (item) => !expected.some(({ metadata: { uid } }) => uid === item.metadata.uid),
    );
    const other = states.findIndex((_, at) => at <= hi && isRight(at));
    const rule = `the selected objects at revision ${revision} are ${sayObjects(expected)}`;
    if (before) this.#break('pages', rule);
    else if (other >= 0) this.#break('ownVersion', `${rule}. The items are those of revision ${other}`);
    else if (elsewhere || items.length === expected.length) this.#break('neighbours', rule);
    else this.#break(limit > 0 ? 'pages' : 'askedState', rule);
  }

  #judgeRefusal(): void {
    const { call, answer, hi, to: at } = this.#one;
    if (answer.kind !== 'refused') return;
    const { from, isExact } = this.#window;
    const { truth } = this.#run;
    if (answer.reason === 'Expired') {
      this.#run.verdicts.met.add('pages');
      if (call.call === 'list' && isExact && from < truth.compacted(at)) return;
      this.#break(
        call.call === 'list' && call.before ? 'pages' : 'askedState',
        'that revision is not compacted',
      );
    } else if (answer.reason === 'Timeout') {
      if (isExact ? from <= truth.least(this.#one.from) : !this.#mayWait(from))
        this.#break(
          'freshInTime',
          `the store was at revision ${truth.least(at)}, and its watches were not late`,
        );
      else this.#run.verdicts.met.add('freshInTime');
    } else this.#break('served', `no read of these scenarios can fail so; the store was at ${hi} at most`);
  }

  /** Returns whether the cache may have missed the revision all the time. */
  #mayWait(revision: number): boolean {
    const { call, from, beganMs, atMs } = this.#one;
    const isNewest =
      (call.call === 'get' || call.call === 'list') && call.options.resourceVersion === undefined;
    // A read of the newest state can always read the store.
    if (isNewest) return false;
    if (this.#run.disturbances.any(beganMs - REPAIR_MS, atMs)) return true;
    return this.#limitMs(Math.max(beganMs, this.#run.reachedMs(revision, from))) > atMs;
  }

  /** Returns the latest time of an answer, if the store reaches the revision at a time. */
  #limitMs(reachedMs: number): number {
    const { latencyMs, lagMs } = this.#run.history.scenario;
    return reachedMs + PROMPT_MS + WAYS * latencyMs + 2 * lagMs;
  }

  #judgeTime(): void {
    const { answer, beganMs, atMs, from, call } = this.#one;
    const { scenario } = this.#run.history;
    const tookMs = atMs - beganMs;
    const waysMs = WAYS * scenario.latencyMs;
    const { from: wanted, isExact } = this.#window;
    if (answer.kind === 'refused' && answer.reason === 'Timeout') {
      const isAtOnce = isExact && tookMs <= waysMs;
      if (!isAtOnce && (tookMs < FRESH_WITHIN_MS || tookMs > FRESH_WITHIN_MS + waysMs))
        this.#break('freshInTime', `it was refused after ${tookMs} ms: a read waits ${FRESH_WITHIN_MS} ms`);
      return;
    }
    if (this.#run.disturbances.any(beganMs - REPAIR_MS, atMs) || isExact) return;
    const isAny = 'options' in call && call.options.resourceVersion === '0';
    const reachedMs = isAny ? beganMs : Math.max(beganMs, this.#run.reachedMs(wanted, from));
    if (atMs > this.#limitMs(reachedMs))
      this.#break(
        'freshInTime',
        `it took ${tookMs} ms, although the store had that revision at ${reachedMs} ms`,
      );
  }
}
