import path from 'node:path';
import type { UserConsoleLog } from 'vitest';
import type { Reporter, SerializedError, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { filesIn, isOptional } from '../workbook/katas.ts';
import { type GroupVerdict, hashOfKata, writeVerdict } from '../workbook/verdict.ts';
import { type GroupMarks, type Mark, marksOf } from './reporter-marks.ts';
import { nextStep } from './reporter-next.ts';
import { causes, problemOf } from './reporter-problem.ts';
import { type Screen, screenLines } from './reporter-screen.ts';
import { tally, tallyLine } from './reporter-tally.ts';
import { groupOf, inTeachingOrder, kataOf } from './test-place.ts';

/** Shows a learner one screen: how far they are, what is next, and where to look. */
export class KataReporter implements Reporter {
  #root = process.cwd();
  #startedAtMs = 0;
  /** What the katas of this run were when it began: they may be changed while it lasts. */
  readonly #hashes = new Map<string, string>();
  #clear: () => void = () => {};

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
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

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    if (modules.length > 0 || unhandled.length > 0) write(screenLines(this.#screen(modules, unhandled)));
    write([tallyLine(tally(modules, causes(unhandled)))]);
    this.#keepVerdicts(modules.filter(({ project }) => project.name === 'katas'));
  }

  /** For `npm run kata`, which says how far a learner is. */
  #keepVerdicts(modules: readonly TestModule[]): void {
    for (const { kata, groups } of marksOf(modules)) {
      const at = this.#hashes.get(kata);
      const of = (laws: boolean): readonly GroupVerdict[] =>
        groups.filter((group) => group.laws === laws && group.marks.length > 0).map(verdictOf);
      if (at !== undefined) writeVerdict(this.#root, kata, { levels: of(false), laws: of(true), at });
    }
  }

  #screen(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Screen {
    const ordered = inTeachingOrder(modules);
    const problem = problemOf(this.#root, ordered, unhandled);
    const reds = ordered.flatMap((module) => [...module.children.allTests('failed')]);
    const red = reds.find((test) => !isOptional(groupOf(test))) ?? reds[0];
    const katas = marksOf(ordered);
    const kata = katas.at(-1)?.kata;
    return {
      katas,
      durationMs: Math.round(performance.now() - this.#startedAtMs),
      ...(problem && { problem }),
      ...(red && { next: nextStep(this.#root, red) }),
      ...(kata !== undefined && { done: { kata, ...this.#after(kata) } }),
    };
  }

  /** The kata to go on to. */
  #after(kata: string): { readonly following?: string } {
    const following = filesIn(path.join(this.#root, 'katas')).find(
      (name) => /^\d\d-/.test(name) && name > kata,
    );
    return following === undefined ? {} : { following };
  }
}

function verdictOf({ name, marks, todo }: GroupMarks): GroupVerdict {
  const count = (mark: Mark): number => marks.filter((each) => each === mark).length;
  return {
    name,
    optional: isOptional(name),
    passed: count('passed'),
    failed: count('failed'),
    notRun: count('notRun') + count('notTaken'),
    todo,
  };
}

function write(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
