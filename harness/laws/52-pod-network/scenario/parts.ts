import fc from 'fast-check';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import { inWords } from '../../../testing/telling.ts';
import { describeScenario } from '../render.ts';
import type { CallFault, NodePlan, OtherNode, PodNetworkScenario, PodPlan, Step } from './index.ts';

/** The parts of a scenario, with defaults. */
interface Parts {
  readonly network?: PodNetworkScenario['network'];
  readonly alone?: fc.Arbitrary<PodNetworkScenario['alone']>;
  readonly nodes: fc.Arbitrary<NodePlan[]>;
  readonly pods: fc.Arbitrary<PodPlan[]>;
  readonly steps: fc.Arbitrary<readonly Step[]>;
  readonly faults?: fc.Arbitrary<CallFault[]>;
  readonly others?: fc.Arbitrary<readonly OtherNode[]>;
  readonly experiment?: string;
}

const plainAlone = { bridge: 'cni0', gives: 'a gateway' } as const;

/** Generates scenarios from the parts that matter to a workload. */
export function scenariosWith({
  network = 'flannel',
  alone = fc.constant(plainAlone),
  nodes,
  pods,
  steps,
  faults = fc.constant([]),
  others,
  experiment,
}: Parts) {
  const scenarios = fc.record({
    seed: seeds,
    schedule: schedules,
    network: fc.constant(network),
    alone,
    nodes,
    pods,
    steps,
    faults,
    ...(others && { others }),
    ...(experiment && { experiment: fc.constant(experiment) }),
  }) as fc.Arbitrary<PodNetworkScenario>;
  return inWords(scenarios, describeScenario);
}
