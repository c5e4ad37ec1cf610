import fc from 'fast-check';
import { describe, test } from 'vitest';
import { components } from '#components';
import { holds, remembering } from '#harness/testing';
import { deploymentController } from '#kata/24-deployment/deployment';
import {
  deploymentScenarios,
  deploymentLaws as laws,
  rolloutScenarios,
  runDeployment,
  runThereAndBack,
  thereAndBack,
} from '#laws/24-deployment';

const mine = { ...components, deploymentController };

/** All laws are read off the same lives; each is lived once. */
const live = remembering((scenario: Parameters<typeof runDeployment>[1]) => runDeployment(mine, scenario));
const lives = deploymentScenarios();

describe('The laws of a Deployment', () => {
  test('Within budget: whatever is made or scaled up, all together ask for no more than replicas and surge', () =>
    holds(laws.withinBudget, lives, live));

  test('Stays available: a roll-out takes no pod that is available unless enough of them remain', () =>
    holds(laws.staysAvailable, lives, live));

  test('Never overlaps: under Recreate nothing new begins while something old is known to be there', () =>
    holds(laws.neverOverlaps, lives, live));

  test('One per template: no ReplicaSet is made for a template that has one, whatever the races', () =>
    holds(laws.onePerTemplate, lives, live));

  test('Made to measure: what is made is what a Deployment asked for that was not paused', () =>
    holds(laws.madeToMeasure, lives, live));

  test('Minds its own: what belongs to another is left alone, what belongs to nobody is adopted first', () =>
    holds(laws.mindsItsOwn, lives, live));

  test('Moves the revision: the newest gets the highest, and none ever goes back', () =>
    holds(laws.revisionMoves, lives, live));

  test('Trims history: only what is empty and too old is deleted, the oldest first, and in the end enough of it', () =>
    holds(laws.trimsHistory, lives, live));

  test('Truthful: a status says what ReplicaSets reported at a moment that there was', () =>
    holds(laws.truthful, lives, live));

  test('Keeps the deadline: Progressing turns False when it has passed, not earlier, and on the clock alone', () =>
    holds(laws.keepsDeadline, lives, live));

  test('Converges: once faults stop, one ReplicaSet has all the pods and the others none', () =>
    holds(laws.converges, lives, live));

  test('Scales while paused: what is paused is not rolled out, but gets the size that is asked for', () =>
    holds(laws.scalesWhilePaused, lives, live));

  test('Says what is: in the end the status is of this generation, and tells how far the roll-out got', () =>
    holds(laws.saysWhatIs, lives, live));

  test('Comes to rest: once all is as it is to be, nothing is written any more', () =>
    holds(laws.comesToRest, lives, live));
});

describe('In a cluster', () => {
  test('End to end: ten replicas go from a broken image to a good one and back, through crashes, and are never outside the budget', () => {
    const { numRuns = 100 } = fc.readConfigureGlobal();
    return holds(thereAndBack, rolloutScenarios, (scenario) => runThereAndBack(mine, scenario), {
      numRuns: Math.ceil(numRuns / 25),
    });
  });
});
