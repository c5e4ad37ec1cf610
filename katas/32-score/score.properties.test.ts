import { describe, test } from 'vitest';
import { scoreLaws as laws, scoreScenarios } from '#harness/testing';
import {
  defaultNormalizeScore,
  nodeResourcesBalancedAllocation,
  nodeResourcesFit,
  scoring,
} from '#kata/score';

const mine: laws.ScoreKit = {
  scoring,
  nodeResourcesFit,
  nodeResourcesBalancedAllocation,
  defaultNormalizeScore,
};

const holds = (law: laws.ScoreLaw): Promise<void> => laws.holdsWhereverAsked(law, scoreScenarios, mine);

describe('The laws of scoring', () => {
  test('Whole numbers: after normalising, every score is a whole number from 0 to 100', () =>
    holds(laws.wholeNumbers));

  test('By the book: each plugin gives each node what its formula says', () => holds(laws.byTheBook));

  test('Load counts: another pod on a node never raises its LeastAllocated score, nor lowers its MostAllocated score', () =>
    holds(laws.loadCounts));

  test('Keeps the order: what was more stays more when it is normalised, and is less when it is reversed', () =>
    laws.holdsForScores(laws.keepsTheOrder, mine));

  test('More weight: to prefer nodes more makes none of them worse, and no other better', () =>
    holds(laws.moreWeight));

  test('Adds up: the total of a node is what each plugin says of it, weighed', () => holds(laws.addsUp));

  test('Any order: in which order nodes, pods and plugins are looked at changes no total', () =>
    holds(laws.orderIsIrrelevant));

  test('The best wins: one of the highest total is chosen, each of them by some seed, and by one seed always the same', () =>
    laws.holdsForScores(laws.bestWins, mine));

  test('Asked twice: plugins say the same again, whatever they are asked in between', () =>
    holds(laws.askedTwice));

  test('Hands off: nothing is changed by being looked at', () => holds(laws.changesNothing));
});
