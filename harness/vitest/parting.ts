import type { Act, Parting } from '../workbook/behaviour.ts';
import type { ReplayParting } from '../workbook/replay.ts';

/** A line of a timeline that the component causes. */
interface Step extends Act {
  /** The index of its line. */
  readonly index: number;
  readonly atMs: number;
  readonly actor: string;
  /** Equal for steps that are the same in two runs: names that the server generates do not count. */
  readonly key: string;
  /** Whether it only reads from the API server: a correct design may read more often, or less. */
  readonly isRead: boolean;
}

/** At least this share of a component's steps is the same before the two runs part, or their designs differ too much. */
const COMMON_MIN = 0.5;

/**
 * Compares the timelines of the learner's code and of the reference in one scenario. Reads from the API server do not
 * count, but the reference's read is shown if it comes in place of the learner's write.
 *
 * @param mine the learner's timeline, with the violation as a line that starts with `✗`
 * @returns undefined if the runs do not part before the violation, or if they have too little in common before
 */
export function parting(mine: readonly string[], reference: readonly string[]): Parting | undefined {
  const end = mine.findIndex((line) => line.startsWith('✗'));
  const [until, all, theirs] = [
    stepsIn(mine.slice(0, end < 0 ? undefined : end)),
    stepsIn(mine),
    stepsIn(reference),
  ];
  const first = firstOf(new Set(until.map(({ actor }) => actor)), all, theirs);
  if (!first || first.atMs > (until.at(-1)?.atMs ?? 0)) return undefined;
  const before = until.filter(({ actor, isRead }) => actor === first.actor && !isRead).length;
  if (first.common < COMMON_MIN * before) return undefined;
  return { actor: first.actor, mine: shown(first.mine), reference: shown(first.reference) };
}

/** Options of {@link partingLines}. */
interface PartingOptions {
  /** The time of the violation, in virtual ms. Differences after it are consequences. */
  readonly violatedMs: number;
  /** Whether the learner's code acts in this lane: it wins among partings of the same moment. */
  readonly isLearners: (actor: string) => boolean;
}

/**
 * Returns the lines at which two timelines part, also if they have little in common before. If their acts do not differ,
 * it is the first line whose outcome differs, then the first at another time, and last the line before the violation.
 *
 * @returns undefined if the runs do the same before the violation
 */
export function partingLines(
  mine: readonly string[],
  reference: readonly string[],
  { violatedMs, isLearners }: PartingOptions,
): ReplayParting | undefined {
  for (const [by, read] of readings) {
    const [own, theirs] = [read(mine), read(reference)];
    const actors = [...own, ...theirs].map(({ actor }) => actor);
    const first = firstOf(new Set(actors), own, theirs, isLearners);
    if (!first || first.atMs > violatedMs) continue;
    const { actor } = first;
    return {
      by,
      actor,
      ...(first.mine && { mine: first.mine.index }),
      ...(first.reference && { reference: first.reference.index }),
    };
  }
  return partingInside(mine, reference, isLearners);
}

/** The ways to compare two timelines, the most telling first. */
const readings: readonly (readonly [ReplayParting['by'], (lines: readonly string[]) => readonly Step[]])[] = [
  ['act', stepsIn],
  ['outcome', linesIn],
  ['time', (lines) => linesIn(lines).map((step) => ({ ...step, key: `${step.at} ${step.key}` }))],
];

/** Timelines show no contents: returns the learner's last act before the violation, if both runs have it. */
function partingInside(
  mine: readonly string[],
  reference: readonly string[],
  isLearners: (actor: string) => boolean,
): ReplayParting | undefined {
  const end = mine.findIndex((line) => line.startsWith('✗'));
  const last = linesIn(mine.slice(0, end)).findLast(({ actor }) => isLearners(actor));
  const same = last && linesIn(reference).find(({ index }) => index === last.index);
  if (!last || same?.actor !== last.actor || same.what !== last.what) return undefined;
  return { by: 'content', actor: last.actor, mine: last.index, reference: same.index };
}

