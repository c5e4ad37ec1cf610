import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import { volumeLaws as laws, runVolumes, type VolumeScenario, volumeScenarios } from '#laws/44-volumes';
import { newVolumeManager } from './volume-manager.ts';

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: VolumeScenario) => runVolumes(newVolumeManager, scenario));
const lives = volumeScenarios();

describe('The laws of volumes', () => {
  test('Ready: eventually each pod runs or is deleted', () => holds(laws.ready, lives, live));

  test('Exact: eventually exactly the desired mounts exist, and nothing else is left', () =>
    holds(laws.exact, lives, live));

  test('Whole: a container starts with all its volumes, and sees a config map in one version', () =>
    holds(laws.whole, lives, live));

  test('Fresh: a new pod reads no version that was replaced before the pod existed', () =>
    holds(laws.fresh, lives, live));

  test('Current: eventually config maps in pods equal those in the API', () =>
    holds(laws.current, lives, live));

  test('Frozen subPath: a subPath mount never changes', () => holds(laws.still, lives, live));

  test('Keeps data: data that a pod has written to lasting storage stays', () =>
    holds(laws.keeps, lives, live));

  test('Undisturbed: no mount and no file of a running container disappears', () =>
    holds(laws.undisturbed, lives, live));

  test('In use: the kubelet reports every volume in use', () => holds(laws.inUse, lives, live));

  test('Released: a pod that has left the API has left nothing mounted', () =>
    holds(laws.released, lives, live));

  test('In turn: calls of a storage driver do not overlap', () => holds(laws.inTurn, lives, live));
});
