import { styleText } from 'node:util';
import type { Explanation } from './present.ts';
import type { GroupMarks, KataMarks, Mark } from './reporter-marks.ts';

/** Everything a learner is told after a run; what is absent is not said. */
export interface Screen {
  readonly katas: readonly KataMarks[];
  /** Milliseconds of real time. */
  readonly durationMs: number;
  /** What kept tests from running at all, or happened outside of them. */
  readonly problem?: {
    readonly what: string;
    readonly explanation?: Explanation;
    readonly at?: string;
    readonly frame?: readonly string[];
  };
  /** The first red test. */
  readonly next?: {
    readonly test: string;
    readonly explanation?: Explanation;
    readonly at?: string;
    readonly frame?: readonly string[];
    /** What the component reported or caught meanwhile, the most telling first. */
    readonly caught?: readonly string[];
    readonly timeline?: readonly string[];
    /** The name of the object at fault: no line of the timeline that speaks of it is hidden. */
    readonly object?: string;
    /** The command that shows it again. */
    readonly replay: string;
    /** The file and the heading to read. */
    readonly read: string;
    /** The command that prints a hint; absent where there are none. */
    readonly hint?: string;
    /** What one may write in a shape of one's own instead; absent where nothing is left of it, or where it was left behind. */
    readonly free?: readonly string[];
  };
  /** The last kata of the run, and the one after it. */
  readonly done?: { readonly kata: string; readonly following?: string };
}

/** Draws the screen; colours only where the terminal has them. */
export function screenLines(screen: Screen): readonly string[] {
  return ['', ...progress(screen), ...problem(screen), ...next(screen), ...done(screen), ''];
}

function progress({ katas, durationMs }: Screen): readonly string[] {
  const [only] = katas.length === 1 ? katas : [];
  const rows: readonly Row[] = only
    ? only.groups
    : katas.map(({ kata, groups }) => ({ name: kata, marks: asked(groups.flatMap(({ marks }) => marks)) }));
  const width = nameWidth(rows);
  const all = asked(rows.flatMap(({ marks }) => marks));
  const total = `${only ? only.kata : 'all'}  ${count(all)}  ${dim(`${durationMs} ms`)}`;
  return [
    ` ${bold(total)}`,
    ...rows.map((row) => `   ${cut(row.name, width).padEnd(width)}  ${draw(row.marks)}${outcome(row)}`),
  ];
}

/** What counts: without what is not taken. */
const asked = (marks: readonly Mark[]): readonly Mark[] => marks.filter((mark) => mark !== 'notTaken');

type Row = Pick<GroupMarks, 'name' | 'marks' | 'why'>;

/** As wide as the longest name, if the marks leave room for it. */
function nameWidth(rows: readonly Row[]): number {
  const narrowest = 32;
  const columns = process.stdout.columns ?? 120;
  const longest = (lengths: readonly number[]): number => Math.max(0, ...lengths);
  const marks = longest(rows.map((row) => row.marks.length + outcome(row).length));
  const room = Math.max(narrowest, columns - marks - '     '.length);
  return Math.min(room, longest(rows.map(({ name }) => name.length)));
}

/** Shortened between two words. */
function cut(name: string, width: number): string {
  if (name.length <= width) return name;
  const start = name.slice(0, width - 1);
  const space = start.lastIndexOf(' ');
  return `${space > 0 ? start.slice(0, space) : start}…`;
}

/** How many are green, and why the others were not run. */
function outcome({ marks, why }: Row): string {
  const gap = marks.length > 0 ? '  ' : '';
  const whole = !marks.includes('passed') && !marks.includes('failed');
  return `${gap}${dim(whole ? (why ?? 'not run') : count(marks))}`;
}

function problem({ problem }: Screen): readonly string[] {
  if (!problem) return [];
  return ['', ` ${bold(`problem: ${problem.what}`)}`, ...told(problem), ...place(problem)];
}

function next({ next }: Screen): readonly string[] {
  if (!next) return [];
  const { explanation, caught = [], timeline, replay, read, hint, free = [] } = next;
  const unwritten = explanation?.unwritten;
  return [
    '',
    ` ${bold(`next: ${next.test}`)}`,
    ...(unwritten
      ? [`   ${unwritten.symbol} is yours to write. Begin at ${next.at ?? `katas/${unwritten.kata}`}`]
      : [...told(next), ...place(next)]),
    ...reported(caught),
    ...(timeline && timeline.length > 0
      ? ['', ' timeline', ...around(timeline, next.object).map((line) => `   ${line}`)]
      : []),
    '',
    dim(` replay  ${replay}`),
    ` read    ${read}`,
    ...(hint === undefined ? [] : [` hint    ${hint}`]),
    ...(free.length === 0
      ? []
      : [` free    or write ${inWords(free)} in your own way: README, "What you build"`]),
  ];
}

