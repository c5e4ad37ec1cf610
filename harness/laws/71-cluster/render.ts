import fc from 'fast-check';
import type { ClusterScenario } from './scenario.ts';

/** Returns a scenario that a failure shows completely: as JSON, with a line for each workload and each step. */
export function readable(scenario: ClusterScenario): ClusterScenario {
  const { workloads, steps, ...cluster } = scenario;
  const head = JSON.stringify(cluster).slice(1, -1);
  const listed = (all: readonly object[]): string =>
    all.length === 0 ? '[]' : `[\n${all.map((each) => `    ${JSON.stringify(each)}`).join(',\n')}\n  ]`;
  const text = `{ ${head},\n  "workloads": ${listed(workloads)},\n  "steps": ${listed(steps)} }`;
  return Object.defineProperty({ ...scenario }, fc.toStringMethod, { value: () => text });
}
