import type { Random } from './random.ts';

/**
 * Decides which of `count` tasks that are due at the same instant runs first. Returns an index from 0 to `count` - 1; 0
 * is the task that has waited longest. The simulation calls it only if there is a choice.
 */
export type Chooser = (count: number) => number;

/** Picks tasks in scheduling order. */
export const inOrder: Chooser = () => 0;

/** Picks a random task. */
export const atRandom =
  (random: Random): Chooser =>
  (count) =>
    random.int(count);

/**
 * Replays a list of choices, then continues in order. If fast-check generates the list, it shrinks towards "first come,
 * first served", so the counterexample shows only the interleavings that matter.
 */
export function scripted(choices: readonly number[]): Chooser {
  let next = 0;
  return (count) => (choices[next++] ?? 0) % count;
}
