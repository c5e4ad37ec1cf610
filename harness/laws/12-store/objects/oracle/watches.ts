import type { KubeObject } from '../../../../api/objects.ts';
import { INITIAL_EVENTS_END, type WatchEvent } from '../../../../api/watch-event.ts';
import type { ObjectAnswer, ObjectEntry } from '../history.ts';
import { selects } from '../history.ts';
import { sayObjectAnswer, sayOptions, saySelection, sayWatchEvent } from '../render/values.ts';
import type { JudgedRun } from './reading.ts';
import { atVersion, type Change, isEqual, selected } from './truth.ts';
import type { ObjectLawName } from './verdicts.ts';

/** One watch. Numbers without a unit are indices of entries. */
interface Session {
  readonly start: Extract<ObjectEntry, { readonly kind: 'watch' }>;
  readonly from: number;
  opened?: number;
  readonly events: { readonly event: WatchEvent; readonly at: number; readonly atMs: number }[];
  ended?: { readonly at: number; readonly atMs: number; readonly refusal?: ObjectAnswer };
}

/** An event that a watch must send. */
interface Expected {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  readonly revision: number;
}

/** The first event that is not as expected. */
interface Mismatch {
  /** The number of events before it. */
  readonly count: number;
  readonly law: ObjectLawName;
  readonly atMs: number;
  readonly why: string;
}

/** Judges the watches of a run. */
export function judgeWatches(run: JudgedRun): void {
  for (const session of sessionsOf(run.history.entries)) new WatchJudge(run, session).judge();
}

function sessionsOf(entries: readonly ObjectEntry[]): readonly Session[] {
  const sessions = new Map<number, Session>();
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'watch') {
      sessions.set(entry.watch, { start: entry, from: at, events: [] });
      continue;
    }
    const session = 'watch' in entry ? sessions.get(entry.watch) : undefined;
    if (!session) continue;
    const { atMs } = entry;
    if (entry.kind === 'opened') session.opened = at;
    else if (entry.kind === 'event') session.events.push({ event: entry.event, at, atMs });
    else if (entry.kind === 'ends')
      session.ended = { at, atMs, ...(entry.refusal && { refusal: entry.refusal }) };
  }
  return [...sessions.values()];
}

class WatchJudge {
  readonly #run: JudgedRun;
  readonly #session: Session;
  readonly #name: string;
  /** Absent: the watch begins with the state. */
  readonly #after: number | undefined;

  constructor(run: JudgedRun, session: Session) {
    this.#run = run;
    this.#session = session;
    const { by, selection, options } = session.start;
    this.#name = `The watch of ${saySelection(selection)}${sayOptions(options)} by ${by}`;
    const asked = Number(options.resourceVersion ?? 0);
    const { sendInitialEvents = asked === 0 } = options;
    this.#after = sendInitialEvents || asked === 0 ? undefined : asked;
  }

  judge(): void {
    const { opened, ended, events, start } = this.#session;
    const { entries } = this.#run.history;
    const abort = entries.findIndex(({ kind }) => kind === 'abort');
    if (!ended) {
      this.#break('served', entries.at(-1)?.atMs ?? 0, 'has not ended, although the apiserver has');
      return;
    }
    if (ended.refusal) this.#judgeRefusal(ended.refusal, ended.at, ended.atMs);
    if (opened === undefined) return;
    const last = events.at(-1);
    if (last?.event.type === 'ERROR')
      this.#judgeRefusal(
        { kind: 'refused', reason: last.event.object.reason, message: last.event.object.message },
        last.at,
        last.atMs,
      );
    else if (ended.at < abort && !this.#run.disturbances.any(0, ended.atMs))
      this.#break('nothingMissing', ended.atMs, 'ended, although the store and the apiserver were alive');
    const isOpen = ended.at > abort;
    if (start.list !== undefined) this.#run.verdicts.met.add('nothingMissing');
    const mismatch = this.#firstMismatch(isOpen ? abort : undefined);
    if (mismatch) this.#break(mismatch.law, mismatch.atMs, mismatch.why);
  }

