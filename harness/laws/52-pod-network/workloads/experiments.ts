import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import type { PodNetworkScenario } from '../scenario/index.ts';
import { scenariosWith } from '../scenario/parts.ts';
import { experimentNames } from '../simulation/experiments/index.ts';

/** The experiments with the plugin alone. Each one covers all its cases in one run. */
export const experimentWorkloads: readonly Workload<PodNetworkScenario>[] = experimentNames.map(
  (experiment) => ({
    name: `the plugin alone: ${experiment}`,
    runs: 1,
    scenarios: scenariosWith({
      experiment,
      nodes: fc.constant([]),
      pods: fc.constant([]),
      steps: fc.constant([]),
    }),
  }),
);
