import type { Act, Parting } from '../workbook/behaviour.ts';

/** A line of a timeline that the component causes. */
interface Step extends Act {
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
  const found = [...new Set(until.map(({ actor }) => actor))].flatMap((actor) => {
    const of = (steps: readonly Step[]): readonly Step[] => steps.filter((step) => step.actor === actor);
    return partingOf(of(all), of(theirs)) ?? [];
  });
  const [first] = found.sort((a, b) => a.atMs - b.atMs);
  const lastMs = until.at(-1)?.atMs ?? 0;
  if (!first || first.atMs > lastMs) return undefined;
  const before = until.filter(({ actor, isRead }) => actor === first.actor && !isRead).length;
  return first.common >= COMMON_MIN * before ? first : undefined;
}

interface Found extends Parting {
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
  return { actor, mine: shown(act), reference: shown(instead), atMs, common };
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
  return lines.flatMap((line) => {
    const [, at = '', ms = '', rest = ''] = /^\s*(t=([\d.]+)ms)\s+(.*)$/.exec(line) ?? [];
    const [actor = '', what = ''] = rest.split(/\s{2,}/);
    const [verb = '', object = ''] = what.split(' ');
    const key = withoutNames(what, names);
    if (what === '' || /^[A-Z]+$/.test(verb) || IGNORED.includes(verb)) return [];
    if (actor === 'nemesis' || object.startsWith('events/')) return [];
    // In other timelines `get` takes an item from a queue.
    const isRead = verb === 'list' || (verb === 'get' && object.includes('/'));
    return [{ atMs: Number(ms), at, actor, what, key, isRead }];
  });
}

/** Replaces each generated name by its number, in order of appearance: two runs may generate other names. */
function withoutNames(what: string, names: Map<string, string>): string {
  return what.replace(/\b[0-9a-f]{16,}\b|(?<=-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, (name) => {
    const known = names.get(name) ?? String(names.size + 1);
    names.set(name, known);
    return known;
  });
}
