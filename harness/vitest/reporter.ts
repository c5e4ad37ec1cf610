import path from 'node:path';
import type { UserConsoleLog } from 'vitest';
import type {
  Reporter,
  SerializedError,
  TestCase,
  TestModule,
  TestRunEndReason,
  TestSpecification,
  Vitest,
} from 'vitest/node';
import { type FailedLaw, writeFailedLaws } from '../workbook/failed-laws.ts';
import { filesIn, isOptional } from '../workbook/katas.ts';
import { runCommandLine } from '../workbook/run-command-line.ts';
import {
  type GroupVerdict,
  hashOfKata,
  readVerdict,
  type TestState,
  type Verdict,
  writeVerdict,
} from '../workbook/verdict.ts';
import type { Gate } from './gate.ts';
import { isLaws } from './levels.ts';
import { type GroupMarks, isUndecided, type Mark, marksOf } from './reporter-marks.ts';
import { inOneLine, nextStep } from './reporter-next.ts';
import { causes, problemOf } from './reporter-problem.ts';
import { lawsBegin, type Screen, screenLines } from './reporter-screen.ts';
import { tally, tallyLine } from './reporter-tally.ts';
import { groupOf, inTeachingOrder, kataOf } from './test-place.ts';

/** Shows a learner one screen: the progress, the next step, and where to look. */
export class KataReporter implements Reporter {
  #root = process.cwd();
  #isWatching = false;
  #startedAtMs = 0;
  /** The hashes of the katas at the start of the run: a file may be saved during the run. */
  readonly #hashes = new Map<string, string>();
  #clear: () => void = () => {};

  constructor(gate: Gate) {
    gate.onOpen((laws, green) => write([lawsBegin(kataOf({ moduleId: laws }), green)]));
  }

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
    this.#isWatching = vitest.config.watch;
    this.#clear = () => vitest.logger.clearFullScreen();
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#startedAtMs = performance.now();
    this.#hashes.clear();
    for (const { moduleId, project } of specifications) {
      const kata = kataOf({ moduleId });
      if (project.name === 'katas' && !this.#hashes.has(kata))
        this.#hashes.set(kata, hashOfKata(this.#root, kata));
    }
  }

  onUserConsoleLog({ type, content }: UserConsoleLog): void {
    process[type].write(content);
  }

  onWatcherRerun(): void {
    this.#clear();
  }

