import fc from 'fast-check';
import { describe, test } from 'vitest';
import { components } from '#components';
import { holds, remembering } from '#harness/testing';
import { deploymentController, rollback } from '#kata/24-deployment/deployment';
import {
  allWorkloads,
  type DeploymentScenario,
  historyWorkloads,
  deploymentLaws as laws,
  recreateWorkloads,
  rolloutScenarios,
  runDeployment,
  runThereAndBack,
  sizeWorkloads,
  thereAndBack,
  workloads,
} from '#laws/24-deployment';

const mine = { ...components, deploymentController };

/** All laws are read off the same lives; each is lived once. */
const live = remembering((scenario: DeploymentScenario) => runDeployment(mine, scenario, { rollback }));

describe('The laws of a Deployment', () => {
  test('Within budget: all ReplicaSets together ask for no more pods than replicas and surge', () =>
    holds(laws.withinBudget, workloads, live));

  test('Stays available: a roll-out takes no pod that is available unless enough of them remain', () =>
    holds(laws.staysAvailable, workloads, live));

  test('Oldest first: available pods of an old ReplicaSet go after those of an older one', () =>
    holds(laws.oldestFirst, workloads, live));

  test('Keeps enough: new pods that are not available make no room for old pods to go', () =>
    holds(laws.keepsEnough, workloads, live));

  test('One per template: no ReplicaSet is created for a template that has one, whatever the races', () =>
    holds(laws.onePerTemplate, workloads, live));

  test('Made as asked: a ReplicaSet that is created is what a Deployment asks for that is not paused', () =>
    holds(laws.madeAsAsked, workloads, live));

  test('Minds its own: a ReplicaSet of another controller is left alone, and an orphan is adopted first', () =>
    holds(laws.mindsItsOwn, workloads, live));

  test('Moves the revision: the newest ReplicaSet gets the highest, and none ever goes back', () =>
    holds(laws.revisionMoves, workloads, live));

  test('Undoes no work: what others wrote to a ReplicaSet stays', () =>
    holds(laws.undoesNoWork, workloads, live));

  test('Leaves the deleted alone: nothing that is being deleted is adopted, or gets a ReplicaSet', () =>
    holds(laws.leavesTheDeletedAlone, workloads, live));

  test('Truthful: a status says what ReplicaSets reported, and since when a condition has been so', () =>
    holds(laws.truthful, workloads, live));

  test('Progress counts: each step of a roll-out begins its deadline anew', () =>
    holds(laws.progressCounts, workloads, live));

  test('Stays over: a roll-out that is complete stays complete when pods are lost', () =>
    holds(laws.staysOver, workloads, live));

  test('Keeps the deadline: Progressing turns False when it has passed, not earlier, and on the clock alone', () =>
    holds(laws.keepsDeadline, workloads, live));

  test('Converges: once faults stop, one ReplicaSet has all the pods and the others none', () =>
    holds(laws.converges, workloads, live));

  test('Scales while paused: a paused Deployment is not rolled out, but gets the size that is asked for', () =>
    holds(laws.scalesWhilePaused, workloads, live));

  test('Says what is: in the end the status is of this generation, and tells how far the roll-out got', () =>
    holds(laws.saysWhatIs, workloads, live));

  test('Comes to rest: once all is as it should be, nothing is written any more', () =>
    holds(laws.comesToRest, workloads, live));

  test('At rest: in the end nothing is left to do', () => holds(laws.atRest, workloads, live));

  test('Prompt: whenever nothing happens, nothing is left to do', () => holds(laws.prompt, workloads, live));
});

describe('★ The laws of a change of size (Level 10)', () => {
  test('In proportion: of another size each ReplicaSet gets its share', () =>
    holds(laws.inProportion, sizeWorkloads, live));

  test('Still, in any size: the laws above hold when the size changes in the middle of a roll-out', () =>
    holds(laws.stillWithSizes, sizeWorkloads, live));
});

describe('★ The laws of Recreate (Level 11)', () => {
  test('Never overlaps: under Recreate nothing new begins while something old is known to be there', () =>
    holds(laws.neverOverlaps, recreateWorkloads, live));

  test('Still, with Recreate: the laws above hold under Recreate', () =>
    holds(laws.stillWithRecreate, recreateWorkloads, live));
});

describe('★ The laws of history (Level 12)', () => {
  test('Trims history: an old ReplicaSet is deleted if it is empty and too old, and in the end enough of them are', () =>
    holds(laws.trimsHistory, historyWorkloads, live));

  test('Gives back: a rollback gives the template back as it was', () =>
    holds(laws.givesBack, historyWorkloads, live));

  test('Still, with a history: the laws above hold when roll-outs are undone and history is short', () =>
    holds(laws.stillWithHistory, historyWorkloads, live));
});

describe('★ The laws together (Levels 10 to 12)', () => {
  test('Still, with all of it: all laws hold, whatever may happen', () =>
    holds(laws.stillWithAll, allWorkloads, live));
});

describe('In a cluster', () => {
  test('End to end: ten replicas go from a broken image to a good one and back, through crashes, and are never outside the budget', () => {
    const { numRuns = 100 } = fc.readConfigureGlobal();
    return holds(thereAndBack, rolloutScenarios, (scenario) => runThereAndBack(mine, scenario), {
      numRuns: Math.ceil(numRuns / 25),
    });
  });
});
