import type { Scoring } from '../../../contracts/framework/index.ts';
import { combine, type Part, part } from '../../scheduling/laws/combine.ts';
import { alone, core, type Ground, withOptional } from '../scenario/ground.ts';
import { asksEveryPlugin, bestWins } from './any-plugins.ts';
import {
  addsUp,
  askedTwice,
  byItsFormula,
  changesNothing,
  loadCounts,
  moreWeight,
  orderIsIrrelevant,
  wholeNumbers,
} from './scores.ts';

/** The laws of the core levels. */
export const coreLaws = {
  wholeNumbers: wholeNumbers(core),
  byItsFormula: byItsFormula(core),
  loadCounts: loadCounts(core),
  moreWeight: moreWeight(core),
  addsUp: addsUp(core),
  asksEveryPlugin,
  orderIsIrrelevant: orderIsIrrelevant(core),
  bestWins,
  askedTwice: askedTwice(core),
  changesNothing: changesNothing(core),
};

/** Returns the core laws that also hold with more plugins. */
function others(ground: Ground): readonly Part<Scoring>[] {
  return [
    part('Whole numbers', wholeNumbers(ground)),
    part('Adds up', addsUp(ground)),
    part('Any order', orderIsIrrelevant(ground)),
    // A wrong cache key shows only if the difference between the two pods matters.
    part('Repeatable', { ...askedTwice(ground), runs: 3 }),
    part('Changes nothing', changesNothing(ground)),
  ];
}

/** The laws of the ★ levels. */
export const optionalLaws = {
  countsImages: byItsFormula(alone('images')),
  coreWithImages: combine(others(withOptional('images'))),
  // More runs, because infeasible nodes and missing labels must coincide.
  spreads: { ...byItsFormula(alone('spread')), runs: 6 },
  coreWithSpread: combine(others(withOptional('spread'))),
  keepsCompany: byItsFormula(alone('company')),
  coreWithCompany: combine(others(withOptional('company'))),
  coreWithAll: combine(others(withOptional('images', 'spread', 'company'))),
};
