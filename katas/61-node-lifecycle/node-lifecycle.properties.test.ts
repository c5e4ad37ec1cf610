import { describe, test } from 'vitest';
import { components } from '#components';
import { holds, remembering } from '#harness/testing';
import { nodeLifecycleController } from '#kata/61-node-lifecycle/node-lifecycle';
import { laws, type Scenario, scenarios, simulate } from '#laws/61-node-lifecycle';

/** All laws read the same runs. */
const run = remembering((scenario: Scenario) => simulate(nodeLifecycleController, components, scenario));

// AUTHOR: a test for each law, `Name: what it says`.
describe('The laws', () => {
  test('Converges: in the end the annotation of every ConfigMap has the number of its keys', () =>
    holds(laws.converges, scenarios, run));
});
