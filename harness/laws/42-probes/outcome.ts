import type { Guess } from './guess.ts';
import type { LawName } from './reading.ts';

/** The first thing that no guess explains. */
export interface Verdict {
  readonly law: LawName;
  readonly atMs: number;
  readonly message: string;
}

/** Why a guess cannot go on. */
export type Refusal = Omit<Verdict, 'atMs'>;

/** Guesses that go on, and why others do not. */
export interface Outcome {
  readonly guesses: readonly Guess[];
  readonly refusal?: Refusal;
}

/** No guess goes on. */
export function refuse(law: LawName, message: string): Outcome {
  return { guesses: [], refusal: { law, message } };
}
