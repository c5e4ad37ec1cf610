import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import { volumeLaws as laws, runVolumes, type VolumeScenario, volumeScenarios } from '#laws/44-volumes';
import { newVolumeManager } from './volume-manager.ts';

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: VolumeScenario) => runVolumes(newVolumeManager, scenario));
const lives = volumeScenarios();

describe('The laws of volumes', () => {
  test('Ready: in the end each pod runs, or is gone', () => holds(laws.ready, lives, live));

  test('Exact: in the end what is mounted is what is to be mounted, and nothing else is left', () =>
    holds(laws.exact, lives, live));

  test('Whole: a container begins with all its volumes, and sees a config map in one version', () =>
    holds(laws.whole, lives, live));

  test('Fresh: a new pod reads nothing that was over before it came', () => holds(laws.fresh, lives, live));

  test('Current: in the end config maps say in pods what they say in the API', () =>
    holds(laws.current, lives, live));

  test('Still: what a subPath shows does not change', () => holds(laws.still, lives, live));

  test('Keeps: what a pod has written stays where it is to stay', () => holds(laws.keeps, lives, live));

  test('Undisturbed: nothing is taken away from under a container', () =>
    holds(laws.undisturbed, lives, live));

  test('In use: no volume is used that is not said to be', () => holds(laws.inUse, lives, live));

  test('Released: a pod that has left the API has left nothing mounted', () =>
    holds(laws.released, lives, live));

  test('In turn: a driver is asked for one thing after the other', () => holds(laws.inTurn, lives, live));
});
