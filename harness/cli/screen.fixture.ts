import { Failure, type Terminal } from './failure.ts';

/** A terminal that keeps what is printed. */
export class Screen implements Terminal {
  readonly out: string[] = [];
  readonly err: string[] = [];

  print(line: string): void {
    this.out.push(line);
  }

  complain(line: string): void {
    this.err.push(line);
  }
}

/**
 * Returns the message of the {@link Failure} that `run` throws. @throws Error when `run` succeeds or throws another
 * error
 */
export function failureOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
  throw new Error('It did not fail.');
}
