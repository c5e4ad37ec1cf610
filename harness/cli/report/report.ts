import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isOptional, levelsIn, listKatas } from '../../workbook/katas.ts';
import { withoutComments } from '../../workbook/sources.ts';
import {
  type GroupVerdict,
  hashOfKata,
  readVerdict,
  type TestState,
  type TestVerdict,
  verdictMs,
} from '../../workbook/verdict.ts';
import { type Kata, readKatas } from '../katas.ts';
import type { Standing } from '../standing.ts';

/** The version of the shape of a {@link Report}. A field that is added keeps it; any other change raises it. */
export const REPORT_VERSION = 1;

/** The state of a workbook's katas, as of the last run of each. `npm run kata -- report` prints it as JSON. */
export interface Report {
  readonly version: typeof REPORT_VERSION;
  /** When the report was made. Like each time here, in ISO 8601 and UTC, by the clock of the learner's machine. */
  readonly at: string;
  /** Every kata, in order. */
  readonly katas: readonly KataReport[];
}

/** The state of one kata. */
export interface KataReport {
  /** `23-replicaset` */
  readonly id: string;
  /** The first heading of its README. */
  readonly title: string;
  /** `done` if all core laws (without ★) passed in the last run. */
  readonly state: Standing['state'];
  /** The state for people, as `npm run kata` prints it: `levels pass, 9 of 18 laws hold`. */
  readonly text: string;
  /** The next level, or the laws: `Level 3`, `the laws`. Absent before the first run, and in a finished kata. */
  readonly place?: string;
  /** Whether the code has changed since the last run. Then all results below belong to earlier code. */
  readonly stale: boolean;
  /** When the tests last ran; absent before the first run. */
  readonly ranAt?: string;
  /** When the result of a test last changed; absent before the first run. */
  readonly changedAt?: string;
  /** When the learner last saved the code or ran the tests; absent if the kata is not started. */
  readonly touchedAt?: string;
  /** The functions that are still unwritten, and all functions of the stub. */
  readonly functions: { readonly left: number; readonly total: number };
  /** The levels, in teaching order. */
  readonly levels: readonly GroupReport[];
  /** The groups of laws, and of tests in a whole cluster. */
  readonly laws: readonly GroupReport[];
}

/** A level, or a group of laws. Each of its tests counts once. */
export interface GroupReport {
  /** `Level 1 · The cache`, `The laws of an informer` */
  readonly name: string;
  /** Whether the kata counts as done without it (★). */
  readonly optional: boolean;
  /**
   * `failed` if a test failed; otherwise `undecided` if a test used up its CPU time before it found a failure;
   * otherwise `notRun` if a test did not run; otherwise `passed`.
   */
  readonly state: TestState;
  readonly passed: number;
  readonly failed: number;
  readonly undecided: number;
  readonly notRun: number;
  /** Each test with its state. Empty for a level that has not run, for results of an older edition, and in a room. */
  readonly tests: readonly TestVerdict[];
}

/**
 * Reads the state of every kata. It runs no test.
 *
 * @param root the workbook's folder
 * @param nowMs the time of the report, in ms since 1970
 */
export function reportOf(root: string, nowMs: number): Report {
  return {
    version: REPORT_VERSION,
    at: iso(nowMs),
    katas: readKatas(root).map((kata) => kataReport(root, kata)),
  };
}

function kataReport(root: string, { id, title, standing, progress, lastMs }: Kata): KataReport {
  const { state, text, place, stale } = standing;
  const last = readVerdict(root, id);
  // `reset` keeps the verdict of the code that it discards.
  const isReset = state === 'not begun' && last !== undefined && last.at !== hashOfKata(root, id);
  const verdict = isReset ? undefined : last;
  const ranMs = isReset ? undefined : verdictMs(root, id);
  return {
    id,
    title,
    state,
    text,
    stale,
    functions: { left: progress.left, total: progress.total },
    levels: groupReports(verdict?.levels ?? [], levelsOf(root, id)),
    laws: groupReports(verdict?.laws ?? [], lawsOf(root, id)),
    ...(place === undefined ? {} : { place }),
    ...(ranMs === undefined ? {} : { ranAt: iso(ranMs), changedAt: iso(verdict?.changedMs ?? ranMs) }),
    ...(lastMs === 0 ? {} : { touchedAt: iso(lastMs) }),
  };
}

/** Joins the results with the groups that the tests declare. A group without a result has not run. */
function groupReports(
  verdicts: readonly GroupVerdict[],
  declared: readonly GroupVerdict[],
): readonly GroupReport[] {
  const groups = verdicts.length > 0 ? verdicts : declared;
  return groups.map((group) => {
    const { name, optional, passed, failed, undecided = 0, notRun, tests = [] } = group;
    return { name, optional, state: stateOf(group), passed, failed, undecided, notRun, tests };
  });
}

function stateOf({ passed, failed, undecided = 0, notRun }: GroupVerdict): TestState {
  if (failed > 0) return 'failed';
  if (undecided > 0) return 'undecided';
  return notRun > 0 || passed === 0 ? 'notRun' : 'passed';
}

/** Returns the levels of a kata as not run. Their tests have no names until they are loaded. */
function levelsOf(root: string, id: string): readonly GroupVerdict[] {
  const kata = listKatas(root).find((each) => each.id === id);
  if (!kata) return [];
  return levelsIn(path.join(kata.folder, `${kata.noun}.test.ts`)).map((name) => unrun(name, []));
}

/** Returns the groups of laws of a kata as not run, with the names in their files. */
function lawsOf(root: string, id: string): readonly GroupVerdict[] {
  const kata = listKatas(root).find((each) => each.id === id);
  const files = kata?.tests.filter((file) => file.endsWith('.properties.test.ts')) ?? [];
  const found = files.flatMap(withImported).flatMap((file) => groupsIn(readFileSync(file, 'utf8')));
  // Several files can have a group of the same name. A run counts it once.
  return [...new Set(found.map(({ name }) => name))].map((name) =>
    unrun(
      name,
      found.flatMap((group) => (group.name === name ? group.tests : [])),
    ),
  );
}

/** Returns a test file, and the test files that it imports. */
function withImported(file: string): readonly string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/^import '(\.\/[^']+\.test\.ts)';\r?$/gm);
  const imported = [...imports].map(([, specifier = '']) => path.join(path.dirname(file), specifier));
  return [file, ...imported.filter((each) => existsSync(each))];
}

/** Returns the outermost describes of a test file, each with the names of its tests. */
function groupsIn(text: string): readonly { readonly name: string; readonly tests: readonly string[] }[] {
  const [, ...groups] = withoutComments(text).split(/^describe(?:\.\w+)*\(/m);
  return groups.map((group) => {
    const [, , name = ''] = /^\s*(['"`])(.*?)\1/.exec(group) ?? [];
    const tests = group.matchAll(/^\s+test(?:\.concurrent)?\(\s*(['"`])((?:\\.|(?!\1).)+)\1/gm);
    return { name, tests: [...tests].map(([, , test = '']) => test.replace(/\\(['"`])/g, '$1')) };
  });
}

function unrun(name: string, tests: readonly string[]): GroupVerdict {
  return {
    name,
    optional: isOptional(name),
    passed: 0,
    failed: 0,
    notRun: tests.length,
    todo: 0,
    tests: tests.map((test) => ({ name: test, state: 'notRun' })),
  };
}

const iso = (ms: number): string => new Date(Math.round(ms)).toISOString();
