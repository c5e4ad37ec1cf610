/**
 * An error for the person who typed a command. One sentence says what failed and why, a second one what to do next. Any
 * other error is a bug of the workbook.
 */
export class Failure extends Error {
  override readonly name = 'Failure';

  /**
   * @param what verb and object: `read web.yaml`
   * @param why the reason, without a full stop
   * @param next the next step, as a whole sentence
   */
  constructor(what: string, why: string, next: string) {
    super(`Failed to ${what}: ${why.replace(/\.$/, '')}. ${next}`);
  }
}

/** The output of a command. */
export interface Terminal {
  /** Prints a line to stdout. */
  print(line: string): void;
  /** Prints a line to stderr. */
  complain(line: string): void;
}

/**
 * Runs a command to its end.
 *
 * @returns the exit code: 0, or 1 after a {@link Failure}, whose message is printed
 */
export async function exitCodeOf(command: () => Promise<void>, terminal: Terminal): Promise<number> {
  try {
    await command();
    return 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    terminal.complain(error.message);
    return 1;
  }
}
