import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import {
  type DaemonSetScenario,
  daemonSetScenarios,
  daemonSetLaws as laws,
  runDaemonSet,
} from '#laws/26-daemon-set';
import { components } from '../components.ts';
import { daemonSetController } from './daemon-set.ts';

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: DaemonSetScenario) =>
  runDaemonSet(daemonSetController, components, scenario),
);
const lives = daemonSetScenarios();

describe('The laws of DaemonSets', () => {
  test('Single: no node gets a second pod while it has one', () => holds(laws.single, lives, live));

  test('Shape: a new pod is for one eligible node, unbound, and tolerates the problems of nodes', () =>
    holds(laws.shape, lives, live));

  test('Budget: an update deletes an available pod only within maxUnavailable', () =>
    holds(laws.budget, lives, live));

  test('Patient: no available pod is deleted without an update', () => holds(laws.patient, lives, live));

  test('Backs off: pods that fail on one node are deleted later each time', () =>
    holds(laws.backsOff, lives, live));

  test('Gentle: no pod is deleted by force, or by name alone', () => holds(laws.gentle, lives, live));

  test('At rest: eventually each eligible node has one current pod, and the status is true', () =>
    holds(laws.atRest, lives, live));

  test('Quiet: at rest nothing is written, not even by a controller that restarts', () =>
    holds(laws.quiet, lives, live));
});
