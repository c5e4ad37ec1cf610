import path from 'node:path';
import type { UserConsoleLog } from 'vitest';
import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node';
import { filesIn } from '../workbook/katas.ts';
import { isOptional } from './levels.ts';
import { marksOf } from './reporter-marks.ts';
import { nextStep } from './reporter-next.ts';
import { problemOf } from './reporter-problem.ts';
import { type Screen, screenLines } from './reporter-screen.ts';
import { tally, tallyLine } from './reporter-tally.ts';
import { groupOf, inTeachingOrder } from './test-place.ts';

/** Shows a learner one screen: how far they are, what is next, and where to look. */
export class KataReporter implements Reporter {
  #root = process.cwd();
  #startedAtMs = 0;
  #clear: () => void = () => {};

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
    this.#clear = () => vitest.logger.clearFullScreen();
  }

  onTestRunStart(): void {
    this.#startedAtMs = performance.now();
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
    write([tallyLine(tally(modules, unhandled))]);
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

function write(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
