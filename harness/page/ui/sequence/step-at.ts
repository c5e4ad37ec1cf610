import type { SequenceDiagram } from '../../../drawing/sequence/diagram.ts';

/** Returns the index of the last step that has begun at a time; undefined before the first step. */
export function stepAt({ steps }: SequenceDiagram, nowMs: number): number | undefined {
  const index = steps.findLastIndex(({ atMs }) => atMs <= nowMs);
  return index < 0 ? undefined : index;
}

/**
 * Returns the step that a key chooses.
 *
 * @param chosen the index of the chosen step; undefined before the first choice
 * @param count the number of steps
 * @returns its index; undefined for a key that chooses nothing
 */
export function stepFor(key: string, chosen: number | undefined, count: number): number | undefined {
  const last = count - 1;
  const next = { ArrowDown: (chosen ?? -1) + 1, ArrowUp: (chosen ?? count) - 1, Home: 0, End: last }[key];
  return next === undefined || last < 0 ? undefined : Math.min(last, Math.max(0, next));
}
