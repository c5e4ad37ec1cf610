import { styleText } from 'node:util';
import { isOptional } from '../workbook/katas.ts';
import type { GreenLevels } from './gate.ts';
import { shortOf } from './levels.ts';
import type { Explanation } from './present.ts';
import { screenWidth, wrapped } from './present-width.ts';
import type { GroupMarks, KataMarks, Mark } from './reporter-marks.ts';
import { excerptOf } from './reporter-timeline.ts';

/** The screen of a learner after a run; absent parts are not shown. */
export interface Screen {
  readonly katas: readonly KataMarks[];
  /** Milliseconds of real time. */
  readonly durationMs: number;
  /** The levels that pass now and did not pass before this save. */
  readonly news?: readonly string[];
  /** An error that kept tests from running, or happened outside of them. */
  readonly problem?: {
    readonly what: string;
    readonly explanation?: Explanation;
    readonly at?: string;
    readonly frame?: readonly string[];
  };
  /** The first failing test. */
  readonly next?: {
    readonly test: string;
    readonly explanation?: Explanation;
    readonly at?: string;
    readonly frame?: readonly string[];
    /** Further sentences about the cause. */
    readonly besides?: readonly string[];
    /** The errors that the component reported or caught during the test, the most useful first. */
    readonly caught?: readonly string[];
    readonly timeline?: readonly string[];
    /** The name of the object at fault: every line of the timeline about it is shown. */
    readonly object?: string;
    /** The components that cause the failure, as a sentence. */
    readonly culprit?: string;
    /** The command that repeats the failure. */
    readonly replay: string;
    /** The file and the section to read. */
    readonly read: string;
    /** The command that prints a hint; absent without hints. */
    readonly hint?: string;
    /** The command that draws the run in a page; absent if it has no history. */
    readonly see?: string;
    /** Whether that hint first compares the code with known mistakes. @defaultValue false */
    readonly isCompared?: boolean;
    /** The exports of a learner's own design; absent if the learner has chosen the levels. */
    readonly free?: readonly string[];
  };
  /** The other failing laws: name and the first line of each failure. */
  readonly others?: readonly (readonly [law: string, line: string])[];
  /** The messages of the tests that did not finish, without duplicates. */
  readonly undecided?: readonly string[];
  /** The last kata of the run, the one after it, the command that runs all of it, and whether the learner wrote its code. */
  readonly done?: {
    readonly kata: string;
    readonly following?: string;
    readonly command?: string;
    readonly isLearners?: boolean;
  };
}

/** Stands after the command of a hint, because a screen has few lines. */
const COMPARED = '  (first compares your code with known mistakes)';

/** Draws the screen, with colours if the terminal has them. */
export function screenLines(screen: Screen): readonly string[] {
  return [
    '',
    ...progress(screen),
    ...news(screen),
    ...problem(screen),
    ...next(screen),
    ...others(screen),
    ...undecided(screen),
    ...done(screen),
    '',
  ];
}

/** Returns the line that announces the laws of a kata. */
export function lawsBegin(kata: string, levels: GreenLevels): string {
  const sign = levels === 'none' ? dim('·') : green('✓');
  return ` ${sign} ${bold(kata)}  ${LEVELS_ARE[levels]}The laws run now …`;
}

const LEVELS_ARE: Readonly<Record<GreenLevels, string>> = {
  all: 'Levels are green. ',
  some: 'The levels that are not skipped are green. ',
  none: '',
};

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

/** Returns the marks that count. */
const asked = (marks: readonly Mark[]): readonly Mark[] =>
  marks.filter((mark) => mark !== 'skipped' && mark !== 'open');

type Row = Pick<GroupMarks, 'name' | 'marks' | 'why'>;

/** Returns the width of the longest name, limited by the space for the marks. */
function nameWidth(rows: readonly Row[]): number {
  const narrowest = 32;
  const longest = (lengths: readonly number[]): number => Math.max(0, ...lengths);
  const marks = longest(rows.map((row) => row.marks.length + outcome(row).length));
  const room = Math.max(narrowest, screenWidth() - marks - '     '.length);
  return Math.min(room, longest(rows.map(({ name }) => name.length)));
}

