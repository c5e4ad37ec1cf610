import { describe, expect, test } from 'vitest';
import { type DeploymentStatus, REVISION, REVISION_HISTORY } from '#given/24-deployment';
import { deployments } from '#harness';
import { syncRevision } from '#kata/24-deployment/deployment';
import type { DeploymentParts } from '#laws/24-deployment';
import { conditionOf } from './conditions.fixture.ts';
import { SyncContextStage } from './sync-context.fixture.ts';

describe('Level 8 · The new ReplicaSet is kept up to date', () => {
  /** A Deployment that has this status, its new ReplicaSet with revision 3, and an old one with revision 2. */
  const open = async (
    parts: DeploymentParts = {},
    status: DeploymentStatus = {},
  ): Promise<SyncContextStage> => {
    const opened = await SyncContextStage.open(parts);
    await opened.addOwn('old', { image: 'nginx:0', annotations: { [REVISION]: '2' } });
    await opened.addOwn('new', { image: 'nginx:1', annotations: { [REVISION]: '3' } });
    await opened.stage.client.updateStatus(deployments, { ...opened.deployment, status });
    return opened;
  };
  const sync = (opened: SyncContextStage) =>
    opened.settled(syncRevision(opened.syncContext, opened.rollout()));
  const said = (reason: string): DeploymentStatus => ({
    conditions: [conditionOf('Progressing', 'True', reason)],
  });

  test('changes nothing without a new ReplicaSet', async () => {
    await using opened = await SyncContextStage.open();
    const rollout = opened.rollout();
    expect(
      await opened.settled(syncRevision(opened.syncContext, rollout)),
      'nothing to do: return the rollout unchanged',
    ).toEqual(rollout);
  });

  test('copies the annotations of the Deployment to the ReplicaSet', async () => {
    await using opened = await open({ annotations: { team: 'red' } });
    const after = await sync(opened);
    expect(after.newReplicaSet, 'return the ReplicaSet as the server stored it').toEqual(
      opened.stage.replicaSet('new'),
    );
    expect(after.newReplicaSet?.metadata.annotations, 'copy the annotation team of the Deployment').toEqual({
      [REVISION]: '3',
      team: 'red',
    });
  });

  test('copies minReadySeconds of the Deployment to the ReplicaSet', async () => {
    await using opened = await open({ minReadySeconds: 7 });
    const after = await sync(opened);
    expect(
      after.newReplicaSet?.spec.minReadySeconds,
      'minReadySeconds of the returned ReplicaSet: copied from the Deployment',
    ).toBe(7);
    expect(
      opened.stage.replicaSet('new')?.spec.minReadySeconds,
      'minReadySeconds of the stored ReplicaSet: copied from the Deployment',
    ).toBe(7);
  });

  test('sets the highest revision on a reused ReplicaSet, and keeps its earlier revisions', async () => {
    await using opened = await open();
    await opened.stage.setImage('nginx:0');
    await sync(opened);
    const annotations = opened.stage.replicaSet('old')?.metadata.annotations;
    expect(annotations, 'the ReplicaSet had revision 2, and the highest is 3').toEqual({
      [REVISION]: '4',
      [REVISION_HISTORY]: '2',
    });
  });

  test('compares revisions as numbers: 11 follows 9 and 10', async () => {
    await using opened = await open();
    await opened.addOwn('nine', { image: 'nginx:9', annotations: { [REVISION]: '9' } });
    await opened.addOwn('ten', { image: 'nginx:10', annotations: { [REVISION]: '10' } });
    const after = await sync(opened);
    expect(
      after.newReplicaSet?.metadata.annotations?.[REVISION],
      'revision of the ReplicaSet: above 9 and 10, compared as numbers',
    ).toBe('11');
  });

  test('copies the revision of the ReplicaSet to the Deployment', async () => {
    await using opened = await open({ annotations: { [REVISION]: '2' } }, said('ReplicaSetUpdated'));
    const after = await sync(opened);
    expect(
      opened.deployment.metadata.annotations?.[REVISION],
      'annotation deployment.kubernetes.io/revision of the Deployment: that of its new ReplicaSet',
    ).toBe('3');
    expect(after.deployment, 'return the Deployment as the server stored it').toEqual(opened.deployment);
    expect(
      opened.stage.condition('Progressing'),
      'type, status and reason of the condition Progressing: it is about this rollout already',
    ).toBe('Progressing True ReplicaSetUpdated');
  });

  test.each<[string, string | undefined, string, string | undefined]>([
    ['there is no condition', undefined, '3', 'FoundNewReplicaSet'],
    ['the last roll-out is over, and this one is news', 'NewReplicaSetAvailable', '2', 'FoundNewReplicaSet'],
    ['this roll-out is over', 'NewReplicaSetAvailable', '3', 'NewReplicaSetAvailable'],
    ['it goes on', 'ReplicaSetUpdated', '2', 'ReplicaSetUpdated'],
  ])('starts the deadline of a roll-out without Progressing: %s', async (_, reason, revision, after) => {
    const status = reason === undefined ? {} : said(reason);
    await using opened = await open({ annotations: { [REVISION]: revision } }, status);
    await sync(opened);
    expect(
      opened.stage.condition('Progressing'),
      'type, status and reason of the condition Progressing',
    ).toBe(`Progressing True ${after}`);
  });

  test('omits Progressing without a deadline', async () => {
    await using opened = await open({ progressDeadlineSeconds: 2 ** 31 - 1 });
    await sync(opened);
    expect(
      opened.stage.condition('Progressing'),
      'condition Progressing: the Deployment has no deadline',
    ).toBeUndefined();
    expect(
      opened.deployment.metadata.annotations?.[REVISION],
      'annotation deployment.kubernetes.io/revision of the Deployment: that of its new ReplicaSet',
    ).toBe('3');
  });

  test('writes nothing if everything is up to date', async () => {
    await using opened = await open({ annotations: { [REVISION]: '3' } }, said('ReplicaSetUpdated'));
    const before = opened.stage.cluster.storage.revision;
    const rollout = opened.rollout();
    expect(await sync(opened), 'nothing is out of date').toEqual(rollout);
    expect(opened.stage.cluster.storage.revision, 'nothing is out of date, so nothing may be written').toBe(
      before,
    );
  });
});