function done({ katas, next, problem, done }: Screen): readonly string[] {
  const groups = katas.flatMap((kata) => kata.groups);
  if (next || problem || !done || groups.every(({ marks }) => marks.length === 0)) return [];
  // Green because of `-t`, of one file only, or of a test that was abandoned is not done.
  if (!katas.every(isDone)) return ['', ` ${green('All that ran is green.')}`];
  const then = done.following === undefined ? '' : `, then begin katas/${done.following}/README.md`;
  const what = katas.length === 1 ? `${done.kata} is done` : 'Everything is done';
  return ['', ` ${green(`${what}.`)} Compare with solutions/${done.kata}/README.md${then}.`];
}

/** Levels are a scaffold: laws there must be, and what was run must be green. */
function isDone({ groups }: KataMarks): boolean {
  const isGreen = ({ marks }: GroupMarks): boolean =>
    marks.length > 0 && asked(marks).every((mark) => mark === 'passed');
  return groups.some(({ laws }) => laws) && groups.every(isGreen);
}

function told({ explanation }: { readonly explanation?: Explanation }): readonly string[] {
  if (!explanation) return [];
  const { kind, message, advice } = explanation;
  return [
    ...indented(kind === '' ? red(message) : red(`${kind}: ${message}`)),
    ...(advice === undefined ? [] : indented(advice)),
  ];
}

function place({
  at,
  frame,
}: {
  readonly at?: string;
  readonly frame?: readonly string[];
}): readonly string[] {
  if (at === undefined) return [];
  return [`   at ${at}`, ...(frame ?? []).map((line) => `     ${line.startsWith('>') ? line : dim(line)}`)];
}

/** Four lines at most, and one that keeps them apart. */
function reported(caught: readonly string[]): readonly string[] {
  if (caught.length === 0) return [];
  const shown = caught.length > 3 ? [...caught.slice(0, 2), `and ${caught.length - 2} more`] : caught;
  return ['', '   While it ran, it reported or caught:', ...shown.map((line) => `     ${line}`)];
}

/**
 * The lines around the violation, or the last ones when none is marked; and every line that speaks of the object at fault.
 * A single line is not hidden: to say so would take one, too.
 *
 * @param object its name
 */
function around(timeline: readonly string[], object?: string): readonly string[] {
  const linesMax = 16;
  const marked = timeline.findIndex((line) => line.startsWith('✗'));
  const end = marked < 0 ? timeline.length : Math.min(timeline.length, marked + 4);
  const start = Math.max(0, end - linesMax);
  const isShown = (line: string, index: number): boolean =>
    (index >= start && index < end) || (object !== undefined && speaksOf(line, object));
  const lines: string[] = [];
  let hidden: string[] = [];
  const tellHidden = (where: string): void => {
    if (hidden.length === 1) lines.push(...hidden);
    else if (hidden.length > 1) lines.push(dim(`… ${hidden.length} ${where}`));
    hidden = [];
  };
  for (const [index, line] of timeline.entries()) {
    if (!isShown(line, index)) {
      hidden.push(line);
      continue;
    }
    tellHidden(lines.length === 0 ? 'earlier' : 'more');
    lines.push(line);
  }
  tellHidden('later');
  return lines;
}

/** Whether the name stands in the line by itself: `web-1`, and not as a part of `web-10`. */
function speaksOf(line: string, name: string): boolean {
  const at = line.indexOf(name);
  if (at < 0) return false;
  const isPart = (char: string | undefined): boolean => char !== undefined && /[\w.-]/.test(char);
  return (!isPart(line[at - 1]) && !isPart(line[at + name.length])) || speaksOf(line.slice(at + 1), name);
}

function draw(marks: readonly Mark[]): string {
  const signs = { passed: green('✓'), failed: red('✗'), notRun: dim('·'), notTaken: dim('·') };
  return marks.map((mark) => signs[mark]).join('');
}

function count(marks: readonly Mark[]): string {
  return `${marks.filter((mark) => mark === 'passed').length}/${marks.length}`;
}

/** `a, b and c` */
function inWords(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

function indented(text: string): readonly string[] {
  return text.split('\n').map((line) => (line === '' ? '' : `   ${line}`));
}

const bold = (text: string): string => styled('bold', text);
const dim = (text: string): string => styled('dim', text);
const red = (text: string): string => styled('red', text);
const green = (text: string): string => styled('green', text);

function styled(style: 'bold' | 'dim' | 'red' | 'green', text: string): string {
  const colours = process.env.NO_COLOR === undefined && (process.stdout.isTTY || process.env.FORCE_COLOR);
  return colours ? styleText(style, text) : text;
}
