import { describe, expect, test } from 'vitest';
import { applyEdits, type Mistake, speaksOf } from '../testing/mistakes.ts';
import { type Kata, readReference } from '../workbook/katas.ts';
import { type Culprit, culpritOf, type Draft, type Trial } from './judge-trial.ts';
import type { Kill } from './kill-record.ts';
import { outdated, readSignatures } from './signatures.ts';

/**
 * Defines a test for each mistake that shows in a cluster, and for the first draft. The test repeats one kill from the record, by the
 * law or level that the mistake names. It runs only that law or level, on the recorded input.
 */
export function judgeByReplay(
  kata: Kata,
  mistakes: readonly Mistake[],
  draft: Draft | undefined,
  trial: Trial,
): void {
  const again = `npm run judge -- --record ${kata.id.slice(0, 2)} makes the record anew.`;
  const dies = (culprit: Culprit, law: string): void => {
    test(`${culprit.id} is killed by "${law}"`, async () => {
      const kill = chosen(trial.recorded(culprit), law);
      if (!kill) expect.fail(`No kill by "${law}" is recorded. ${again}`);
      const isKilled = await trial.replays(culprit, kill);
      if (!isKilled)
        expect.fail(`"${kill.test}" killed it on seed ${kill.seed}, and kills it no longer. ${again}`);
    });
  };
  describe(`${kata.id}, its mistakes`, () => {
    test('each edit applies to the reference', () => {
      const sources = readReference(kata);
      for (const mistake of mistakes) applyEdits(sources, mistake);
    });

    test('its signatures, if it has any, fit its mistakes', () => {
      const signatures = readSignatures(kata);
      const why = `npm run judge -- --signatures ${kata.id.slice(0, 2)} records them.`;
      expect(signatures ? outdated(signatures, mistakes) : [], why).toEqual([]);
    });

    for (const mistake of mistakes.filter(({ hidden }) => hidden === undefined)) {
      dies(culpritOf(mistake), mistake.law);
    }
    if (draft) dies(draft.culprit, draft.law);
  });
}

/** Returns the cheapest kill by a law: preferably on a single input. */
function chosen(kills: readonly Kill[], law: string): Kill | undefined {
  const byLaw = kills.filter(({ test }) => speaksOf(law, test));
  return byLaw.find(({ input }) => input !== undefined) ?? byLaw[0];
}
