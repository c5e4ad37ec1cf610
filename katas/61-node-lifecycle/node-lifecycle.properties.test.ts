import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { holds, remembering } from '#harness/testing';
import {
  nodeLifecycleController,
  podGarbageCollector,
  taintEvictionController,
} from '#kata/61-node-lifecycle/node-lifecycle';
import {
  garbageWorkloads,
  nodeLaws as laws,
  loseTwoNodes,
  type NodeScenario,
  runNodes,
  nodeWorkloads as workloads,
} from '#laws/61-node-lifecycle';

/** All laws read the same runs; each scenario runs once. */
const live = remembering((scenario: NodeScenario) =>
  runNodes({ nodeLifecycleController, taintEvictionController }, components, scenario),
);
const liveGarbage = remembering((scenario: NodeScenario) =>
  runNodes({ podGarbageCollector }, components, scenario),
);

describe('The laws of a verdict', () => {
  test('Patient: a node becomes Unknown only after a grace period without a sign of life', () =>
    holds(laws.patient, workloads, live));

  test('Own clock: the clocks of the nodes change no verdict', () => holds(laws.ownClock, workloads, live));

  test('Complete verdict: all conditions of the kubelet become Unknown, and nothing else changes', () =>
    holds(laws.honest, workloads, live));

  test('Verdict in time: a silent node becomes Unknown in the pass after its grace period', () =>
    holds(laws.verdictInTime, workloads, live));
});

describe('The laws of taints', () => {
  test('Has reasons: each taint that the controller adds or removes follows from a state of the node', () =>
    holds(laws.justified, workloads, live));

  test('Leaves others alone: taints, labels and fields of others stay as they are', () =>
    holds(laws.leavesOthersAlone, workloads, live));

  test('One reason: a node has one of the NoExecute taints not-ready and unreachable', () =>
    holds(laws.exclusive, workloads, live));

  test('Paced: each zone gets one NoExecute taint in ten seconds, a large zone in trouble one in a hundred', () =>
    holds(laws.paced, workloads, live));

  test('Brakes: a small zone in trouble gets no NoExecute taint, nor does a cluster without a ready node', () =>
    holds(laws.brakes, workloads, live));

  test('Taints follow: the NoSchedule taints follow the conditions and the cordon of the node', () =>
    holds(laws.taintsFollow, workloads, live));

  test('Executes: each node that is not ready gets its NoExecute taint in its turn, and loses it afterwards', () =>
    holds(laws.executesInTime, workloads, live));
});

describe('The laws of pods', () => {
  test('Marks in time: the pods of a silent node become not ready', () =>
    holds(laws.marksInTime, workloads, live));

  test('Marks with reason: no pod of a ready node becomes not ready', () =>
    holds(laws.marksJustified, workloads, live));

  test('Changes little: each controller changes only its own condition of a pod', () =>
    holds(laws.touchesLittle, workloads, live));

  test('Tolerant: a pod leaves only a node whose NoExecute taints it does not tolerate, or no longer', () =>
    holds(laws.tolerant, workloads, live));

  test('Respects the uid: the eviction of a pod never hits another pod of its name', () =>
    holds(laws.respectsUid, workloads, live));

  test('Explains evictions: a pod has the condition DisruptionTarget before its deletion, and keeps its grace period', () =>
    holds(laws.explains, workloads, live));

  test('Evicts in time: each pod leaves as soon as it does not tolerate its node any longer', () =>
    holds(laws.evictsInTime, workloads, live));
});

describe('The laws of rest', () => {
  test('Quiet: the controllers write nothing when nothing is left to do', () =>
    holds(laws.quiet, workloads, live));
});

describe('★ The laws of garbage (Level 6)', () => {
  test('Proves garbage: the collector deletes only pods that no kubelet will ever delete', () =>
    holds(laws.collectsProven, garbageWorkloads, liveGarbage));

  test('Knows garbage by uid: the collector never deletes another pod of the name', () =>
    holds(laws.collectsByUid, garbageWorkloads, liveGarbage));

  test('Explains collections: a pod fails before its deletion, and a pod that has ended keeps its phase', () =>
    holds(laws.collectsExplained, garbageWorkloads, liveGarbage));

  test('Collects in time: pods without a kubelet are deleted', () =>
    holds(laws.collectsInTime, garbageWorkloads, liveGarbage));

  test('Collects quietly: the collector writes nothing when nothing is left to do', () =>
    holds(laws.quiet, garbageWorkloads, liveGarbage));
});

describe('In a cluster', () => {
  test('End to end: the pods of a dead node come back elsewhere, the node returns, and the pods of a deleted node go', async () => {
    const mine = { ...components, nodeLifecycleController, taintEvictionController };
    expect(await loseTwoNodes(mine)).toEqual([]);
  });
});
