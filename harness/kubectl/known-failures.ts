/** A command that does not do here what it does upstream. */
export interface KnownFailure {
  readonly command: string;
  /** Why, as a sentence that docs/limits.md bears out. */
  readonly why: string;
}

/** What fails, by the source of its script. It must go on failing: what works is to be taken off the list. */
export const knownFailures: Readonly<Record<string, readonly KnownFailure[]>> = {};
