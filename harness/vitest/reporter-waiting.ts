import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** A file that has begun and not ended. */
interface UnderWay {
  /** Names of the running tests. */
  readonly tests: Set<string>;
  /** The number of ticks since this file last reported anything. */
  silentTicks: number;
}

/**
 * Names the files that report nothing for a minute, and their running tests. This is not a limit: a test with real
 * processes waits as long as the machine takes. The output shows where a run hangs; a person or CI ends it.
 */
export class WaitingReporter implements Reporter {
  readonly #files = new Map<string, UnderWay>();
  readonly #write: (line: string) => unknown;

  /** @param write writes a line. @defaultValue to standard error */
  constructor(write: (line: string) => unknown = (line) => process.stderr.write(`${line}\n`)) {
    this.#write = write;
  }

  onInit(): void {
    setInterval(() => this.tick(), 60_000).unref();
  }

  onTestModuleQueued(module: TestModule): void {
    this.#files.set(module.relativeModuleId, { tests: new Set(), silentTicks: 0 });
  }

  onTestModuleEnd(module: TestModule): void {
    this.#files.delete(module.relativeModuleId);
  }

  onTestCaseReady(test: TestCase): void {
    this.#heard(test)?.tests.add(test.fullName);
  }

  onTestCaseResult(test: TestCase): void {
    this.#heard(test)?.tests.delete(test.fullName);
  }

  /** Runs once a minute. */
  tick(): void {
    for (const [file, underWay] of this.#files) {
      underWay.silentTicks += 1;
      // The first tick may come right after the last report.
      if (underWay.silentTicks < 2) continue;
      const at = [...underWay.tests].join(', ') || 'no test (the file loads, or a hook runs)';
      this.#write(`${file} has reported nothing for ${underWay.silentTicks - 1} min. Running: ${at}`);
    }
  }

  #heard({ module }: TestCase): UnderWay | undefined {
    const underWay = this.#files.get(module.relativeModuleId);
    if (underWay) underWay.silentTicks = 0;
    return underWay;
  }
}
