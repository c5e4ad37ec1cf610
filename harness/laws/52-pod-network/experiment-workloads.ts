import fc from 'fast-check';
import type { Workload } from '../../testing/holds.ts';
import { experimentNames } from './experiments.ts';
import type { PodNetworkScenario } from './scenario.ts';
import { scenariosWith } from './scenario-parts.ts';

/** The plugin by itself. A trial goes through all that it is about: one run is enough. */
export const experimentWorkloads: readonly Workload<PodNetworkScenario>[] = experimentNames.map(
  (experiment) => ({
    name: `the plugin by itself: ${experiment}`,
    runs: 1,
    scenarios: scenariosWith({
      experiment,
      nodes: fc.constant([]),
      pods: fc.constant([]),
      steps: fc.constant([]),
    }),
  }),
);
