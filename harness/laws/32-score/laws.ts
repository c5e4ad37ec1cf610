import type { Scoring } from '../../contracts/framework/index.ts';
import { type Part, part, still } from '../scheduling/still.ts';
import { asksEveryPlugin, bestWins } from './any-plugins.ts';
import { alone, core, type Ground, withOptional } from './ground.ts';
import {
  addsUp,
  askedTwice,
  byItsFormula,
  changesNothing,
  loadCounts,
  moreWeight,
  orderIsIrrelevant,
  wholeNumbers,
} from './score-laws.ts';

/** The laws of the core: what the plugins of Levels 1 to 4 say of a node, alone and together, and what becomes of it. */
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

/** What of the core holds with more plugins, too. */
function others(ground: Ground): readonly Part<Scoring>[] {
  return [
    part('Whole numbers', wholeNumbers(ground)),
    part('Adds up', addsUp(ground)),
    part('Any order', orderIsIrrelevant(ground)),
    // What is kept for two pods that differ in one thing shows only if that thing matters.
    part('Repeatable', { ...askedTwice(ground), runs: 3 }),
    part('Changes nothing', changesNothing(ground)),
  ];
}

/** The laws of the ★ levels, by their names. */
export const optionalLaws = {
  countsImages: byItsFormula(alone('images')),
  stillWithImages: still(others(withOptional('images'))),
  // Where a pod may not go, and what lacks a label, has to meet.
  spreads: { ...byItsFormula(alone('spread')), runs: 6 },
  stillWithSpread: still(others(withOptional('spread'))),
  keepsCompany: byItsFormula(alone('company')),
  stillWithCompany: still(others(withOptional('company'))),
  stillWithAll: still(others(withOptional('images', 'spread', 'company'))),
};
