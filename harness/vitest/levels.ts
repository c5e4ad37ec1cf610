import path from 'node:path';
import type { RunnerTask, RunnerTestCase, RunnerTestFile } from 'vitest';
import type { NotImplemented } from '../contracts/todo.ts';
import { levelsNotTaken, type OptionalLevels, optionalLevels, takesFreeWay } from '../workbook/free-way.ts';
import { isOptional } from '../workbook/katas.ts';

/** The note of a test that did not run because its subject is optional, or is missing in the learner's own design. */
export const SKIPPED = 'skipped';

/**
 * The note of a law marked ★ that does not hold in the learner's own design. Nothing shows whether its part is wrong or
 * was never built, so the test does not count as failed.
 */
export const OPEN = 'open';

/** The note of tests that come after the failing level `title`. */
export function blockedBy(title: string): string {
  return `blocked by ${shortOf(title)}`;
}

/** Returns `Level 3` of `Level 3 · Scale up the new`; the whole title if it has no number. */
export function shortOf(title: string): string {
  return /^Level \d+/.exec(title)?.[0] ?? title;
}

/** Does a test file hold the laws of a kata? The others hold its levels. */
export function isLaws(file: string): boolean {
  return file.endsWith('.properties.test.ts');
}

/**
 * Whether a function of level `heading` comes after the test in teaching order, so that the test must pass without it: it
 * belongs to a later level, or to a level marked ★ while the test does not.
 *
 * @param heading `Level 8`, as the function's `todo` names it
 * @param group the title of the test's outermost `describe`
 * @param optional the levels marked ★: `Level 9`
 */
export function comesLater(heading: string, group: string, optional: readonly string[]): boolean {
  const [todo, own] = [heading, group].map((title) => /^Level (\d+)/.exec(title)?.[1]);
  if (todo === undefined) return false;
  if (own !== undefined && Number(todo) > Number(own)) return true;
  return optional.includes(`Level ${todo}`) && !isOptional(group);
}

/**
 * Decides which tests of a kata's file run: level by level, up to the first level with a failure. Groups marked ★
 * come last and block nothing. In the learner's own design, a level whose functions are missing is skipped.
 */
export class Levels {
  /** Whether the whole file runs, and not only tests selected by name. */
  readonly #whole: boolean;
  /** Whether each level waits for the level before it. */
  readonly #inOrder: boolean;
  readonly #laws: boolean;
  /** Whether functions that are `todo` are allowed to stay so. */
  readonly #free: boolean;
  /** The titles of the levels that are skipped in the learner's own design. */
  readonly #notTaken: readonly string[];
  /** Whether the learner has written the component in another shape than the levels. */
  readonly #ownDesign: boolean;
  /** The first core level with a failure. */
  #red: string | undefined;
  /** The titles of the levels marked ★ that the learner has begun: their first test passed. */
  readonly #begun = new Set<string>();
  /** The levels marked ★ of a learner's kata. */
  readonly #optional: OptionalLevels;

  /**
   * @param file its tests are sorted in place
   * @param inOrder false when tests are selected by name: then nothing waits
   */
  constructor(file: RunnerTestFile, inOrder: boolean) {
    const folder = path.dirname(file.filepath);
    this.#whole = inOrder;
    this.#laws = isLaws(file.filepath);
    this.#inOrder = inOrder && !this.#laws;
    // Solutions also run against the tests of a kata, whatever the learner has written there.
    const isLearners = file.projectName === 'katas';
    this.#free = isLearners && !this.#laws && takesFreeWay(folder);
    this.#optional = isLearners ? optionalLevels(folder) : { all: [], todo: [], removed: [] };
    const notTaken = isLearners ? levelsNotTaken(folder) : [];
    this.#ownDesign = notTaken.length > 0;
    this.#notTaken = this.#free && this.#inOrder ? notTaken : [];
    file.tasks.sort((a, b) => Number(isOptional(a.name)) - Number(isOptional(b.name)));
  }

  /** Returns why a test must not run now; undefined when it may. */
  objection(test: RunnerTestCase): string | undefined {
    const name = groupOf(test);
    if (this.#notTaken.includes(name)) return SKIPPED;
    // A law about unwritten functions may pass, but that shows nothing. A component of another shape needs none of them.
    if (this.#laws && isOptional(name) && !this.#ownDesign && this.#isMissing(name, this.#optional.todo))
      return SKIPPED;
    if (!this.#inOrder || this.#red === undefined || this.#red === name) return undefined;
    return blockedBy(this.#red);
  }

  /**
   * Whether a test may call a function that is still `todo`. In a level marked ★ that the learner has begun, that
   * function is the next to write.
   */
  mayBeTodo(test: RunnerTestCase): boolean {
    const name = groupOf(test);
    return isOptional(name) ? !this.#begun.has(name) : this.#free;
  }

  /** Whether a test must pass without this function: see {@link comesLater}. */
  comesLater({ heading }: NotImplemented, test: RunnerTestCase): boolean {
    return comesLater(heading, groupOf(test), this.#optional.all);
  }

  /**
   * Returns the note of a failure that may not count, because the test is about a part marked ★: {@link SKIPPED} if the
   * learner has not begun it, {@link OPEN} for a law that the learner's own design does not keep. A law that is selected
   * by name shows its failure.
   */
  noteOfFailure(test: RunnerTestCase): string | undefined {
    const name = groupOf(test);
    if (!isOptional(name)) return undefined;
    const { todo, removed } = this.#optional;
    if (/^Level/.test(name))
      return !this.#begun.has(name) && todo.includes(shortOf(name)) ? SKIPPED : undefined;
    if (!this.#ownDesign) return this.#isMissing(name, todo) ? SKIPPED : undefined;
    return this.#whole && this.#isMissing(name, [...todo, ...removed]) ? OPEN : undefined;
  }

  /** Records that a test passed. */
  passed(test: RunnerTestCase): void {
    if (isOptional(groupOf(test)) && isFirst(test)) this.#begun.add(groupOf(test));
  }

  /** Records that a test did not pass. */
  failed(test: RunnerTestCase): void {
    const name = groupOf(test);
    if (!isOptional(name)) this.#red ??= name;
  }

  /**
   * Whether laws marked ★ have no subject: a level that their title names is `missing`. If the title names none, all
   * levels marked ★ must be missing.
   */
  #isMissing(title: string, missing: readonly string[]): boolean {
    const named = levelsNamedIn(title);
    if (named.length > 0) return named.some((level) => missing.includes(level));
    const { all } = this.#optional;
    return all.length > 0 && all.every((level) => missing.includes(level));
  }
}

/**
 * Returns `Level 6`, `Level 7` and `Level 8` for `★ The laws together (Levels 6 to 8)`; empty if the title names
 * none.
 */
function levelsNamedIn(title: string): readonly string[] {
  const [, first, last = first] = /\(Levels? (\d+)(?: to (\d+))?\)$/.exec(title) ?? [];
  if (first === undefined) return [];
  const [from, to] = [Number(first), Number(last)];
  return Array.from({ length: to - from + 1 }, (_, i) => `Level ${from + i}`);
}

/** Is it the first test of its outermost `describe`? */
function isFirst(test: RunnerTestCase): boolean {
  let inner: RunnerTask = test;
  for (let { suite } = test; suite; { suite } = suite) {
    if (suite.tasks[0] !== inner) return false;
    inner = suite;
  }
  return true;
}

/** Returns the title of the outermost `describe`; empty for tests outside of any, which form one group. */
function groupOf(test: RunnerTestCase): string {
  let title = '';
  for (let { suite } = test; suite; { suite } = suite) title = suite.name;
  return title;
}
