import type { Workload } from '../../testing/holds.ts';
import { agentWorkloads } from './agent-workloads.ts';
import { experimentWorkloads } from './experiment-workloads.ts';
import type { PodNetworkScenario } from './scenario.ts';
import { workloads as commonWorkloads } from './workloads.ts';

/** All scenarios of the laws. */
export const workloads: readonly Workload<PodNetworkScenario>[] = [
  ...commonWorkloads,
  ...agentWorkloads,
  ...experimentWorkloads,
];