/** Shortens a name between two words. */
function cut(name: string, width: number): string {
  if (name.length <= width) return name;
  const start = name.slice(0, width - 1);
  const space = start.lastIndexOf(' ');
  return `${space > 0 ? start.slice(0, space) : start}…`;
}

/** Describes how many tests passed, and why the others did not run. */
function outcome({ name, marks, why }: Row): string {
  const gap = marks.length > 0 ? '  ' : '';
  const isWhole = marks.every((mark) => mark === 'notRun' || mark === 'skipped');
  if (!isWhole) return `${gap}${dim(`${count(marks)}${marks.includes('open') ? '  optional, open' : ''}`)}`;
  const optional = isOptional(name) && marks.includes('skipped');
  return `${gap}${dim(optional ? 'optional, skipped' : (why ?? 'not run'))}`;
}

function news({ news = [] }: Screen): readonly string[] {
  const [only, ...more] = news;
  if (only === undefined) return [];
  const numbers = news.map((level) => shortOf(level).replace('Level ', ''));
  const subject = more.length === 0 ? `${only} is` : `Levels ${inWords(numbers)} are`;
  return ['', ` ${green(`✓ ${subject} green.`)}`];
}

function problem({ problem }: Screen): readonly string[] {
  if (!problem) return [];
  return ['', ` ${bold(`problem: ${problem.what}`)}`, ...told(problem), ...place(problem)];
}

function next({ next }: Screen): readonly string[] {
  if (!next) return [];
  const {
    explanation,
    besides = [],
    caught = [],
    timeline = [],
    object,
    culprit,
    replay,
    read,
    hint,
    see,
    isCompared = false,
    free = [],
  } = next;
  const { unwritten, scenario } = explanation ?? {};
  return [
    '',
    ...title(
      scenario === undefined ? next.test : `a scenario never ends. The first law that ran it: ${next.test}`,
    ),
    ...(unwritten
      ? [`   ${unwritten.symbol} is not implemented yet. Begin at ${next.at ?? `katas/${unwritten.kata}`}`]
      : [...told(next), ...place(next)]),
    ...besides.flatMap((line) => indented(line)),
    ...(scenario === undefined
      ? []
      : ['', '   The scenario:', ...indented(scenario).map((line) => `  ${line}`)]),
    ...reported(caught),
    ...(timeline.length > 0
      ? [
          '',
          ' timeline',
          ...excerptOf(timeline, object).map((line) => `   ${line.startsWith('…') ? dim(line) : line}`),
        ]
      : []),
    ...(culprit === undefined ? [] : ['', ...culpritLines(culprit)]),
    '',
    dim(` replay  ${replay}`),
    ` read    ${read}`,
    ...(hint === undefined ? [] : [` hint    ${hint}${isCompared ? dim(COMPARED) : ''}`]),
    ...(see === undefined ? [] : [` see     ${see}`]),
    ...(free.length === 0
      ? []
      : [` free    To solve it without levels, implement only ${inWords(free)}: README, "What you build"`]),
  ];
}

function title(test: string): readonly string[] {
  return wrapped(`next: ${test}`, screenWidth() - 2, '      ').map((line) => ` ${bold(line)}`);
}

function culpritLines(culprit: string): readonly string[] {
  return wrapped(`culprit ${culprit}`, screenWidth() - 2, '        ').map((line) => ` ${bold(line)}`);
}

/** Lists the other failing laws, one per line. */
function others({ others = [] }: Screen): readonly string[] {
  if (others.length === 0) return [];
  const width = Math.max(...others.map(([law]) => law.length));
  const room = screenWidth() - width - ' ✗   '.length;
  return [
    '',
    ` ${others.length === 1 ? 'One more law fails' : `${others.length} more laws fail`}, perhaps for the same reason:`,
    ...others.map(([law, line]) => ` ${red('✗')} ${law.padEnd(width)}  ${dim(cut(line, room))}`),
  ];
}

