import type { Road } from '../../testing/holds.ts';
import { agentRoads } from './agent-roads.ts';
import { roads as commonRoads } from './roads.ts';
import type { PodNetworkScenario } from './scenario.ts';
import { trialRoads } from './trial-roads.ts';

/** All lives by which the network of pods is judged. */
export const roads: readonly Road<PodNetworkScenario>[] = [...commonRoads, ...agentRoads, ...trialRoads];
