import type { Hypothesis } from './hypothesis.ts';
import type { LawName } from './reading.ts';

/** The first entry or obligation that no hypothesis explains. */
export interface Verdict {
  readonly law: LawName;
  readonly atMs: number;
  readonly message: string;
}

/** The reason why a hypothesis is refuted. */
export type Refusal = Omit<Verdict, 'atMs'>;

/** The hypotheses that remain, and the reason why another one is refuted. */
export interface Outcome {
  readonly hypotheses: readonly Hypothesis[];
  readonly refusal?: Refusal;
}

/** Refutes a hypothesis. */
export function refuse(law: LawName, message: string): Outcome {
  return { hypotheses: [], refusal: { law, message } };
}
