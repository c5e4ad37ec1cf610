import fc from 'fast-check';
import type { Filtering } from '../../contracts/framework/index.ts';
import type { PureLaw } from '../../testing/obeys.ts';
import { described } from '../../testing/telling.ts';

/** One input of one of several laws. */
interface Case {
  breach(filtering: Filtering): string | undefined;
}

/** Cases of one law, as many as it has runs. */
export interface Part {
  readonly runs: number;
  readonly cases: fc.Arbitrary<Case>;
}

/** A law as a part of {@link still}: a breach begins with its name. */
export function part<T>(name: string, { inputs, runs = 1, breach }: PureLaw<Filtering, T>): Part {
  const cases = inputs.map((input): Case => {
    const one: Case = {
      breach(filtering) {
        const broken = breach(filtering, input);
        return broken === undefined ? undefined : `${name}: ${broken}`;
      },
    };
    return described(one, () => [String(input)]);
  });
  return { runs, cases };
}

/** Several laws as one. */
export function still(parts: readonly Part[]): PureLaw<Filtering, Case> {
  return {
    inputs: fc.oneof(...parts.map(({ runs, cases }) => ({ weight: runs, arbitrary: cases }))),
    runs: parts.reduce((sum, { runs }) => sum + runs, 0),
    breach: (filtering, one) => one.breach(filtering),
  };
}
