import type { TestCase, TestModule } from 'vitest/node';
import { isOptional } from '../workbook/katas.ts';
import { holdingBack } from './gate.ts';
import { blockedBy, isLaws, SKIPPED } from './levels.ts';
import { groupOf, inTeachingOrder, kataOf } from './test-place.ts';

/** The marks of one kata, in teaching order. */
export interface KataMarks {
  readonly kata: string;
  readonly groups: readonly GroupMarks[];
}

/** The marks of the tests of one outermost `describe`. */
export interface GroupMarks {
  readonly name: string;
  /** Whether it stands with the laws, and not with the levels. */
  readonly laws: boolean;
  /** A mark a test; none when the file was not loaded. */
  readonly marks: readonly Mark[];
  /** How many tests are red because of a function that is still `todo`. */
  readonly todo: number;
  /** Why tests were not run, where there is a reason to tell. */
  readonly why?: string;
}

/** How one test ended. A skipped test need not run: its subject is optional, or no part of the learner's own design. */
export type Mark = 'passed' | 'failed' | 'undecided' | 'notRun' | 'skipped';

/** The marks of every kata in the run: its levels, then its laws, and last what is optional. */
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
    return [{ name: 'Laws', laws, marks: [], todo: 0, why: whyNotLoaded(all) }];
  return [...new Set(tests.map(groupOf))].map((name) => {
    const own = tests.filter((test) => groupOf(test) === name);
    const why = own.map(noteOf).find((note) => note !== undefined);
    return {
      name,
      laws,
      marks: laws || isOptional(name) ? own.map(markOf) : asOne(own.map(markOf)),
      todo: own.filter(isUnwritten).length,
      ...(why !== undefined && { why }),
    };
  });
}

/** Why laws were not even loaded: for a level, or because others than they were asked for. */
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
  return noteOf(test) === SKIPPED ? 'skipped' : 'notRun';
}

/** Whether a test that Vitest counts as failed used up its CPU time, and found nothing until then. */
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