/** Returns the first parting of these actors. */
function firstOf(
  actors: ReadonlySet<string>,
  mine: readonly Step[],
  reference: readonly Step[],
  isPreferred: (actor: string) => boolean = () => false,
): Found | undefined {
  const found = [...actors].flatMap((actor) => {
    const of = (steps: readonly Step[]): readonly Step[] => steps.filter((step) => step.actor === actor);
    return partingOf(of(mine), of(reference)) ?? [];
  });
  const [first] = found.sort(
    (a, b) => a.atMs - b.atMs || Number(isPreferred(b.actor)) - Number(isPreferred(a.actor)),
  );
  return first;
}

interface Found {
  readonly actor: string;
  readonly mine: Step | undefined;
  readonly reference: Step | undefined;
  readonly atMs: number;
  /** Number of steps of the actor that are the same before. */
  readonly common: number;
}

/** Compares the steps of one actor. */
function partingOf(mine: readonly Step[], theirs: readonly Step[]): Found | undefined {
  const [acts, expected] = [mine.filter(isAct), theirs.filter(isAct)];
  const length = Math.max(acts.length, expected.length);
  const common = Array.from({ length }, (_, at) => at).find((at) => acts[at]?.key !== expected[at]?.key);
  if (common === undefined) return undefined;
  const [act, wanted] = [acts[common], expected[common]];
  // The reference may first read, and then do something else.
  const read = readsBetween(mine, acts[common - 1], act);
  const missed = readsBetween(theirs, expected[common - 1], wanted).find(
    ({ key }) => !read.some((one) => one.key === key),
  );
  const instead = missed ?? wanted;
  const atMs = Math.min(...[act, instead].flatMap((step) => step?.atMs ?? []));
  const actor = (act ?? wanted)?.actor ?? '';
  return { actor, mine: act, reference: instead, atMs, common };
}

function isAct({ isRead }: Step): boolean {
  return !isRead;
}

/** Returns the reads after one step and before another. */
function readsBetween(
  steps: readonly Step[],
  after: Step | undefined,
  before: Step | undefined,
): readonly Step[] {
  const start = after ? steps.indexOf(after) + 1 : 0;
  const end = before ? steps.indexOf(before) : steps.length;
  return steps.slice(start, end).filter(({ isRead }) => isRead);
}

function shown(step: Step | undefined): Act | undefined {
  return step && { at: step.at, what: step.what };
}

/** Verbs of lines that only explain a run, or that begin and end a watch. */
const IGNORED = ['explain', 'log', 'watch', 'end'];

/** Returns the steps of a timeline: no watches and their events, no Events, no faults, no explanations and no log lines. */
function stepsIn(lines: readonly string[]): readonly Step[] {
  const names = new Map<string, string>();
  return lines.flatMap((line, index) => {
    const { at, ms, actor, what } = cellsOf(line);
    const [verb = '', object = ''] = what.split(' ');
    const key = withoutNames(what, names);
    if (what === '' || /^[A-Z]+$/.test(verb) || IGNORED.includes(verb)) return [];
    if (actor === 'nemesis' || object.startsWith('events/')) return [];
    // In other timelines `get` takes an item from a queue.
    const isRead = verb === 'list' || (verb === 'get' && object.includes('/'));
    return [{ index, atMs: ms, at, actor, what, key, isRead }];
  });
}

/** Returns every line of a timeline as a step that differs with its outcome. Revisions depend on other actors. */
function linesIn(lines: readonly string[]): readonly Step[] {
  const names = new Map<string, string>();
  return lines.flatMap((line, index) => {
    const { at, ms, actor, what, outcome } = cellsOf(line);
    const key = withoutNames(`${what} ${outcome.replace(/\brevision \d+/, '')}`, names);
    return what === '' || actor === 'nemesis'
      ? []
      : [{ index, atMs: ms, at, actor, what, key, isRead: false }];
  });
}

/** Splits a line of a timeline; its texts are empty if it is none. */
function cellsOf(line: string) {
  const [, at = '', ms = '', rest = ''] = /^\s*(t=([\d.]+)ms)\s+(.*)$/.exec(line) ?? [];
  const [actor = '', what = '', outcome = ''] = rest.split(/\s{2,}/);
  return { at, ms: Number(ms), actor, what, outcome };
}

/** Replaces each generated name by its number, in order of appearance: two runs may generate other names. */
function withoutNames(what: string, names: Map<string, string>): string {
  return what.replace(/\b[0-9a-f]{16,}\b|(?<=-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, (name) => {
    const known = names.get(name) ?? String(names.size + 1);
    names.set(name, known);
    return known;
  });
}
