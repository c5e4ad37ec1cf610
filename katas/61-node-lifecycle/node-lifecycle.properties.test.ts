import { describe, test } from 'vitest';
import { components } from '#components';
import { holds, remembering } from '#harness/testing';
import { nodeLifecycleController, taintEvictionController } from '#kata/61-node-lifecycle/node-lifecycle';
import { nodeLaws as laws, type NodeScenario, runNodes, nodeWorkloads as workloads } from '#laws/61-node-lifecycle';

/** All laws read the same runs; each scenario runs once. */
const live = remembering((scenario: NodeScenario) =>
  runNodes({ nodeLifecycleController, taintEvictionController }, components, scenario),
);

describe('The laws', () => {
  test('Verdict in time', () => holds(laws.verdictInTime, workloads, live));
  test('Taints follow', () => holds(laws.taintsFollow, workloads, live));
  test('Executes', () => holds(laws.executes, workloads, live));
  test('Marks', () => holds(laws.marks, workloads, live));
  test('Evicts in time', () => holds(laws.evictsInTime, workloads, live));
  test('Quiet', () => holds(laws.quiet, workloads, live));
});
