import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import {
  type DisruptionScenario,
  disruptionScenarios,
  disruptionLaws as laws,
  runDisruption,
} from '#laws/35-disruption';
import { components } from '../components.ts';
import { disruptionController } from './disruption.ts';

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: DisruptionScenario) =>
  runDisruption(disruptionController, components, scenario),
);
const lives = disruptionScenarios();

describe('The laws of disruption', () => {
  test('Computes: in the end the status has the correct counts', () => holds(laws.computes, lives, live));

  test('Safe: an eviction leaves as many healthy pods as the budget requires', () =>
    holds(laws.safe, lives, live));

  test('Waits: an eviction without a deletion counts for two minutes', () => holds(laws.waits, lives, live));

  test('Quiet: at rest no write is sent, not even by a controller that restarts', () =>
    holds(laws.quiet, lives, live));
});
