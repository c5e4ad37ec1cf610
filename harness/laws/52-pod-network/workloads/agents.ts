import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import type { NodePlan, OtherNode, PodNetworkScenario, PodPlan, Step } from '../scenario/index.ts';
import { scenariosWith } from '../scenario/parts.ts';

const STRANGE = ['cordoned', 'leaving', 'claims the same', 'where another route is'] as const;

/** A node that is deleted in the end, and most of the special ones. */
const others: fc.Arbitrary<readonly OtherNode[]> = fc
  .subarray([...STRANGE], { minLength: STRANGE.length - 1 })
  .map((some): readonly OtherNode[] => ['plain', ...some]);

const oneNode = (podCIDRAfterMs: number): fc.Arbitrary<NodePlan[]> =>
  fc.constant([{ bridge: 'none', podCIDRAfterMs }]);

const onePod = fc.constant<PodPlan[]>([{ node: 0, afterFailure: 'fresh' }]);

/** The agent's routes, rules and configuration are removed, and restored; then a node leaves. */
const lost: readonly Step[] = [
  { afterMs: 4_000, do: 'start', pod: 0 },
  { afterMs: 3_000, do: 'lose all', node: 0 },
];

/** Scenarios of one agent, with many nodes and no other machine. */
export const agentWorkloads: readonly Workload<PodNetworkScenario>[] = [
  {
    name: 'one agent, nodes of all kinds',
    runs: 3,
    scenarios: scenariosWith({
      nodes: oneNode(3_000),
      others,
      pods: onePod,
      steps: fc.constant([...lost, { afterMs: 11_000, do: 'overtake', node: 0, other: 0 }]),
    }),
  },
  {
    name: 'one agent, one unreachable node',
    runs: 1,
    scenarios: scenariosWith({
      nodes: oneNode(0),
      others: fc.constant(['out of reach', 'plain']),
      pods: onePod,
      steps: fc.constant([{ afterMs: 12_000, do: 'lose all', node: 0 }]),
    }),
  },
];
