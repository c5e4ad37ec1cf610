import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { isUndecided } from './reporter-marks.ts';

/** The outcome of a run. Each test counts once. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Tests that used up their CPU time without finding a failure. */
  readonly undecided: number;
  /** Tests that were not run. */
  readonly skipped: number;
  /** Problems outside of tests: files and suites that could not be loaded, and uncaught errors. */
  readonly errors: number;
}

/** Counts the outcomes of a run. */
export function tally(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Tally {
  const counts = { passed: 0, failed: 0, undecided: 0, skipped: 0, errors: unhandled.length };
  for (const module of new Set(modules)) {
    // A file that fails to load has no tests, and a suite that fails to collect has fewer.
    counts.errors += module.errors().length;
    for (const suite of module.children.allSuites()) counts.errors += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      counts[isUndecided(test) ? 'undecided' : state === 'pending' ? 'skipped' : state]++;
    }
  }
  return counts;
}

/** Returns the one line for machines. */
export function tallyLine({ passed, failed, undecided, skipped, errors }: Tally): string {
  return [
    `${passed} passed, ${failed} failed`,
    ...(undecided > 0 ? [`${undecided} undecided`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(errors > 0 ? [errors === 1 ? '1 error' : `${errors} errors`] : []),
  ].join(', ');
}

/** Prints {@link tallyLine} after the output of the reporter before it. */
export class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    process.stdout.write(`${tallyLine(tally(modules, unhandled))}\n`);
  }
}
