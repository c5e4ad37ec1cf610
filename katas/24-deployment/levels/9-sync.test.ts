import { describe, expect, test } from 'vitest';
import {
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  POD_TEMPLATE_HASH,
  REVISION,
  REVISION_HISTORY,
} from '#given/24-deployment';
import type { ReplicaSet } from '#harness';
import { begin } from './controller.fixture.ts';

const hashOf = (replicaSet: ReplicaSet | undefined) => replicaSet?.metadata.labels?.[POD_TEMPLATE_HASH];

describe('Level 9 · The sync', () => {
  test('creates a ReplicaSet for a Deployment, and emits an event', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 3, maxSurge: 1 });
    const [made] = stage.owned();
    expect(stage.sizes(), 'spec.replicas of the own ReplicaSets').toEqual([3]);
    expect(made?.metadata.name, 'name of the created ReplicaSet').toBe(`web-${hashOf(made)}`);
    expect(made?.metadata.annotations, 'annotations of the created ReplicaSet').toEqual({
      [REVISION]: '1',
      [DESIRED_REPLICAS]: '3',
      [MAX_REPLICAS]: '4',
    });
    expect(
      stage.deployment().metadata.annotations?.[REVISION],
      'annotation deployment.kubernetes.io/revision of the Deployment',
    ).toBe('1');
    expect(stage.condition('Progressing'), 'the ReplicaSet was created').toBe(
      'Progressing True NewReplicaSetCreated',
    );
    expect(stage.emitted(), 'the Events: one for the created ReplicaSet').toEqual([
      `Normal ScalingReplicaSet: Scaled up replica set ${made?.metadata.name} from 0 to 3`,
    ]);
  });

  test('reports a complete roll-out once all pods are available', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 3 });
    await stage.report(1);
    expect(stage.condition('Progressing'), '1 of 3 pods is available').toBe(
      'Progressing True ReplicaSetUpdated',
    );
    expect(stage.condition('Available'), '1 of 3 pods is available').toBe(
      'Available False MinimumReplicasUnavailable',
    );
    await stage.report();
    expect(stage.condition('Progressing'), 'all 3 pods are available').toBe(
      'Progressing True NewReplicaSetAvailable',
    );
    expect(stage.condition('Available'), 'all 3 pods are available').toBe(
      'Available True MinimumReplicasAvailable',
    );
    expect(stage.deployment().status, 'the status when all pods are available').toMatchObject({
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
    });
  });

  test('writes nothing if nothing needs to change', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 3 });
    await stage.reportUntilDone();
    expect(stage.condition('Progressing'), 'type, status and reason of the condition Progressing').toBe(
      'Progressing True NewReplicaSetAvailable',
    );
    const before = stage.writes();
    await stage.pass(3_600_000);
    expect(stage.writes(), 'the number of writes after an hour in which nothing changed').toBe(before);
  });

  test('rolls out in steps, within surge and availability', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 4, maxSurge: 1, maxUnavailable: 1 });
    await stage.reportUntilDone();
    await stage.setImage('nginx:2');
    expect(stage.sizes(), 'old and new: at most 5 pods, at least 3 available').toEqual([3, 2]);
    await stage.report(3, 1);
    expect(stage.sizes(), 'old and new: 3 old pods and 1 new pod are available').toEqual([2, 3]);
    await stage.report(2, 3);
    await stage.reportUntilDone();
    expect(stage.sizes(), 'spec.replicas of the own ReplicaSets, oldest first').toEqual([0, 4]);
    expect(
      stage.owned().map(({ metadata }) => metadata.annotations?.[REVISION]),
      'revisions of the own ReplicaSets, oldest first',
    ).toEqual(['1', '2']);
    expect(
      stage.deployment().metadata.annotations?.[REVISION],
      'annotation deployment.kubernetes.io/revision of the Deployment: that of its new ReplicaSet',
    ).toBe('2');
    expect(stage.emitted(), 'the Events: the old ReplicaSet goes from 4 to 3 first').toContainEqual(
      expect.stringMatching(/^Normal ScalingReplicaSet: Scaled down replica set web-\S+ from 4 to 3$/),
    );
  });

  test('halts if new pods do not become ready, and reports the passed deadline without an event', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 4, maxSurge: 1, progressDeadlineSeconds: 100 });
    await stage.reportUntilDone();
    await stage.setImage('nginx:broken');
    await stage.report(undefined, 0);
    expect(stage.sizes(), 'old and new: no new pod is available, so no old one may go').toEqual([4, 1]);
    await stage.pass(95_000);
    expect(stage.condition('Progressing'), 'the deadline of 100 s has not passed').toBe(
      'Progressing True ReplicaSetUpdated',
    );
    await stage.pass(8_000);
    expect(
      stage.condition('Progressing'),
      'the deadline of 100 s has passed without an event: requeue the key for that time',
    ).toBe('Progressing False ProgressDeadlineExceeded');
    expect(stage.condition('Available'), '4 old pods are available').toBe(
      'Available True MinimumReplicasAvailable',
    );
    expect(stage.sizes(), 'a roll-out that is past its deadline stays as it is').toEqual([4, 1]);
  });

  test('reuses the ReplicaSet of an earlier template, with a new revision', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 4, maxSurge: 1 });
    await stage.reportUntilDone();
    await stage.setImage('nginx:broken');
    await stage.report(undefined, 0);
    await stage.setImage('nginx:1');
    await stage.report(undefined, 0);
    await stage.reportUntilDone();
    expect(stage.sizes(), 'the ReplicaSet of nginx:1 has all pods again').toEqual([4, 0]);
    const [first] = stage.owned();
    expect(first?.metadata.annotations, 'it had revision 1, and nginx:broken has 2').toMatchObject({
      [REVISION]: '3',
      [REVISION_HISTORY]: '1',
    });
    expect(stage.deployment().metadata.annotations?.[REVISION], 'the revision of its ReplicaSet').toBe('3');
    expect(stage.condition('Progressing'), 'the rollback is complete').toBe(
      'Progressing True NewReplicaSetAvailable',
    );
  });

  test('scales but does not roll out while paused', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 4 });
    await stage.reportUntilDone();
    await stage.edit({ paused: true });
    await stage.setImage('nginx:2');
    expect(stage.sizes(), 'paused: no ReplicaSet for the new template').toEqual([4]);
    expect(stage.condition('Progressing'), 'the Deployment is paused').toBe(
      'Progressing Unknown DeploymentPaused',
    );
    await stage.edit({ replicas: 6 });
    expect(stage.sizes(), 'a paused Deployment is still scaled').toEqual([6]);
    await stage.edit({ paused: false });
    expect(stage.sizes(), 'resumed: the roll-out of nginx:2 begins').toEqual([6, 1]);
  });
});
