import type { Reporter } from 'vitest/node';

/**
 * Makes a run red that ends without its end. When all that is left waits for something that never comes, Node exits, and Vitest has
 * told no results, and no error either.
 */
export class EndGuard implements Reporter {
  #isOver = true;

  onInit(): void {
    // It is told when nothing is left to wait for, and not when a person ends the run.
    process.once('beforeExit', () => {
      if (this.#isOver) return;
      process.stdout.write(
        'Failed to end the run: a file waits for what never comes. Results are missing.\n',
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
