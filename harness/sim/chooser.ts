import type { Random } from './random.ts';

/**
 * Decides which of `count` tasks that are due at the same instant runs first. Returns an index from 0 to
 * `count` - 1; 0 is the one that has waited longest. It is asked only when there is a choice.
 */
export type Chooser = (count: number) => number;

/** First come, first served. */
export const inOrder: Chooser = () => 0;

/** Any of them, as the generator has it. */
export const atRandom =
  (random: Random): Chooser =>
  (count) =>
    random.int(count);

/**
 * Replays a list of choices, then goes on in order. Generate the list with fast-check and it shrinks towards
 * "first come, first served", so that the counterexample shows only the interleavings that matter.
 */
export function scripted(choices: readonly number[]): Chooser {
  let next = 0;
  return (count) => (choices[next++] ?? 0) % count;
}