  #break(law: ObjectLawName, atMs: number, why: string): void {
    this.#run.verdicts.break(law, atMs, `${this.#name} ${why}.`);
  }

  #judgeRefusal(refusal: ObjectAnswer, at: number, atMs: number): void {
    const { disturbances, truth, history } = this.#run;
    const { options } = this.#session.start;
    const beganMs = history.entries[this.#session.from]?.atMs ?? 0;
    const said = sayObjectAnswer(refusal);
    const reason = refusal.kind === 'refused' ? refusal.reason : undefined;
    const isDisturbed = disturbances.any(0, atMs);
    if (reason === 'Expired') {
      // A cache that has listed again does not know the changes before its list.
      const isExcused = this.#after !== undefined && isDisturbed && this.#after < truth.most(at);
      if (!isExcused)
        this.#break('nothingMissing', atMs, `was refused with ${said}, although no change was lost`);
    } else if (reason === 'Timeout') {
      const asked = Number(options.resourceVersion ?? 0);
      if (!isDisturbed && asked <= truth.least(this.#session.from))
        this.#break('freshInTime', atMs, `was refused with ${said}, although the cache was not late`);
      else if (atMs - beganMs < 3_000)
        this.#break(
          'freshInTime',
          atMs,
          `was refused with ${said} after ${atMs - beganMs} ms: it must wait 3000 ms`,
        );
    } else this.#break('served', atMs, `was refused with ${said}`);
  }

  /** Compares the events with those after each possible first state of the watch. */
  #firstMismatch(rest: number | undefined): Mismatch | undefined {
    const { start, from, opened = from } = this.#session;
    if (this.#after !== undefined) return this.#compare(this.#after, false, rest);
    const { truth } = this.#run;
    const { options } = start;
    const asked = Number(options.resourceVersion ?? 0);
    const { sendInitialEvents } = options;
    const isNewest = sendInitialEvents !== undefined && options.resourceVersion === undefined;
    const least = isNewest ? truth.least(from) : asked;
    let best: Mismatch | undefined;
    for (let revision = Math.max(1, least); revision <= truth.most(opened + 1); revision++) {
      const mismatch = this.#compare(revision, sendInitialEvents !== false, rest);
      if (!mismatch) return undefined;
      if (!best || mismatch.count > best.count) best = mismatch;
    }
    return best;
  }

  #compare(revision: number, hasState: boolean, rest: number | undefined): Mismatch | undefined {
    const { truth } = this.#run;
    const { start, events } = this.#session;
    const { selection, options } = start;
    const initial = hasState ? selected(truth.states[revision], selection).map(([, object]) => object) : [];
    const changes = truth.changes
      .filter((change) => change.revision > revision)
      .flatMap((change) => eventOf(change, selection));
    const open = new Set(initial);
    const needsEnd = hasState && options.sendInitialEvents === true && options.allowWatchBookmarks === true;
    let isInitialOver = !needsEnd && initial.length === 0;
    let next = 0;
    for (const [count, { event, at, atMs }] of events.entries()) {
      const sent = sayWatchEvent(event);
      if (event.type === 'ERROR') return undefined;
      if (event.type === 'BOOKMARK') {
        const why = this.#objectionToBookmark(event.object.metadata, {
          isInitialOver,
          missing: open.size,
          due: changes[next],
          revision,
          at,
        });
        if (why) return { count, law: 'nothingMissing', atMs, why: `sent ${sent}, but ${why}` };
        if (event.object.metadata.annotations?.[INITIAL_EVENTS_END]) isInitialOver = true;
        continue;
      }
      if (open.size > 0) {
        const one = [...open].find((object) => event.type === 'ADDED' && isEqual(object, event.object));
        if (!one)
          return {
            count,
            law: hasState && options.sendInitialEvents === undefined ? 'nothingMissing' : 'selection',
            atMs,
            why: `sent ${sent}, which the state at revision ${revision} does not have`,
          };
        open.delete(one);
        isInitialOver = !needsEnd && open.size === 0;
        continue;
      }
      if (!isInitialOver)
        return {
          count,
          law: 'nothingMissing',
          atMs,
          why: `sent ${sent} before the bookmark that ends the initial events`,
        };
      const expected = changes[next];
      const mismatch = expected ? compare(expected, event) : 'it has sent all changes before';
      if (mismatch || !expected) {
        const law = expected ? lawOf(expected, event) : 'nothingMissing';
        const rule = expected ? `; expected ${sayWatchEvent({ ...expected })}` : '';
        return { count, law, atMs, why: `sent ${sent}: ${mismatch}${rule}` };
      }
      if (selection.onlyApp && expected.type !== 'MODIFIED') this.#run.verdicts.met.add('selection');
      next++;
    }
    if (rest === undefined) return undefined;
    const { entries } = this.#run.history;
    const atMs = entries[rest]?.atMs ?? 0;
    const missing =
      [...open].map((object) => ({ type: 'ADDED' as const, object, revision: 0 }))[0] ?? changes[next];
    const count = events.length;
    if (missing)
      return {
        count,
        law: 'caughtUp',
        atMs,
        why: `has not sent ${sayWatchEvent({ ...missing })} in the end`,
      };
    if (!isInitialOver && needsEnd)
      return {
        count,
        law: 'nothingMissing',
        atMs,
        why: 'has not sent the bookmark that ends the initial events',
      };
    return undefined;
  }

  #objectionToBookmark(
    {
      resourceVersion,
      annotations,
    }: { readonly resourceVersion: string; readonly annotations?: Record<string, string> },
    state: {
      readonly isInitialOver: boolean;
      readonly missing: number;
      readonly due: Expected | undefined;
      readonly revision: number;
      readonly at: number;
    },
  ): string | undefined {
    const { isInitialOver, missing, due, revision, at } = state;
    const { allowWatchBookmarks, sendInitialEvents } = this.#session.start.options;
    const version = Number(resourceVersion);
    if (!allowWatchBookmarks) return 'the client did not allow bookmarks';
    if (missing > 0) return 'it has not sent all objects of its state';
    if (annotations?.[INITIAL_EVENTS_END]) {
      if (!sendInitialEvents || isInitialOver) return 'no initial events end here';
      if (version !== revision) return `the state was that of revision ${revision}`;
    }
    if (due && due.revision <= version) return `it has not sent ${sayWatchEvent({ ...due })}`;
    const { most } = this.#run.truth;
    return version > most(at) ? `the store was at ${most(at)} at most` : undefined;
  }
}

