import fc from 'fast-check';
import type { Workload } from '../../testing/holds.ts';
import { life } from './lives.ts';
import type { PodNetworkScenario } from './scenario.ts';
import { trialNames } from './trials.ts';

/** The plugin by itself. A trial goes through all that it is about: one run is enough. */
export const trialWorkloads: readonly Workload<PodNetworkScenario>[] = trialNames.map((trial) => ({
  name: `the plugin by itself: ${trial}`,
  runs: 1,
  scenarios: life({
    trial,
    nodes: fc.constant([]),
    pods: fc.constant([]),
    steps: fc.constant([]),
  }),
}));
