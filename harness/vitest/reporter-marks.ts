import type { TestCase, TestModule } from 'vitest/node';
import { isOptional } from '../workbook/katas.ts';
import { holdingBack } from './gate.ts';
import { blockedBy, isLaws, OPEN, SKIPPED } from './levels.ts';
import { groupOf, inTeachingOrder, kataOf, nameOf } from './test-place.ts';

/** The marks of one kata, in teaching order. */
export interface KataMarks {
  readonly kata: string;
  readonly groups: readonly GroupMarks[];
}

/** The marks of the tests of one outermost `describe`. */
export interface GroupMarks {
  readonly name: string;
  /** Whether the group belongs to the laws, not to the levels. */
  readonly laws: boolean;
  /** One mark per test; empty when the file was not loaded. */
  readonly marks: readonly Mark[];
  /** The name of each test, in the order of the marks. */
  readonly names: readonly string[];
  /** The number of tests that fail because of a function that is still `todo`. */
  readonly todo: number;
  /** Why tests did not run, if there is a reason to show. */
  readonly why?: string;
}

/**
 * The outcome of one test. A skipped test need not run: its subject is optional, or missing in the learner's own
 * design. An open one is a law marked ★ that the learner's own design does not keep.
 */
export type Mark = 'passed' | 'failed' | 'undecided' | 'notRun' | 'skipped' | 'open';

/** Returns the marks of every kata in the run: its levels, then its laws, then its optional parts. */
export function marksOf(modules: readonly TestModule[]): readonly KataMarks[] {
  const ordered = inTeachingOrder(modules);
  return [...new Set(ordered.map(kataOf))].map((kata) => {
    const own = ordered.filter((module) => kataOf(module) === kata);
    const groups = own.flatMap((module) => groupsOf(module, own));
    return {
      kata,
      groups: [
        ...groups.filter(({ name }) => !isOptional(name)),
        ...groups.filter(({ name }) => isOptional(name)),
      ],
    };
  });
}

function groupsOf(module: TestModule, all: readonly TestModule[]): readonly GroupMarks[] {
  const laws = isLaws(module.moduleId);
  const tests = [...module.children.allTests()];
  if (tests.length === 0 && laws && module.errors().length === 0)
    return [{ name: 'Laws', laws, marks: [], names: [], todo: 0, why: whyNotLoaded(all) }];
  return [...new Set(tests.map(groupOf))].map((name) => {
    const own = tests.filter((test) => groupOf(test) === name);
    const why = own.map(noteOf).find((note) => note !== undefined);
    return {
      name,
      laws,
      marks: laws || isOptional(name) ? own.map(markOf) : asOne(own.map(markOf)),
      names: own.map(nameOf),
      todo: own.filter(isUnwritten).length,
      ...(why !== undefined && { why }),
    };
  });
}

/** Returns why laws were not loaded: a level blocks them, or other tests were selected. */
function whyNotLoaded(modules: readonly TestModule[]): string {
  const levels = modules.filter(({ moduleId }) => !isLaws(moduleId));
  const [held] = levels.flatMap((module) => holdingBack(module) ?? []);
  const tests = levels.flatMap((module) => [...module.children.allTests()]);
  const wasLeftOut = tests.some((test) => groupOf(test) === held && markOf(test) === 'notRun');
  const wasRun = tests.some((test) => groupOf(test) === held && test.result().state !== 'skipped');
  return held === undefined || (wasLeftOut && !wasRun) ? 'not run' : blockedBy(held);
}

/** Skips a core level as a whole: tests that pass without a function that is still `todo` do not count as progress. */
function asOne(marks: readonly Mark[]): readonly Mark[] {
  const isTaken = !marks.includes('skipped') || marks.includes('failed');
  return isTaken ? marks : marks.map(() => 'skipped');
}

function markOf(test: TestCase): Mark {
  const { state } = test.result();
  if (state === 'failed') return isUndecided(test) ? 'undecided' : 'failed';
  if (state === 'passed') return state;
  const note = noteOf(test);
  return note === OPEN ? 'open' : note === SKIPPED ? 'skipped' : 'notRun';
}

/** Whether a test that Vitest counts as failed used up its CPU time without finding a failure. */
export function isUndecided(test: TestCase): boolean {
  const { errors = [] } = test.result();
  return errors.length > 0 && errors.every(({ name }) => name === 'Undecided');
}

function noteOf(test: TestCase): string | undefined {
  const result = test.result();
  return result.state === 'skipped' ? result.note : undefined;
}

function isUnwritten(test: TestCase): boolean {
  return test.result().errors?.some(({ name }) => name === 'NotImplemented') ?? false;
}
