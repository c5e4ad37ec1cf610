import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import {
  nodeIpamLaws as laws,
  type NodeIpamScenario,
  nodeIpamScenarios,
  RANGE,
  runNodeIpam,
} from '#laws/56-node-ipam';
import { components } from '../components.ts';
import { newNodeIpamController } from './node-ipam.ts';

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: NodeIpamScenario) =>
  runNodeIpam(newNodeIpamController(RANGE), components, scenario),
);
const lives = nodeIpamScenarios();

describe('The laws of node IPAM', () => {
  test('Disjoint: no two nodes have the same block', () => holds(laws.disjoint, lives, live));

  test('Whole: a node gets one block of the range', () => holds(laws.wholeBlocks, lives, live));

  test('Served: eventually each node has a block, unless there are too few', () =>
    holds(laws.served, lives, live));

  test('Reuses last: a released block is allocated after all others', () => holds(laws.last, lives, live));

  test('Quiet: at rest nothing is written, not even by a controller that restarts', () =>
    holds(laws.quiet, lives, live));
});
