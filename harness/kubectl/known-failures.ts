/** Commands that do not do here what they do upstream, for one reason. */
interface KnownFailure {
  /** Why, as docs/limits.md has it. */
  readonly why: string;
  /** Each with the source of its script. */
  readonly commands: readonly (readonly [source: string, command: string])[];
}

/** What fails. It must go on failing: what works is to be taken off the list. */
export const knownFailures: readonly KnownFailure[] = [];

/** Whether a command of a script is among the {@link knownFailures}. */
export function isKnownFailure(source: string, command: string): boolean {
  return knownFailures.some(({ commands }) =>
    commands.some(([itsSource, itself]) => itsSource === source && itself === command),
  );
}
