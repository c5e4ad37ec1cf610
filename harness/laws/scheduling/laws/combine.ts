import fc from 'fast-check';
import type { PureLaw } from '../../../testing/obeys.ts';
import { described } from '../../../testing/telling.ts';

/** An input of one law, when several laws check the same subject. */
interface Case<S> {
  violation(subject: S): string | undefined;
}

/** The cases of one law, and its number of runs. */
export interface Part<S> {
  readonly runs: number;
  readonly cases: fc.Arbitrary<Case<S>>;
}

/** Returns a law as a part of {@link combine}. Its violations begin with its name. */
export function part<S, T>(name: string, { inputs, runs = 1, violation }: PureLaw<S, T>): Part<S> {
  const cases = inputs.map((input): Case<S> => {
    const one: Case<S> = {
      violation(subject) {
        const broken = violation(subject, input);
        return broken === undefined ? undefined : `${name}: ${broken}`;
      },
    };
    return described(one, () => [fc.stringify(input)]);
  });
  return { runs, cases };
}

/** Combines several laws into one. */
export function combine<S>(parts: readonly Part<S>[]): PureLaw<S, Case<S>> {
  return {
    inputs: fc.oneof(...parts.map(({ runs, cases }) => ({ weight: runs, arbitrary: cases }))),
    runs: parts.reduce((sum, { runs }) => sum + runs, 0),
    violation: (subject, one) => one.violation(subject),
  };
}
