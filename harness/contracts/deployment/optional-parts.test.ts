import { expect, test } from 'vitest';
import { aDeployment, aReplicaSet } from '../../laws/24-deployment/index.ts';
import { DESIRED_REPLICAS } from './annotations.ts';
import type { DeploymentSyncContext } from './controller.ts';
import { rolloutOf } from './facts.ts';
import { noOptionalParts } from './optional-parts.ts';

test('without ★ levels a change of size is an ordinary roll-out, and only a single ReplicaSet is scaled', async () => {
  const deployment = aDeployment({ replicas: 5 });
  const old = aReplicaSet('old', { replicas: 3, annotations: { [DESIRED_REPLICAS]: '3' } });
  const current = aReplicaSet('new', { replicas: 2 });
  expect(noOptionalParts.isScalingEvent(deployment, [old])).toBe(false);
  expect(noOptionalParts.scale(deployment, undefined, [old])).toEqual([{ replicaSet: old, replicas: 5 }]);
  expect(noOptionalParts.scale(deployment, current, [old])).toEqual([]);
  expect(noOptionalParts.findCleanableReplicaSets(aDeployment({ revisionHistoryLimit: 0 }), [old])).toEqual(
    [],
  );
  const rollout = rolloutOf(aDeployment({ strategy: 'Recreate' }), [old], undefined);
  expect(await noOptionalParts.rolloutRecreate({} as DeploymentSyncContext, rollout)).toBe(rollout);
});
