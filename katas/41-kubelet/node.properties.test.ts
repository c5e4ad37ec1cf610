import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import { type NodeScenario, nodeLaws, nodeRoads, runNodeLife } from '#laws/41-kubelet';

/** Loaded when it is needed: what is not written yet holds no other law back. */
const live = remembering(async (scenario: NodeScenario) => {
  const { runNode } = await import('#kata/41-kubelet/kubelet');
  return runNodeLife(runNode, scenario);
});

describe('★ The laws of a node', () => {
  test('Heartbeats: the lease of a node whose kubelet lives is renewed in time', () =>
    holds(nodeLaws.heartbeats, nodeRoads, live));

  test('Owned: every lease that is written belongs to the Node that was there', () =>
    holds(nodeLaws.owned, nodeRoads, live));

  test('Owned anew: the lease belongs to the new Node when that was made again', () =>
    holds(nodeLaws.ownedAnew, nodeRoads, live));

  test('Sees what it says: no condition changes unless the kubelet has seen, in this life, that it did', () =>
    holds(nodeLaws.seesWhatItSays, nodeRoads, live));

  test('Says how the node is: in the end its conditions are what is so', () =>
    holds(nodeLaws.truthful, nodeRoads, live));

  test('Frugal: a status that says nothing new is written seldom', () =>
    holds(nodeLaws.frugal, nodeRoads, live));

  test('Reports: a status that says nothing new is written all the same, now and then', () =>
    holds(nodeLaws.reports, nodeRoads, live));

  test('Dates: a condition is as old as its status', () => holds(nodeLaws.dates, nodeRoads, live));

  test('Leaves others alone: what somebody else has written into the Node stays', () =>
    holds(nodeLaws.leavesOthersAlone, nodeRoads, live));

  test('Stops telling: nothing is written after the end', () => holds(nodeLaws.stops, nodeRoads, live));
});
