import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import {
  volumesLaws as laws,
  runVolumes,
  type VolumesScenario,
  volumesScenarios,
} from '#laws/45-persistent-volumes';
import { components } from '../components.ts';
import {
  localPathProvisioner,
  newVolumeBinding,
  persistentVolumeBinder,
  persistentVolumeClaimProtectionController,
  persistentVolumeProtectionController,
} from './persistent-volumes.ts';

/** All laws check the same runs; each run happens once. */
const live = remembering((scenario: VolumesScenario) =>
  runVolumes(
    {
      persistentVolumeBinder,
      localPathProvisioner,
      persistentVolumeClaimProtectionController,
      persistentVolumeProtectionController,
      volumeBinding: newVolumeBinding,
    },
    components,
    scenario,
  ),
);
const scenarios = volumesScenarios();

describe('The laws of persistent volumes', () => {
  test('Exclusive: no volume is bound to two claims', () => holds(laws.exclusive, scenarios, live));

  test('In order: the volume refers to the claim before the claim relies on the volume', () =>
    holds(laws.inOrder, scenarios, live));

  test('Best fit: a claim gets its reserved volume, else the smallest suitable volume', () =>
    holds(laws.bestFit, scenarios, live));

  test('Keeps data: only a volume with the policy Delete is deleted, after its claim', () =>
    holds(laws.keepsData, scenarios, live));

  test('Protected: an object in use keeps its finalizer', () => holds(laws.protectedInUse, scenarios, live));

  test('Pods wait: a pod is bound after its claims, where their volumes are', () =>
    holds(laws.podsWait, scenarios, live));

  test('At rest: in the end every claim, volume and pod has what it can have', () =>
    holds(laws.atRest, scenarios, live));

  test('Quiet: at rest nothing is written, not even by a binder that restarts', () =>
    holds(laws.quiet, scenarios, live));
});
