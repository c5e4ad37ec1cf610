import path from 'node:path';
import type { RunnerTask, RunnerTestCase, RunnerTestFile } from 'vitest';
import { levelsNotTaken, starsToWrite, takesFreeWay } from '../workbook/free-way.ts';
import { isOptional } from '../workbook/katas.ts';

/** What is said of a test whose function is still `todo` where it need not be written. */
export const NOT_TAKEN = 'not taken';

/** What is said of tests that come after the red level `title`. */
export function waitsFor(title: string): string {
  return `waits for ${shortOf(title)}`;
}

/** `Level 3` of `Level 3 · Scale up the new`; the whole title where it has no number. */
export function shortOf(title: string): string {
  return /^Level \d+/.exec(title)?.[0] ?? title;
}

/** Whether a test file holds the laws of a kata; the others are its levels. */
export function isLaws(file: string): boolean {
  return file.endsWith('.properties.test.ts');
}

/**
 * The order in which one file of a kata is run: level by level, and no further than the first that has a red. What is
 * marked ★ comes last, and holds nothing back. On the free way, a level that needs a function that is `todo` is left out.
 */
export class Levels {
  readonly #inOrder: boolean;
  /** Whether a function that is `todo` need not be written. */
  readonly #free: boolean;
  /** The titles of the levels that are left out. */
  readonly #notTaken: readonly string[];
  /** The first core level that has a red. */
  #red: string | undefined;
  /** The titles of the levels marked ★ that are begun: their first test, which is of their first function, passed. */
  readonly #begun = new Set<string>();
  /** What is marked ★ and still `todo`, of a learner's kata. */
  readonly #stars: ReturnType<typeof starsToWrite> | undefined;

  /**
   * @param file its tests are put into their order
   * @param inOrder false when some tests were asked for by name: then nothing waits
   */
  constructor(file: RunnerTestFile, inOrder: boolean) {
    const folder = path.dirname(file.filepath);
    this.#inOrder = inOrder && !isLaws(file.filepath);
    // Solutions are held to the tests of a kata, too, whatever a learner has written there.
    this.#free = file.projectName === 'katas' && !isLaws(file.filepath) && takesFreeWay(folder);
    this.#stars = file.projectName === 'katas' ? starsToWrite(folder) : undefined;
    this.#notTaken = this.#free && this.#inOrder ? levelsNotTaken(folder) : [];
    file.tasks.sort((a, b) => Number(isOptional(a.name)) - Number(isOptional(b.name)));
  }

  /** Why a test is not to be run now; undefined when it is. */
  objection(test: RunnerTestCase): string | undefined {
    const name = groupOf(test);
    if (this.#notTaken.includes(name)) return NOT_TAKEN;
    if (!this.#inOrder || this.#red === undefined || this.#red === name) return undefined;
    return waitsFor(this.#red);
  }

  /** Whether a test that met a function that is still `todo` may do so. In a level marked ★ that is begun, the next function is to be written. */
  mayBeTodo(test: RunnerTestCase): boolean {
    const name = groupOf(test);
    return isOptional(name) ? !this.#begun.has(name) : this.#free;
  }

  /**
   * Whether a red says nothing, because the test is about something marked ★ that is not begun: laws, if a level that their title names is
   * not written. Where it names none, if no level marked ★ is.
   */
  isUntouched(test: RunnerTestCase): boolean {
    const name = groupOf(test);
    if (!isOptional(name) || !this.#stars) return false;
    const { headings, areAll } = this.#stars;
    if (/^Level/.test(name)) return !this.#begun.has(name) && headings.includes(shortOf(name));
    const levels = levelsNamedIn(name);
    return levels.length > 0 ? levels.some((level) => headings.includes(level)) : areAll;
  }

  /** Takes note of a test that is green. */
  passed(test: RunnerTestCase): void {
    if (isOptional(groupOf(test)) && isFirst(test)) this.#begun.add(groupOf(test));
  }

  /** Takes note of a red. */
  failed(test: RunnerTestCase): void {
    const name = groupOf(test);
    if (!isOptional(name)) this.#red ??= name;
  }
}

/** `Level 6`, `Level 7` and `Level 8` of `★ The laws together (Levels 6 to 8)`; none if it names none. */
function levelsNamedIn(title: string): readonly string[] {
  const [, first, last = first] = /\(Levels? (\d+)(?: to (\d+))?\)$/.exec(title) ?? [];
  if (first === undefined) return [];
  const [from, to] = [Number(first), Number(last)];
  return Array.from({ length: to - from + 1 }, (_, i) => `Level ${from + i}`);
}

/** Whether it is the first test of its outermost `describe`. */
function isFirst(test: RunnerTestCase): boolean {
  let inner: RunnerTask = test;
  for (let { suite } = test; suite; { suite } = suite) {
    if (suite.tasks[0] !== inner) return false;
    inner = suite;
  }
  return true;
}

/** The title of the outermost `describe`; empty for tests that stand in none: together they are one group. */
function groupOf(test: RunnerTestCase): string {
  let title = '';
  for (let { suite } = test; suite; { suite } = suite) title = suite.name;
  return title;
}
