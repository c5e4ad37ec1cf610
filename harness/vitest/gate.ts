import path from 'node:path';
import type { TestModule, TestSpecification } from 'vitest/node';
import { isOptional } from '../workbook/katas.ts';
import { isLaws, NOT_TAKEN } from './levels.ts';
import { groupOf } from './test-place.ts';

/** Lets the laws of a kata run when its levels are green. */
export class Gate {
  /** The levels of this run that are not over yet, by file. */
  readonly #running = new Map<string, Running>();

  /** A run begins, of these files. */
  begin(specifications: readonly TestSpecification[]): void {
    this.#running.clear();
    for (const specification of specifications) {
      const { moduleId } = specification;
      // The mistakes of a reference lie beside its laws and run in another pool, which never tells their end.
      if (isLaws(moduleId) || !moduleId.endsWith('.test.ts')) continue;
      let finish = (): void => {};
      const over = new Promise<void>((resolve) => {
        finish = resolve;
      });
      this.#running.set(moduleId, { specification, over, finish });
    }
  }

  /** A file is over, whatever became of it. */
  finish(file: string): void {
    this.#running.get(file)?.finish();
  }

  /**
   * Waits until all levels beside `file` are over.
   *
   * @returns whether `file` may run: it holds no laws, or the levels hold nothing back, or are no part of this run
   */
  async opensFor(file: string): Promise<boolean> {
    if (!isLaws(file)) return true;
    const levels = [...this.#running.values()].filter(
      ({ specification }) => path.dirname(specification.moduleId) === path.dirname(file),
    );
    await Promise.all(levels.map(({ over }) => over));
    return levels.every(({ specification }) => holdingBack(specification.testModule) === undefined);
  }
}

interface Running {
  readonly specification: TestSpecification;
  readonly over: Promise<void>;
  readonly finish: () => void;
}

/**
 * What the laws wait for: the title of the first core level that is not green; of a file that was not loaded, its name.
 * Undefined when they wait for nothing. Functions that are `todo` hold nothing back where they need not be written.
 */
export function holdingBack(levels: TestModule | undefined): string | undefined {
  if (!levels) return undefined;
  const tests = [...levels.children.allTests()];
  if (levels.errors().length > 0 || tests.length === 0) return path.basename(levels.moduleId);
  const held = tests.find((test) => {
    const result = test.result();
    if (result.state === 'passed' || isOptional(groupOf(test))) return false;
    return !(result.state === 'skipped' && result.note === NOT_TAKEN);
  });
  return held && groupOf(held);
}
