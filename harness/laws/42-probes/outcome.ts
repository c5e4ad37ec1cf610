import type { Hypothesis } from './hypothesis.ts';
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
  readonly hypotheses: readonly Hypothesis[];
  readonly refusal?: Refusal;
}

/** No guess goes on. */
export function refuse(law: LawName, message: string): Outcome {
  return { hypotheses: [], refusal: { law, message } };
}
