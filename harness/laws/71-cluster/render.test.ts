import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readable } from './render.ts';
import type { ClusterScenario } from './scenario.ts';

const scenario: ClusterScenario = {
  ...{ seed: 7, schedule: [1, 2], nodes: 2, replicas: 1, latencyMs: 1, secured: false },
  workloads: [{ kind: 'pod', name: 'solo' }],
  steps: [
    { afterMs: 3, strike: { fault: 'node-death', node: 'node-1' } },
    { afterMs: 9, do: 'power-on', node: 0 },
  ],
};

test('a failure shows the whole scenario as JSON, one line for each workload and step', () => {
  const text = fc.stringify(readable(scenario));
  expect(JSON.parse(text)).toEqual(scenario);
  expect(text.split('\n')).toHaveLength(8);
});

test('the scenario is the same for the simulation', () => {
  expect(JSON.stringify(readable(scenario))).toBe(JSON.stringify(scenario));
});
