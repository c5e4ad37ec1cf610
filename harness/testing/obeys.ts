import fc from 'fast-check';
import { recorded } from './calls.ts';
import { LawBroken } from './holds.ts';
import { noteCalls } from './property.ts';
import { takingTurns } from './turns.ts';

/** A law about pure decisions instead of runs. */
export interface PureLaw<S, T> {
  readonly inputs: fc.Arbitrary<T>;
  /** Number of inputs, as a multiple of the runs of all properties. @defaultValue 1 */
  readonly runs?: number;
  /** @returns a description of the violation; `undefined` if the law holds */
  violation(subject: S, input: T): string | undefined;
}

/**
 * Other tasks get a turn after this number of inputs. Thousands of them without a pause would look like a loop; on a
 * busy machine twenty do.
 */
const INPUTS_PER_TURN = 5;

/**
 * Asserts that a law holds for generated inputs. A failure describes the violation for the smallest failing input.
 *
 * @throws LawBroken
 */
export async function obeys<S, T>(subject: S, { inputs, runs = 1, violation }: PureLaw<S, T>): Promise<void> {
  const { numRuns = 100 } = fc.readConfigureGlobal();
  const turn = takingTurns(INPUTS_PER_TURN);
  await fc.assert(
    fc.asyncProperty(inputs, async (input) => {
      await turn();
      const watched = recorded(subject);
      noteCalls(watched.calls);
      const broken = violation(watched.subject, input);
      if (broken !== undefined) throw new LawBroken(broken);
    }),
    { numRuns: Math.ceil(numRuns * runs) },
  );
}
