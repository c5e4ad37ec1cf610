import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filesIn } from './katas.ts';

/** What the last run of a kata showed. The reporter writes it after each run; the command line reads it. */
export interface Verdict {
  /** The groups of `<noun>.test.ts`, in teaching order; empty until it has been loaded once. */
  readonly levels: readonly GroupVerdict[];
  /** The groups of the other test files: the laws, then the kata in a whole cluster. */
  readonly laws: readonly GroupVerdict[];
  /** What {@link hashOfKata} said when the run began: a verdict with another hash is about code that has changed since. */
  readonly at: string;
}

/** The tests of one outermost `describe`. Each test counts once: as passed, failed, undecided or not run. */
export interface GroupVerdict {
  /** The title of the `describe`: `Level 1 · The cache`, `The laws of an informer`. */
  readonly name: string;
  /** Whether the title is marked ★: the kata is done without it. */
  readonly optional: boolean;
  readonly passed: number;
  readonly failed: number;
  /** Tests that used up their CPU time before they found anything against the code. Absent in older files. */
  readonly undecided?: number;
  /** Tests that another level blocked, that `-t` left out, or that an abandoned test kept from running. */
  readonly notRun: number;
  /** Of the failed tests, those that met a function whose body is still `todo`. */
  readonly todo: number;
}

/** Whether every law of the kata ran and passed, those marked ★ aside. Levels are a scaffold: they do not count. */
export function isDone({ laws }: Verdict): boolean {
  const core = laws.filter(({ optional }) => !optional);
  return core.length > 0 && core.every((group) => group.failed + openIn(group) === 0);
}

/**
 * Whether the last run found nothing against the kata, but did not finish: no law failed, those marked ★ aside, and at least
 * one is undecided. The kata is not done, and its component has not been refuted.
 */
export function isUndecided({ laws }: Verdict): boolean {
  const core = laws.filter(({ optional }) => !optional);
  return core.every(({ failed }) => failed === 0) && core.some(({ undecided = 0 }) => undecided > 0);
}

/** How many tests have neither passed nor failed. */
function openIn({ notRun, undecided = 0 }: GroupVerdict): number {
  return notRun + undecided;
}

/**
 * The verdict on a kata.
 *
 * @param root the workbook's folder
 * @param kata `24-deployment`
 * @returns undefined when it was never run, or when what was kept cannot be read
 */
export function readVerdict(root: string, kata: string): Verdict | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(root, kata), 'utf8')) as Verdict;
  } catch {
    return undefined;
  }
}

/** When the verdict on a kata was written, in ms since 1970; undefined if the kata was never run. */
export function verdictMs(root: string, kata: string): number | undefined {
  return statSync(fileOf(root, kata), { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * Keeps a verdict. A run of a part of the kata (`-t`, one file) takes nothing away from what an earlier run of the same
 * code showed: the more complete result of each group is kept.
 *
 * @param root the workbook's folder
 * @param kata `24-deployment`
 */
export function writeVerdict(root: string, kata: string, verdict: Verdict): void {
  const earlier = readVerdict(root, kata);
  const kept = earlier?.at === verdict.at ? joined(earlier, verdict) : verdict;
  const file = fileOf(root, kata);
  mkdirSync(path.dirname(file), { recursive: true });
  // A reader meanwhile sees the verdict before.
  writeFileSync(`${file}.new`, JSON.stringify(kept));
  renameSync(`${file}.new`, file);
}

/**
 * Names the code of a kata by its content: the files beside its tests.
 *
 * @param root the workbook's folder
 * @param kata `24-deployment`
 */
export function hashOfKata(root: string, kata: string): string {
  const folder = path.join(root, 'katas', kata);
  const sum = createHash('sha256');
  for (const name of filesIn(folder)) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    sum.update(`${name}\n`).update(readFileSync(path.join(folder, name)));
  }
  return sum.digest('hex');
}

function joined(earlier: Verdict, later: Verdict): Verdict {
  return {
    levels: joinedGroups(earlier.levels, later.levels),
    laws: joinedGroups(earlier.laws, later.laws),
    at: later.at,
  };
}

function joinedGroups(
  earlier: readonly GroupVerdict[],
  later: readonly GroupVerdict[],
): readonly GroupVerdict[] {
  // A file that was not loaded has no groups at all.
  if (later.length === 0) return earlier;
  return later.map((group) => {
    const before = earlier.find(({ name }) => name === group.name);
    return before && openIn(before) < openIn(group) ? before : group;
  });
}

/** In the folder of caches, which git ignores and `npm ci` empties. */
function fileOf(root: string, kata: string): string {
  return path.join(root, 'node_modules/.cache/kubernetes-katas/verdicts', `${kata}.json`);
}
