import { aliasOf, type Participant } from './participant.ts';
import type { KataReport, Report } from './report.ts';
import { shownText } from './text.ts';

/** The state of one participant, for the screen of a room. */
export interface Row {
  /** The number of the participant, by arrival. Names can be equal; numbers are not. */
  readonly number: number;
  /** The chosen name, or an alias. Safe to print. */
  readonly name: string;
  /** The kata that the participant works on, or worked on last; empty before the first. */
  readonly kata: string;
  /** `Level 3`, `the laws`, `done`, `not run yet`, `not started`. Safe to print. */
  readonly place: string;
  /** The number of core laws that held in the last run, and the number of all core laws. */
  readonly laws: { readonly hold: number; readonly all: number };
  /** The number of finished katas. */
  readonly done: number;
  /** Whole minutes since the kata, the place or the laws last changed. */
  readonly minutes: number;
  /** Whether no other participant at work has waited longer for a change, and this one for a minute at least. */
  readonly isStuckLongest: boolean;
}

/** A participant's last report, reduced to what the room shows. */
interface Seen {
  readonly number: number;
  readonly name: string;
  readonly kata: string;
  readonly place: string;
  readonly laws: Row['laws'];
  readonly done: number;
  /** When the state last changed, in ms on the room's clock. */
  readonly changedMs: number;
  /** When the participant moved on to this kata, in ms on the room's clock; -Infinity for the first report. */
  readonly movedMs: number;
}

/** The largest number of participants. */
const PARTICIPANTS_MAX = 500;

const NAME_MAX = 24;

const byName = new Intl.Collator('en', { numeric: true });

/** The participants of a workshop, and where each one stands. It has no clock: each call passes the time. */
export class Room {
  readonly #seen = new Map<string, Seen>();

  /**
   * Takes the report of a participant. A later report replaces the earlier one.
   *
   * @param nowMs the time of arrival, on the room's clock
   * @returns whether the row of the participant is new or has changed, apart from its minutes; undefined if the room
   * is full, so that the report was not taken
   */
  receive({ id, name = '' }: Participant, report: Report, nowMs: number): boolean | undefined {
    const before = this.#seen.get(id);
    if (before === undefined && this.#seen.size >= PARTICIPANTS_MAX) return undefined;
    const now = {
      number: before?.number ?? this.#seen.size + 1,
      name: shownText(name, NAME_MAX) || aliasOf(id),
      ...placeIn(report),
      done: report.katas.filter(({ state }) => state === 'done').length,
    };
    const isNew = before === undefined || stateOf(before) !== stateOf(now);
    const movedMs =
      before === undefined ? Number.NEGATIVE_INFINITY : before.kata === now.kata ? before.movedMs : nowMs;
    const ageMs = ageMsOf(report, now.kata);
    const changedMs =
      ageMs === undefined ? (isNew ? nowMs : before.changedMs) : Math.max(movedMs, nowMs - ageMs);
    this.#seen.set(id, { ...now, changedMs, movedMs });
    return isNew || before.name !== now.name || before.done !== now.done;
  }

  /**
   * Returns a row for each participant, in the order of their names.
   *
   * @param nowMs the time on the room's clock
   */
  rowsAt(nowMs: number): readonly Row[] {
    const seen = [...this.#seen.values()].sort((a, b) => byName.compare(a.name, b.name));
    const atWork = seen.filter(({ kata, place }) => kata !== '' && place !== DONE);
    const longestMs = Math.min(...atWork.map(({ changedMs }) => changedMs));
    return seen.map(({ changedMs, movedMs: _, ...row }) => {
      const minutes = Math.max(0, Math.floor((nowMs - changedMs) / 60_000));
      const isAtWork = row.kata !== '' && row.place !== DONE;
      return { ...row, minutes, isStuckLongest: isAtWork && minutes > 0 && changedMs === longestMs };
    });
  }
}

const DONE = 'done';

/** Returns the unfinished kata that a participant touched last, and the place in it. Without an unfinished kata, returns the last one. */
function placeIn({ katas }: Report): Pick<Row, 'kata' | 'place' | 'laws'> {
  const latest = katas
    .filter(({ state }) => state !== 'not begun')
    .toSorted((a, b) => timeOf(b.touchedAt) - timeOf(a.touchedAt));
  const current = latest.find(({ state }) => state !== 'done') ?? latest[0];
  if (current === undefined) return { kata: '', place: 'not started', laws: { hold: 0, all: 0 } };
  const { id, state, place = 'not run yet' } = current;
  return {
    kata: id,
    place: state === 'done' ? DONE : shownText(place, NAME_MAX),
    laws: lawsOf(current),
  };
}

function lawsOf({ laws }: KataReport): Row['laws'] {
  const core = laws.filter(({ optional }) => !optional);
  const sum = (count: (group: KataReport['laws'][number]) => number): number =>
    core.reduce((all, group) => all + count(group), 0);
  return {
    hold: sum(({ passed }) => passed),
    all: sum(({ passed, failed, undecided, notRun }) => passed + failed + undecided + notRun),
  };
}

/** Returns the parts of a state that count as a change. */
function stateOf({ kata, place, laws }: Pick<Row, 'kata' | 'place' | 'laws'>): string {
  return JSON.stringify([kata, place, laws]);
}

/**
 * Returns how long ago the state of a kata changed, in ms. Both times are of the sender's clock, which need not agree with the
 * room's. Undefined before the first run.
 */
function ageMsOf({ at, katas }: Report, kata: string): number | undefined {
  const changedAt = katas.find(({ id }) => id === kata)?.changedAt;
  return changedAt === undefined ? undefined : Math.max(0, timeOf(at) - timeOf(changedAt));
}

function timeOf(time: string | undefined): number {
  return time === undefined ? 0 : Date.parse(time);
}
