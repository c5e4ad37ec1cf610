import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { filesIn, listKatas, listKatasWithoutCode } from './katas.ts';
import { writeWhole } from './whole-file.ts';

/** The result of a kata's last run. The reporter writes it after each run; the command line reads it. */
export interface Verdict {
  /** The groups of `<noun>.test.ts`, in teaching order; empty until the file has been loaded once. */
  readonly levels: readonly GroupVerdict[];
  /** The groups of the other test files: the laws, then the kata in a whole cluster. */
  readonly laws: readonly GroupVerdict[];
  /**
   * The {@link hashOfKata} at the start of the run. If it differs from the current hash, the code has changed since.
   */
  readonly at: string;
  /** When the result of a test last changed, in ms since 1970. Absent in older files. */
  readonly changedMs?: number;
}

/** The tests of one outermost `describe`. Each test counts once: as passed, failed, undecided or not run. */
export interface GroupVerdict {
  /** The title of the `describe`: `Level 1 · The cache`, `The laws of an informer`. */
  readonly name: string;
  /** Whether the title is marked ★: the kata counts as done without it. */
  readonly optional: boolean;
  readonly passed: number;
  readonly failed: number;
  /** Tests that used up their CPU time before they found a failure. Absent in older files. */
  readonly undecided?: number;
  /**
   * Tests that did not run because another level blocked them, `-t` excluded them, or an abandoned test came before
   * them.
   */
  readonly notRun: number;
  /** Failed tests that reached a function whose body is still `todo`. */
  readonly todo: number;
  /** Each test by its name in the group, in order. Absent in older files. */
  readonly tests?: readonly TestVerdict[];
}

/** The result of one test: of a law, or of an example of a level. */
export interface TestVerdict {
  /** `Never overlaps: no two pods have one address` */
  readonly name: string;
  readonly state: TestState;
}

/** The states of a test, as {@link GroupVerdict} counts them. */
export type TestState = 'passed' | 'failed' | 'undecided' | 'notRun';

/** Returns whether every core law of the kata ran and passed. Optional laws (★) and levels do not count. */
export function isDone({ laws }: Verdict): boolean {
  const core = laws.filter(({ optional }) => !optional);
  return core.length > 0 && core.every((group) => group.failed + openIn(group) === 0);
}

/**
 * Returns whether the last run was inconclusive: no core law failed, but at least one is undecided. The kata is not
 * done, and its component has not been refuted.
 */
export function isUndecided({ laws }: Verdict): boolean {
  const core = laws.filter(({ optional }) => !optional);
  return core.every(({ failed }) => failed === 0) && core.some(({ undecided = 0 }) => undecided > 0);
}

/** Returns the number of tests that have neither passed nor failed. */
function openIn({ notRun, undecided = 0 }: GroupVerdict): number {
  return notRun + undecided;
}

/** The last verdict. `green` is the last verdict on other code that finished the kata. */
interface Stored extends Verdict {
  readonly green?: Verdict;
}

/**
 * Reads the verdict on a kata. A learner who breaks green code, runs it and restores it has the green verdict again.
 *
 * @param root the workbook's folder
 * @param kata `24-deployment`
 * @returns undefined if the kata never ran, or if the file cannot be read
 */
export function readVerdict(root: string, kata: string): Verdict | undefined {
  const stored = readStored(root, kata);
  if (stored?.green === undefined) return stored;
  return stored.green.at === hashOfKata(root, kata) ? stored.green : withoutGreen(stored);
}

function readStored(root: string, kata: string): Stored | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(root, kata), 'utf8')) as Stored;
  } catch {
    return undefined;
  }
}

/** Returns when the verdict on a kata was written, in ms since 1970; undefined if the kata never ran. */
export function verdictMs(root: string, kata: string): number | undefined {
  return statSync(fileOf(root, kata), { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * Writes a verdict. A partial run (`-t`, one file) discards no result of an earlier run of the same code: each group
 * keeps its more complete result. A run with the results of the run before keeps the time of their last change.
 *
 * @param root the workbook's folder
 * @param kata `24-deployment`
 */
export function writeVerdict(root: string, kata: string, verdict: Verdict): void {
  const stored = readStored(root, kata);
  const known = [stored, stored?.green].filter((one) => one !== undefined);
  const earlier = known.find(({ at }) => at === verdict.at);
  const kept = earlier ? joined(earlier, verdict) : verdict;
  const isSame = stored?.changedMs !== undefined && resultsOf(stored) === resultsOf(kept);
  const written: Verdict = isSame ? { ...kept, changedMs: stored.changedMs } : kept;
  const done = known.find((one) => isDone(one) && one.at !== kept.at);
  const all: Stored = done ? { ...written, green: withoutGreen(done) } : written;
  writeWhole(fileOf(root, kata), JSON.stringify(all));
}

function withoutGreen({ green, ...verdict }: Stored): Verdict {
  return verdict;
}

function resultsOf({ levels, laws }: Verdict): string {
  return JSON.stringify([levels, laws]);
}

/**
 * Returns a hash of the code of a kata: the files beside its tests. A kata without code runs the code of all others.
 *
 * @param root the workbook's folder
 * @param kata `24-deployment`
 */
export function hashOfKata(root: string, kata: string): string {
  const sum = createHash('sha256');
  const isWithoutCode = listKatasWithoutCode(root).some(({ id }) => id === kata);
  if (isWithoutCode) {
    for (const { id } of listKatas(root)) sum.update(hashOfKata(root, id));
    return sum.digest('hex');
  }
  const folder = path.join(root, 'katas', kata);
  for (const name of filesIn(folder)) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    sum.update(`${name}\n`).update(readFileSync(path.join(folder, name)));
  }
  return sum.digest('hex');
}

function joined(earlier: Verdict, later: Verdict): Verdict {
  return {
    ...later,
    levels: joinedGroups(earlier.levels, later.levels),
    laws: joinedGroups(earlier.laws, later.laws),
  };
}

function joinedGroups(
  earlier: readonly GroupVerdict[],
  later: readonly GroupVerdict[],
): readonly GroupVerdict[] {
  // A file that was not loaded has no groups.
  if (later.length === 0) return earlier;
  return later.map((group) => {
    const before = earlier.find(({ name }) => name === group.name);
    return before && openIn(before) < openIn(group) ? before : group;
  });
}

/** The file lies in the cache folder, which git ignores and `npm ci` empties. */
function fileOf(root: string, kata: string): string {
  return path.join(root, 'node_modules/.cache/kubernetes-katas/verdicts', `${kata}.json`);
}
