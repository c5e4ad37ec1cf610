import { describe, expect, test } from 'vitest';
import { applyEdits, type Mistake, speaksOf } from '../testing/mistakes.ts';
import { type Kata, readReference } from '../workbook/katas.ts';
import { culpritOf, type Trial } from './judge-trial.ts';
import type { Kill } from './kill-record.ts';

/**
 * Defines a test for each mistake that shows in a cluster. The test repeats one kill from the record, by the law or level that the mistake
 * names. It runs only that law or level, on the recorded input.
 */
export function judgeByReplay(kata: Kata, mistakes: readonly Mistake[], trial: Trial): void {
  const again = `npm run judge -- --record ${kata.id.slice(0, 2)} makes the record anew.`;
  describe(`${kata.id}, its mistakes`, () => {
    test('each edit applies to the reference', () => {
      const sources = readReference(kata);
      for (const mistake of mistakes) applyEdits(sources, mistake);
    });

    for (const mistake of mistakes.filter(({ hidden }) => hidden === undefined)) {
      test(`${mistake.id} is killed by "${mistake.law}"`, async () => {
        const kill = chosen(trial.recorded(mistake), mistake);
        if (!kill) expect.fail(`No kill by "${mistake.law}" is recorded. ${again}`);
        const isKilled = await trial.replays(culpritOf(mistake), kill);
        if (!isKilled)
          expect.fail(`"${kill.test}" killed it on seed ${kill.seed}, and kills it no longer. ${again}`);
      });
    }
  });
}

/** Returns the cheapest kill by the law that the mistake names: preferably on a single input. */
function chosen(kills: readonly Kill[], { law }: Mistake): Kill | undefined {
  const byLaw = kills.filter(({ test }) => speaksOf(law, test));
  return byLaw.find(({ input }) => input !== undefined) ?? byLaw[0];
}
