import { expect } from 'vitest';
import { type askScorePlugin, beforeNormalising } from '#laws/32-score';

/** Expects something of scores; a failure says also what they were made of. */
export const expectScores = (scores: ReturnType<typeof askScorePlugin>) =>
  expect(scores, beforeNormalising(scores));

/** What a row of a table expects: a score for each node. */
export interface Scores {
  readonly scores: Readonly<Record<string, number>>;
}
