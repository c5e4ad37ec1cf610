import fc from 'fast-check';
import { describe, test } from 'vitest';
import { components } from '#components';
import { holds, remembering } from '#harness/testing';
import { deploymentController, rollback } from '#kata/24-deployment/deployment';
import {
  allRoads,
  type DeploymentScenario,
  historyRoads,
  deploymentLaws as laws,
  recreateRoads,
  roads,
  rolloutScenarios,
  runDeployment,
  runThereAndBack,
  sizeRoads,
  thereAndBack,
} from '#laws/24-deployment';

const mine = { ...components, deploymentController };

/** All laws are read off the same lives; each is lived once. */
const live = remembering((scenario: DeploymentScenario) => runDeployment(mine, scenario, { rollback }));

describe('The laws of a Deployment', () => {
  test('Within budget: all ReplicaSets together ask for no more pods than replicas and surge', () =>
    holds(laws.withinBudget, roads, live));

  test('Stays available: a roll-out takes no pod that is available unless enough of them remain', () =>
    holds(laws.staysAvailable, roads, live));

  test('Oldest first: available pods of an old ReplicaSet go after those of an older one', () =>
    holds(laws.oldestFirst, roads, live));

  test('Keeps enough: new pods that are not available make no room for old pods to go', () =>
    holds(laws.keepsEnough, roads, live));

  test('One per template: no ReplicaSet is created for a template that has one, whatever the races', () =>
    holds(laws.onePerTemplate, roads, live));

  test('Made as asked: a ReplicaSet that is created is what a Deployment asks for that is not paused', () =>
    holds(laws.madeAsAsked, roads, live));

  test('Minds its own: a ReplicaSet of another controller is left alone, and an orphan is adopted first', () =>
    holds(laws.mindsItsOwn, roads, live));

  test('Moves the revision: the newest ReplicaSet gets the highest, and none ever goes back', () =>
    holds(laws.revisionMoves, roads, live));

  test('Undoes no work: what others wrote to a ReplicaSet stays', () =>
    holds(laws.undoesNoWork, roads, live));

  test('Leaves the deleted alone: nothing that is being deleted is adopted, or gets a ReplicaSet', () =>
    holds(laws.leavesTheDeletedAlone, roads, live));

  test('Truthful: a status says what ReplicaSets reported, and since when a condition has been so', () =>
    holds(laws.truthful, roads, live));

  test('Progress counts: each step of a roll-out begins its deadline anew', () =>
    holds(laws.progressCounts, roads, live));

  test('Stays over: a roll-out that is complete stays complete when pods are lost', () =>
    holds(laws.staysOver, roads, live));

  test('Keeps the deadline: Progressing turns False when it has passed, not earlier, and on the clock alone', () =>
    holds(laws.keepsDeadline, roads, live));

  test('Converges: once faults stop, one ReplicaSet has all the pods and the others none', () =>
    holds(laws.converges, roads, live));

  test('Scales while paused: a paused Deployment is not rolled out, but gets the size that is asked for', () =>
    holds(laws.scalesWhilePaused, roads, live));

  test('Says what is: in the end the status is of this generation, and tells how far the roll-out got', () =>
    holds(laws.saysWhatIs, roads, live));

  test('Comes to rest: once all is as it should be, nothing is written any more', () =>
    holds(laws.comesToRest, roads, live));

  test('At rest: in the end nothing is left to do', () => holds(laws.atRest, roads, live));

  test('Prompt: whenever nothing happens, nothing is left to do', () => holds(laws.prompt, roads, live));
});

describe('★ The laws of a change of size (Level 10)', () => {
  test('In proportion: of another size each ReplicaSet gets its share', () =>
    holds(laws.inProportion, sizeRoads, live));

  test('Still, in any size: the laws above hold when the size changes in the middle of a roll-out', () =>
    holds(laws.stillWithSizes, sizeRoads, live));
});

describe('★ The laws of Recreate (Level 11)', () => {
  test('Never overlaps: under Recreate nothing new begins while something old is known to be there', () =>
    holds(laws.neverOverlaps, recreateRoads, live));

  test('Still, with Recreate: the laws above hold under Recreate', () =>
    holds(laws.stillWithRecreate, recreateRoads, live));
});

describe('★ The laws of history (Level 12)', () => {
  test('Trims history: an old ReplicaSet is deleted if it is empty and too old, and in the end enough of them are', () =>
    holds(laws.trimsHistory, historyRoads, live));

  test('Gives back: a rollback gives the template back as it was', () =>
    holds(laws.givesBack, historyRoads, live));

  test('Still, with a history: the laws above hold when roll-outs are undone and history is short', () =>
    holds(laws.stillWithHistory, historyRoads, live));
});

describe('★ The laws together (Levels 10 to 12)', () => {
  test('Still, with all of it: all laws hold, whatever may happen', () =>
    holds(laws.stillWithAll, allRoads, live));
});

describe('In a cluster', () => {
  test('End to end: ten replicas go from a broken image to a good one and back, through crashes, and are never outside the budget', () => {
    const { numRuns = 100 } = fc.readConfigureGlobal();
    return holds(thereAndBack, rolloutScenarios, (scenario) => runThereAndBack(mine, scenario), {
      numRuns: Math.ceil(numRuns / 25),
    });
  });
});
