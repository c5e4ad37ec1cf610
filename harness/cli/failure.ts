/**
 * What a person who typed a command is told when it does not work: one sentence that says what failed and why,
 * and one that says what to do next. Everything else that is thrown is a mistake of ours.
 */
export class Failure extends Error {
  override readonly name = 'Failure';

  /**
   * @param what verb and thing: `read web.yaml`
   * @param why the reason, without a full stop
   * @param next what to do, as a whole sentence
   */
  constructor(what: string, why: string, next: string) {
    super(`Failed to ${what}: ${why.replace(/\.$/, '')}. ${next}`);
  }
}

/** What is common to every command: where it prints. */
export interface Terminal {
  /** Prints a line to stdout. */
  print(line: string): void;
  /** Prints a line to stderr. */
  complain(line: string): void;
}

/**
 * Runs a command to its end.
 *
 * @returns the exit code: 0, or 1 after a {@link Failure}, which was told
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
