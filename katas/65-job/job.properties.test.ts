import { describe, test } from 'vitest';
import { components } from '#components';
import { holds, remembering } from '#harness/testing';
import { jobController } from '#kata/65-job/job';
import { laws, type Scenario, scenarios, simulate } from '#laws/65-job';

/** All laws read the same runs. */
const run = remembering((scenario: Scenario) => simulate(jobController, components, scenario));

// AUTHOR: a test for each law, `Name: what it says`.
describe('The laws', () => {
  test('Converges: in the end the annotation of every ConfigMap has the number of its keys', () =>
    holds(laws.converges, scenarios, run));
});