  onWatcherStart(): void {
    write([' waiting for changes, q quits']);
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    // The next run covers the current file.
    if (this.#isWatching && reason === 'interrupted') return;
    if (modules.length > 0 || unhandled.length > 0) write(screenLines(this.#screen(modules, unhandled)));
    write([tallyLine(tally(modules, causes(unhandled)))]);
    for (const [kata, verdict] of this.#verdicts(modules)) {
      writeVerdict(this.#root, kata, verdict);
      this.#noteFailedLaws(kata, verdict.at, modules);
    }
  }

  /** Notes the failed laws for hints and replays, which run their inputs again. The law of the screen comes first. */
  #noteFailedLaws(kata: string, at: string, modules: readonly TestModule[]): void {
    const laws = modules
      .filter((module) => kataOf(module) === kata && isLaws(module.moduleId))
      .flatMap((module) => [...module.children.allTests()]);
    const ran = laws.filter((test) => ['passed', 'failed'].includes(test.result().state));
    const failed = byCause(ran.filter((test) => test.result().state === 'failed' && !isUndecided(test)));
    writeFailedLaws(this.#root, kata, { laws: failed.map(asFailedLaw), at }, new Set(ran.map(fullNameOf)));
  }

  /** Returns the verdicts for `npm run kata`, which shows a learner's progress. */
  #verdicts(modules: readonly TestModule[]): readonly (readonly [kata: string, verdict: Verdict])[] {
    return marksOf(modules.filter(({ project }) => project.name === 'katas')).flatMap(({ kata, groups }) => {
      const at = this.#hashes.get(kata);
      const of = (laws: boolean): readonly GroupVerdict[] =>
        groups.filter((group) => group.laws === laws && group.marks.length > 0).map(verdictOf);
      const changedMs = Date.now();
      return at === undefined ? [] : [[kata, { levels: of(false), laws: of(true), at, changedMs }] as const];
    });
  }

  #screen(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Screen {
    const ordered = inTeachingOrder(modules);
    const problem = problemOf(this.#root, ordered, unhandled);
    const failed = ordered.flatMap((module) => [...module.children.allTests('failed')]);
    const [first, ...more] = byCause(failed.filter((test) => !isUndecided(test)));
    const katas = marksOf(ordered);
    const kata = katas.at(-1)?.kata;
    return {
      katas,
      durationMs: Math.round(performance.now() - this.#startedAtMs),
      news: this.#news(modules),
      ...(problem && { problem }),
      ...(first && { next: nextStep(this.#root, first), others: more.filter(isLaw).map(asLine) }),
      undecided: [...new Set(failed.filter(isUndecided).map(inOneLine))],
      ...(kata !== undefined && {
        done: {
          kata,
          ...this.#after(kata),
          command: runCommandLine({ kata: kata.slice(0, 2) }),
          isLearners: ordered.every(({ project }) => project.name !== 'solutions'),
        },
      }),
    };
  }

  /** Returns the levels that pass in this run and did not pass with the earlier code. */
  #news(modules: readonly TestModule[]): readonly string[] {
    return this.#verdicts(modules).flatMap(([kata, { levels, at }]) => {
      const before = readVerdict(this.#root, kata);
      if (before === undefined || before.at === at) return [];
      const wasGreen = ({ name }: GroupVerdict): boolean =>
        before.levels.some((level) => level.name === name && isGreen(level));
      return levels.filter((level) => isGreen(level) && !wasGreen(level)).map(({ name }) => name);
    });
  }

  /** Returns the next kata. */
  #after(kata: string): { readonly following?: string } {
    const following = filesIn(path.join(this.#root, 'katas')).find(
      (name) => /^\d\d-/.test(name) && name > kata,
    );
    return following === undefined ? {} : { following };
  }
}

/**
 * Sorts the failures for the learner. Optional levels and laws come last. Before them come the laws whose situation
 * never occurred, because another failure may explain that.
 */
function byCause(failed: readonly TestCase[]): readonly TestCase[] {
  const rank = (test: TestCase): number =>
    isOptional(groupOf(test)) ? 2 : test.result().errors?.every(({ name }) => name === 'NotMet') ? 1 : 0;
  return failed.toSorted((a, b) => rank(a) - rank(b));
}

function fullNameOf({ fullName }: TestCase): string {
  return fullName;
}

function asFailedLaw(test: TestCase): FailedLaw {
  const { seed, smallestPath, workload } = test.meta().evidence?.counterexample ?? {};
  if (seed === undefined || smallestPath === undefined) return { test: test.fullName };
  return {
    test: test.fullName,
    input: { seed, path: smallestPath, ...(workload !== undefined && { workload }) },
  };
}

function isLaw({ module }: TestCase): boolean {
  return isLaws(module.moduleId);
}

function asLine(law: TestCase): readonly [law: string, line: string] {
  return [law.name.split(':')[0] ?? law.name, inOneLine(law)];
}

function isGreen({ passed, failed, undecided = 0, notRun }: GroupVerdict): boolean {
  return passed > 0 && failed + undecided + notRun === 0;
}

function verdictOf({ name, marks, names, todo }: GroupMarks): GroupVerdict {
  const count = (mark: Mark): number => marks.filter((each) => each === mark).length;
  const stateOf = (mark: Mark | undefined): TestState =>
    mark === undefined || mark === 'skipped' || mark === 'open' ? 'notRun' : mark;
  return {
    name,
    optional: isOptional(name),
    passed: count('passed'),
    failed: count('failed'),
    undecided: count('undecided'),
    notRun: count('notRun') + count('skipped') + count('open'),
    todo,
    tests: names.map((test, index) => ({ name: test, state: stateOf(marks[index]) })),
  };
}

function write(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
