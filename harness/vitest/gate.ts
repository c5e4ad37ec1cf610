import path from 'node:path';
import type { TestModule, TestSpecification } from 'vitest/node';
import { isOptional } from '../workbook/katas.ts';
import { isLaws, SKIPPED } from './levels.ts';
import { groupOf } from './test-place.ts';

/** Lets the laws of a kata run when its levels pass. */
export class Gate {
  /** The files with levels of this run. */
  readonly #running = new Map<string, Running>();
  readonly #listeners: ((laws: string, green: GreenLevels) => void)[] = [];

  /**
   * Calls back with each file of laws that begins because the levels of this run allow it.
   */
  onOpen(listener: (laws: string, green: GreenLevels) => void): void {
    this.#listeners.push(listener);
  }

  /** Records that a run of these files begins. */
  begin(specifications: readonly TestSpecification[]): void {
    this.finishAll();
    this.#running.clear();
    for (const specification of specifications) {
      const { moduleId } = specification;
      // The mistakes of a reference are next to its laws, but run in another pool, which never reports their end.
      if (isLaws(moduleId) || !moduleId.endsWith('.test.ts')) continue;
      let finish = (): void => {};
      const over = new Promise<void>((resolve) => {
        finish = resolve;
      });
      this.#running.set(moduleId, { specification, over, finish });
    }
  }

  /** Records that a file has finished, whatever its result. */
  finish(file: string): void {
    this.#running.get(file)?.finish();
  }

  /** Releases everything that waits, because the run is cancelled. */
  finishAll(): void {
    for (const { finish } of this.#running.values()) finish();
  }

  /**
   * Waits until all levels of the kata of `file` have finished.
   *
   * @returns whether `file` may run: it holds no laws, or the levels block nothing, or they are not part of this run
   */
  async opensFor(file: string): Promise<boolean> {
    if (!isLaws(file)) return true;
    const levels = [...this.#running.values()].filter(
      ({ specification }) => path.dirname(specification.moduleId) === path.dirname(file),
    );
    await Promise.all(levels.map(({ over }) => over));
    const opens = levels.every(({ specification }) => holdingBack(specification.testModule) === undefined);
    const core = levels
      .flatMap(({ specification }) => [...(specification.testModule?.children.allTests() ?? [])])
      .filter((test) => !isOptional(groupOf(test)));
    const passed = core.filter((test) => test.result().state === 'passed').length;
    const green = passed === 0 ? 'none' : passed < core.length ? 'some' : 'all';
    if (opens && levels.length > 0) for (const listener of this.#listeners) listener(file, green);
    return opens;
  }
}

/** The core levels that are green when the laws begin. The learner's own design skips some of them, or all. */
export type GreenLevels = 'all' | 'some' | 'none';

interface Running {
  readonly specification: TestSpecification;
  readonly over: Promise<void>;
  readonly finish: () => void;
}

/**
 * Finds the first core level that blocks the laws because it fails.
 *
 * @returns its title; the name of the file if that could not be loaded; undefined when nothing blocks the laws: a
 * skipped level does not
 */
export function holdingBack(levels: TestModule | undefined): string | undefined {
  if (!levels) return undefined;
  const tests = [...levels.children.allTests()];
  if (levels.errors().length > 0 || tests.length === 0) return path.basename(levels.moduleId);
  const held = tests.find((test) => {
    const result = test.result();
    if (result.state === 'passed' || isOptional(groupOf(test))) return false;
    return !(result.state === 'skipped' && result.note === SKIPPED);
  });
  return held && groupOf(held);
}
