import type { ReplayAnswer } from '../../workbook/replay.ts';

/** The path of the development server that answers with a {@link FailureAnswer}: `/__failure/23?law=Never+too+many`. */
export const FAILURE_URL = '/__failure';

/** The replay of a failed law, or a sentence; and facts about the last run. */
export type FailureAnswer = ReplayAnswer & {
  /** The names of all laws that failed. */
  readonly laws: readonly string[];
  /** Whether the code has changed since. */
  readonly isStale: boolean;
};
