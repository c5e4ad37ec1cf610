import fc from 'fast-check';
import { LawBroken } from './holds.ts';
import { takingTurns } from './turns.ts';

/** A law about what has no time: decisions, and not lives. */
export interface PureLaw<S, T> {
  readonly inputs: fc.Arbitrary<T>;
  /** How many inputs, as a multiple of what all properties have. @defaultValue 1 */
  readonly runs?: number;
  /** @returns how the law is broken, in words; `undefined` when it is kept */
  breach(subject: S, input: T): string | undefined;
}

/**
 * After so many inputs other tasks have a turn: thousands of them without a pause would look like a loop. On a busy machine
 * twenty do, too.
 */
const INPUTS_PER_TURN = 5;

/**
 * Asserts that a law is kept for generated inputs. A red says how it is broken by the smallest input that breaks it.
 *
 * @throws LawBroken
 */
export async function obeys<S, T>(subject: S, { inputs, runs = 1, breach }: PureLaw<S, T>): Promise<void> {
  const { numRuns = 100 } = fc.readConfigureGlobal();
  const turn = takingTurns(INPUTS_PER_TURN);
  await fc.assert(
    fc.asyncProperty(inputs, async (input) => {
      await turn();
      const broken = breach(subject, input);
      if (broken !== undefined) throw new LawBroken(broken);
    }),
    { numRuns: Math.ceil(numRuns * runs) },
  );
}
