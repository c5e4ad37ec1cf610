import { describe, expect, test } from 'vitest';
import { DESIRED_REPLICAS, MAX_REPLICAS, REVISION, rolloutOf } from '#given/24-deployment';
import { computeHash, createNewReplicaSet } from '#kata/24-deployment/deployment';
import type { StagedReplicaSet } from '#laws/24-deployment';
import { SyncContextStage } from './sync-context.fixture.ts';

describe('Level 7 · The new ReplicaSet is created', () => {
  test('creates the ReplicaSet with its annotations, and reports that', async () => {
    await using opened = await SyncContextStage.open({
      replicas: 3,
      maxSurge: 1,
      annotations: { team: 'red' },
    });
    const { stage, syncContext } = opened;
    const after = await opened.settled(createNewReplicaSet(syncContext, opened.rollout()));
    const [made] = stage.owned();
    expect(after.newReplicaSet, 'return the created ReplicaSet as newReplicaSet').toEqual(made);
    expect(made?.spec.replicas, 'spec.replicas of the created ReplicaSet: no old pods, so all 3').toBe(3);
    expect(made?.metadata.name, 'metadata.name of the created ReplicaSet').toBe(
      `web-${computeHash(opened.deployment.spec.template)}`,
    );
    expect(
      made?.metadata.annotations,
      'annotations of the created ReplicaSet: those of the Deployment, revision, desired replicas, and replicas with surge',
    ).toEqual({
      team: 'red',
      [REVISION]: '1',
      [DESIRED_REPLICAS]: '3',
      [MAX_REPLICAS]: '4',
    });
    expect(after.deployment, 'return the Deployment as the server stored it').toEqual(opened.deployment);
    expect(
      opened.deployment.metadata.annotations?.[REVISION],
      'annotation deployment.kubernetes.io/revision of the Deployment',
    ).toBe('1');
    expect(stage.condition('Progressing'), 'type, status and reason of the condition Progressing').toBe(
      'Progressing True NewReplicaSetCreated',
    );
  });

  test('creates the ReplicaSet as large as the surge allows, with the highest revision', async () => {
    await using opened = await SyncContextStage.open({ replicas: 4, maxSurge: 1 });
    await opened.addOwn('old', { replicas: 2, annotations: { [REVISION]: '9' } });
    await opened.addOwn('older', { replicas: 1, annotations: { [REVISION]: '10' } });
    const after = await opened.settled(createNewReplicaSet(opened.syncContext, opened.rollout()));
    expect(
      after.newReplicaSet?.spec.replicas,
      '4 replicas and a surge of 1, less the 3 of the old ones',
    ).toBe(2);
    expect(after.newReplicaSet?.metadata.annotations?.[REVISION], 'above 9 and 10, compared as numbers').toBe(
      '11',
    );
    expect(
      opened.deployment.metadata.annotations?.[REVISION],
      'annotation deployment.kubernetes.io/revision of the Deployment: that of its new ReplicaSet',
    ).toBe('11');
    expect(
      after.old.map(({ metadata }) => metadata.name),
      'names of the old ReplicaSets that are returned',
    ).toEqual(['old', 'older']);
  });

  test('omits Progressing without a deadline', async () => {
    await using opened = await SyncContextStage.open({ progressDeadlineSeconds: 2 ** 31 - 1 });
    await opened.settled(createNewReplicaSet(opened.syncContext, opened.rollout()));
    expect(
      opened.stage.condition('Progressing'),
      'condition Progressing: the Deployment has no deadline',
    ).toBeUndefined();
    expect(
      opened.deployment.metadata.annotations?.[REVISION],
      'annotation deployment.kubernetes.io/revision of the Deployment',
    ).toBe('1');
  });

  test('uses the ReplicaSet that an earlier attempt created', async () => {
    await using opened = await SyncContextStage.open({ replicas: 2 });
    const none = rolloutOf(opened.deployment, [], undefined);
    const first = await opened.settled(createNewReplicaSet(opened.syncContext, none));
    const { deployment } = opened;
    const second = await opened.settled(
      createNewReplicaSet(opened.syncContext, rolloutOf(deployment, [], undefined)),
    );
    expect(second.newReplicaSet, 'newReplicaSet: the one that the earlier attempt created').toEqual(
      first.newReplicaSet,
    );
    expect(
      opened.stage.owned(),
      'AlreadyExists with the same owner and template is its own ReplicaSet',
    ).toHaveLength(1);
    expect(
      opened.deployment.status.collisionCount,
      'status.collisionCount: the name is taken by its own ReplicaSet of this template, so nothing collided',
    ).toBeUndefined();
  });

  test('keeps the condition Progressing if an earlier attempt created the ReplicaSet', async () => {
    await using opened = await SyncContextStage.open({ replicas: 2 });
    const none = () => rolloutOf(opened.deployment, [], undefined);
    await opened.settled(createNewReplicaSet(opened.syncContext, none()));
    const { status } = opened.deployment;
    const conditions = status.conditions?.map((each) => ({ ...each, reason: 'ReplicaSetUpdated' }));
    await opened.settled(
      opened.syncContext.control.updateStatus(opened.deployment, { ...status, conditions }, '1'),
    );
    await opened.settled(createNewReplicaSet(opened.syncContext, none()));
    expect(
      opened.deployment.status.conditions,
      'condition Progressing: the second attempt created nothing, so it must not report a creation',
    ).toEqual(conditions);
  });

  test.each<[string, StagedReplicaSet & { readonly own?: boolean }]>([
    ['another controller has it', { ownerUid: 'another-one', image: 'nginx:1' }],
    ['nothing controls it', { image: 'nginx:1' }],
    ['it has another template', { own: true, image: 'nginx:0' }],
  ])('counts a collision if the name is taken: %s', async (_, { own = false, ...parts }) => {
    await using opened = await SyncContextStage.open({ replicas: 2 });
    const { stage, syncContext, deployment } = opened;
    const { template } = deployment.spec;
    const taken = `web-${computeHash(template)}`;
    const set = { ...parts, hash: computeHash(template) };
    await (own ? opened.addOwn(taken, set) : stage.addReplicaSet(taken, set));
    const tried = opened.settled(createNewReplicaSet(syncContext, rolloutOf(deployment, [], undefined)));
    await expect(
      tried,
      'the name is taken by another ReplicaSet: reject, so that the sync is retried',
    ).rejects.toThrow(Error);
    expect(
      opened.deployment.status.collisionCount,
      'the name is taken: raise collisionCount, save the status, and fail',
    ).toBe(1);
    const { deployment: now } = opened;
    const after = await opened.settled(createNewReplicaSet(syncContext, rolloutOf(now, [], undefined)));
    expect(
      after.newReplicaSet?.metadata.name,
      'metadata.name of the second attempt: its hash is computed with collisionCount 1',
    ).toBe(`web-${computeHash(template, 1)}`);
  });
});
