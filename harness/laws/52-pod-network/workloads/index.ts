import type { Workload } from '../../../testing/holds.ts';
import type { PodNetworkScenario } from '../scenario/index.ts';
import { agentWorkloads } from './agents.ts';
import { workloads as commonWorkloads } from './common.ts';
import { experimentWorkloads } from './experiments.ts';

/** All scenarios of the laws. */
export const workloads: readonly Workload<PodNetworkScenario>[] = [
  ...commonWorkloads,
  ...agentWorkloads,
  ...experimentWorkloads,
];
