import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import { calmSteps, faultySteps, type JobScenario, nodeBehaviours, randomSteps, scenariosOf } from '../scenario.ts';

/** Random operations, and one workload for each rare situation. */
export const workloads: readonly Workload<JobScenario>[] = [
  { name: 'random operations', scenarios: scenariosOf(randomSteps), runs: 30 },
  { name: 'operations without faults', scenarios: scenariosOf(calmSteps), runs: 20 },
  { name: 'pods that run by themselves', scenarios: scenariosOf(fc.constant([]), { nodes: nodeBehaviours }), runs: 10 },
  { name: 'operations on pods that run by themselves', scenarios: scenariosOf(randomSteps, { nodes: nodeBehaviours }), runs: 10 },
  { name: 'faults while pods run by themselves', scenarios: scenariosOf(faultySteps, { nodes: nodeBehaviours }), runs: 20 },
];
