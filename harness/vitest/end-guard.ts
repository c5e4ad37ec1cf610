import type { Reporter } from 'vitest/node';

/**
 * Fails a run that ends prematurely. When everything left waits for something that never happens, Node exits, and
 * Vitest has reported neither results nor an error.
 */
export class EndGuard implements Reporter {
  #isOver = true;

  onInit(): void {
    // Node emits this event when nothing is left to wait for, but not when a person ends the run.
    process.once('beforeExit', () => {
      if (this.#isOver) return;
      process.stdout.write(
        'Failed to end the run: a file waits for something that never happens. Results are missing.\n',
      );
      process.exitCode = 1;
    });
  }

  onTestRunStart(): void {
    this.#isOver = false;
  }

  onTestRunEnd(): void {
    this.#isOver = true;
  }
}