/** Returns the event of a change: it enters, stays in, or leaves the selection. */
function eventOf(
  { revision, before, after }: Change,
  selection: Parameters<typeof selects>[0],
): readonly Expected[] {
  const was = before && selects(selection, before) ? before : undefined;
  const is = after && selects(selection, after) ? after : undefined;
  if (is) return [{ type: was ? 'MODIFIED' : 'ADDED', object: is, revision }];
  return was ? [{ type: 'DELETED', object: atVersion(was, String(revision)), revision }] : [];
}

function compare(
  expected: Expected,
  event: Exclude<WatchEvent, { type: 'BOOKMARK' | 'ERROR' }>,
): string | undefined {
  if (Number(event.object.metadata.resourceVersion) !== expected.revision) return 'its revision is another';
  if (event.type !== expected.type) return `it must be ${expected.type}`;
  return isEqual(event.object, expected.object) ? undefined : 'its object is another';
}

/** Returns the law that an event violates. */
function lawOf(
  expected: Expected,
  event: Exclude<WatchEvent, { type: 'BOOKMARK' | 'ERROR' }>,
): ObjectLawName {
  const { uid, resourceVersion } = event.object.metadata;
  const isSame = uid === expected.object.metadata.uid;
  if (
    isSame &&
    event.type === 'DELETED' &&
    expected.type === 'DELETED' &&
    Number(resourceVersion) < expected.revision
  )
    return 'ownVersion';
  return Number(resourceVersion) === expected.revision && isSame ? 'selection' : 'nothingMissing';
}
