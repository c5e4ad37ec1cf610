import { expect } from 'vitest';
import { type askScorePlugin, beforeNormalising } from '#laws/32-score';

/**
 * Expects something of scores. A failure shows the scores before they were normalised, too.
 *
 * @param why how the expected scores are worked out
 */
export const expectScores = (scores: ReturnType<typeof askScorePlugin>, why?: string) =>
  expect(scores, [why, beforeNormalising(scores)].filter(Boolean).join('; ') || undefined);

/** What a row of a table expects: a score for each node. */
export interface Scores {
  readonly scores: Readonly<Record<string, number>>;
}
