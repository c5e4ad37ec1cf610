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

/** All laws read the same histories; each scenario runs once. */
const live = remembering((scenario: DeploymentScenario) => runDeployment(mine, scenario, { rollback }));

describe('The laws of a Deployment', () => {
  test('Within budget: all ReplicaSets together want at most replicas plus surge', () =>
    holds(laws.withinBudget, workloads, live));

  test('Stays available: a roll-out deletes an available pod only if enough others remain', () =>
    holds(laws.staysAvailable, workloads, live));

  test('Oldest first: available pods of the oldest ReplicaSet are deleted first', () =>
    holds(laws.oldestFirst, workloads, live));

  test('Keeps enough: new pods that are not available replace no old pods', () =>
    holds(laws.keepsEnough, workloads, live));

  test('One per template: no template gets a second ReplicaSet, whatever the races', () =>
    holds(laws.onePerTemplate, workloads, live));

  test('Made as asked: each created ReplicaSet matches its Deployment, which is not paused', () =>
    holds(laws.madeAsAsked, workloads, live));

  test('Minds its own: it writes no ReplicaSet of another controller, and adopts an orphan before it writes', () =>
    holds(laws.mindsItsOwn, workloads, live));

  test('Moves the revision: the newest ReplicaSet gets the highest revision, and no revision goes back', () =>
    holds(laws.revisionMoves, workloads, live));

  test('Undoes no work: it keeps the changes of other clients to a ReplicaSet', () =>
    holds(laws.undoesNoWork, workloads, live));

  test('Respects deletion: it adopts no ReplicaSet and creates none for a Deployment that is being deleted', () =>
    holds(laws.respectsDeletion, workloads, live));

  test('Truthful: a status repeats reports of the ReplicaSets, and conditions have correct times', () =>
    holds(laws.truthful, workloads, live));

  test('Progress counts: each step of a roll-out restarts its deadline', () =>
    holds(laws.progressCounts, workloads, live));

  test('Stays over: a roll-out that is complete stays complete when pods are lost', () =>
    holds(laws.staysOver, workloads, live));

  test('Keeps the deadline: Progressing turns False when the deadline passes, not earlier, and without an event', () =>
    holds(laws.keepsDeadline, workloads, live));

  test('Converges: once faults stop, one ReplicaSet has all pods and the others none', () =>
    holds(laws.converges, workloads, live));

  test('Scales while paused: a paused Deployment is scaled, but not rolled out', () =>
    holds(laws.scalesWhilePaused, workloads, live));

  test('Final status: in the end the status is correct and of the current generation', () =>
    holds(laws.finalStatus, workloads, live));

  test('Stops writing: once faults stop, the writes end', () => holds(laws.stopsWriting, workloads, live));

  test('Finishes: in the end no obligation is left', () => holds(laws.finishes, workloads, live));

  test('Prompt: in each quiet period no obligation is left', () => holds(laws.prompt, workloads, live));
});

describe('★ The laws of a change of size (Level 10)', () => {
  test('In proportion: after a change of size each ReplicaSet gets its share', () =>
    holds(laws.inProportion, sizeWorkloads, live));

  test('Any size: the laws above hold if the size changes during a roll-out', () =>
    holds(laws.stillWithSizes, sizeWorkloads, live));
});

describe('★ The laws of Recreate (Level 11)', () => {
  test('Never overlaps: under Recreate no new pod is created while an old pod is known to exist', () =>
    holds(laws.neverOverlaps, recreateWorkloads, live));

  test('With Recreate: the laws above hold under Recreate', () =>
    holds(laws.stillWithRecreate, recreateWorkloads, live));
});

describe('★ The laws of history (Level 12)', () => {
  test('Trims history: only empty ReplicaSets beyond the limit are deleted, and in the end all of them', () =>
    holds(laws.trimsHistory, historyWorkloads, live));

  test('Rolls back: a rollback restores the template exactly', () =>
    holds(laws.rollsBack, historyWorkloads, live));

  test('With history: the laws above hold with rollbacks and a short history', () =>
    holds(laws.stillWithHistory, historyWorkloads, live));
});

describe('★ The laws together (Levels 10 to 12)', () => {
  test('All together: all laws hold with every option', () => holds(laws.stillWithAll, allWorkloads, live));
});

describe('In a cluster', () => {
  test('End to end: ten replicas go from a broken image to a good one and back, through crashes and within the budget', () => {
    const { numRuns = 100 } = fc.readConfigureGlobal();
    return holds(thereAndBack, rolloutScenarios, (scenario) => runThereAndBack(mine, scenario), {
      numRuns: Math.ceil(numRuns / 25),
    });
  });
});
