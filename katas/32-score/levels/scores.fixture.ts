import { expect } from 'vitest';
import { type askScorePlugin, beforeNormalising } from '#laws/32-score';

/**
 * Expects something of scores. A failure shows the scores before they were normalised, too.
 *
 * @param why how the expected scores are worked out
 */
export const expectScores = (scores: ReturnType<typeof askScorePlugin>, why?: string) =>
  expect(scores, [why, beforeNormalising(scores)].filter(Boolean).join('; ') || undefined);

/** The expected scores of a table row, by node. */
export interface Scores {
  readonly scores: Readonly<Record<string, number>>;
}
