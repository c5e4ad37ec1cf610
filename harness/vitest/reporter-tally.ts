import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** How a run ended, counted. */
export interface Tally {
  readonly passed: number;
  /** Failed tests, files that could not be loaded and errors nobody caught. */
  readonly failed: number;
  readonly skipped: number;
}

/** Counts the outcomes of a run. */
export function tally(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Tally {
  const counts = { passed: 0, failed: unhandled.length, skipped: 0 };
  for (const module of modules) {
    // A file that fails to load has no tests, and a suite that fails to collect has fewer.
    counts.failed += module.errors().length;
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state !== 'pending') counts[state]++;
    }
  }
  return counts;
}

/** The one line that machines read. */
export function tallyLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Prints {@link tallyLine} after whatever the reporter before it printed. */
export class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    process.stdout.write(`${tallyLine(tally(modules, unhandled))}\n`);
  }
}