function undecided({ katas, undecided = [], done }: Screen): readonly string[] {
  if (undecided.length === 0) return [];
  const marks = katas.flatMap(({ groups }) => groups.flatMap((group) => group.marks));
  const count = marks.filter((mark) => mark === 'undecided').length;
  return [
    '',
    ` ${yellow(`? ${count === 1 ? '1 test is' : `${count} tests are`} undecided.`)} ${undecided.join(' ')}`,
    ...(done?.command === undefined ? [] : [`   Fewer scenarios take less time: ${done.command} --runs 20`]),
  ];
}

function done({ katas, next, problem, undecided = [], done }: Screen): readonly string[] {
  const groups = katas.flatMap((kata) => kata.groups);
  if (next && done && katas.every(isCoreDone))
    return ['', ` ${green(`✓ ${done.kata} is done without this: it is optional (★).`)}`];
  if (next || problem || !done || undecided.length > 0) return [];
  if (groups.every(({ marks }) => marks.length === 0)) return [];
  // A run of one file or of tests by name is not the whole kata.
  if (!katas.every(isDone)) return ['', ` ${green('These tests pass.')} ${notRun(groups, done.command)}`];
  const begin = done.following === undefined ? '' : `, then begin katas/${done.following}/README.md`;
  // A learner follows a path, which may skip katas.
  const then = done.isLearners ? ', then run npm run kata -- next' : begin;
  const what = katas.length === 1 ? `${done.kata} is done` : 'Everything is done';
  return [
    '',
    ` ${green(bold(`✓ ${what}.`))} Compare with solutions/${done.kata}/README.md${then}.`,
    ...(done.isLearners ? ['   Watch it work in a cluster: npm start -- --mine'] : []),
    ...open(katas),
  ];
}

/** Lists the laws marked ★ that the learner's own design does not keep, and how to see why. */
function open(katas: readonly KataMarks[]): readonly string[] {
  return katas.flatMap(({ kata, groups }) =>
    groups.flatMap(({ marks, names }) =>
      names
        .filter((_, i) => marks[i] === 'open')
        .map((name) => {
          const law = name.split(':')[0] ?? name;
          return `   ${yellow('○')} ${law} (★) does not hold. If you have built it, see why: npm run kata -- run ${kata.slice(0, 2)} --only "${law}"`;
        }),
    ),
  );
}

/** Describes the part of the kata that did not run. */
function notRun(groups: readonly GroupMarks[], command: string | undefined): string {
  const laws = groups.filter((group) => group.laws);
  const ran = ({ marks }: GroupMarks): boolean => marks.some((mark) => mark === 'passed');
  const what = laws.some(ran) ? 'Other tests of the kata did not run.' : 'The laws did not run.';
  return command === undefined ? what : `${what} To run the whole kata: ${command}`;
}

/** Is the kata done, although a part marked ★ fails? */
function isCoreDone({ kata, groups }: KataMarks): boolean {
  const core = groups.filter(({ name }) => !isOptional(name));
  return core.length < groups.length && isDone({ kata, groups: core });
}

/** Is the kata done? The laws must have run, and every test that ran must have passed; levels alone do not suffice. */
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

/** Returns at most three errors. */
function reported(caught: readonly string[]): readonly string[] {
  if (caught.length === 0) return [];
  const shown = caught.length > 3 ? [...caught.slice(0, 2), `and ${caught.length - 2} more`] : caught;
  return ['', '   Errors reported or caught during the run:', ...shown.map((line) => `     ${line}`)];
}

function draw(marks: readonly Mark[]): string {
  const dot = dim('·');
  const open = yellow('○');
  const signs = {
    passed: green('✓'),
    failed: red('✗'),
    undecided: yellow('?'),
    notRun: dot,
    skipped: dot,
    open,
  };
  return marks.map((mark) => signs[mark]).join('');
}

function count(marks: readonly Mark[]): string {
  return `${marks.filter((mark) => mark === 'passed').length}/${marks.length}`;
}

/** Joins names: `a, b and c`. */
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

const yellow = (text: string): string => styled('yellow', text);

function styled(style: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string): string {
  const colours = process.env.NO_COLOR === undefined && (process.stdout.isTTY || process.env.FORCE_COLOR);
  return colours ? styleText(style, text) : text;
}
