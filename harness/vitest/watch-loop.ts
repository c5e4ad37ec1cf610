import path from 'node:path';
import type { Reporter, TestSpecification, Vitest, WatcherTriggerPattern } from 'vitest/node';
import { filesIn } from '../workbook/katas.ts';
import { folderOf } from './test-place.ts';

/**
 * Keeps the watch of a learner going. Each saved file runs all tests of its kata: Vitest alone would run only the
 * tests that loaded the file before, and the laws are not loaded until the levels pass. A save and `q` cancel the
 * current run.
 */
export class WatchLoop implements Reporter {
  #vitest: Vitest | undefined;
  /** The katas of the current run, such as `katas/21-informer`; undefined between two runs. */
  #running: ReadonlySet<string> | undefined;
  /** Returns the tests that a saved file runs. */
  readonly triggers: WatcherTriggerPattern[] = [
    {
      pattern: /\/(?:katas|solutions)\/(\d\d-[^/]+)\/.+\.ts$/,
      testsToRun: (_, [, kata = '']) => this.#saved(kata),
    },
  ];

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    endWithNpm();
    if (!vitest.config.watch || !process.stdin.isTTY) return;
    // Vitest takes a `q` during a run as a wish to cancel the run.
    process.stdin.on('keypress', (_, key?: { readonly name?: string }) => {
      if (key?.name === 'q' && this.#running) this.#quit(vitest).catch(() => process.exit());
    });
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#running = new Set(specifications.map(folderOf));
  }

  onTestRunEnd(): void {
    this.#running = undefined;
  }

  /** @returns the test files of the kata, levels and laws, absolute */
  #saved(kata: string): string[] {
    const vitest = this.#vitest;
    if (!vitest) return [];
    // The current run tests code that has been replaced.
    const isOutdated = [...(this.#running ?? [])].some((folder) => path.basename(folder) === kata);
    if (isOutdated) vitest.cancelCurrentRun('keyboard-input').catch(() => {});
    return ['katas', 'solutions'].flatMap((folder) => {
      const within = path.join(vitest.config.root, folder, kata);
      return filesIn(within).flatMap((name) => (name.endsWith('.test.ts') ? [path.join(within, name)] : []));
    });
  }

  async #quit(vitest: Vitest): Promise<void> {
    await vitest.cancelCurrentRun('keyboard-input');
    await vitest.exit(true);
  }
}

/** How often to check whether `npx` is still alive, in real ms. */
const LOOK_MS = 1_000;

/** Ends this process when the `npx` or `npm run` that started it was killed: npm cannot forward that. */
function endWithNpm(): void {
  if (process.env.npm_command === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, LOOK_MS).unref();
}
