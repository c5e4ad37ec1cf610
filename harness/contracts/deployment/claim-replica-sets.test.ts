import { describe, expect, test } from 'vitest';
import type { Deployment, ReplicaSet } from '../../api/objects.ts';
import { deployments, replicaSets } from '../../api/resource.ts';
import { Stage } from '../../laws/24-deployment/index.ts';
import { claimReplicaSets } from './claim-replica-sets.ts';

const WEB = { namespace: 'default', name: 'web' };

describe('claimReplicaSets', () => {
  const namesOf = (all: readonly ReplicaSet[]) => all.map(({ metadata }) => metadata.name);
  const ownersOf = (stage: Stage, name: string) =>
    (stage.replicaSet(name)?.metadata.ownerReferences ?? []).map(({ uid }) => uid);

  test('keeps its own, adopts selected orphans, and ignores other ReplicaSets', async () => {
    await using stage = await Stage.empty();
    const web = await stage.create();
    const { uid } = web.metadata;
    const all = [
      await stage.addReplicaSet('own', { ownerUid: uid }),
      await stage.addReplicaSet('orphan'),
      await stage.addReplicaSet('taken', { ownerUid: 'another-one' }),
      await stage.addReplicaSet('stranger', { of: 'other' }),
    ];
    expect(namesOf(await claimReplicaSets(stage.client, web, all))).toEqual(['own', 'orphan']);
    expect(['own', 'orphan', 'taken', 'stranger'].map((name) => ownersOf(stage, name))).toEqual([
      [uid],
      [uid],
      ['another-one'],
      [],
    ]);
  });

  test('releases its own if it no longer selects it', async () => {
    await using stage = await Stage.empty();
    const web = await stage.create();
    const lost = await stage.addReplicaSet('lost', { ownerUid: web.metadata.uid, of: 'other' });
    expect(await claimReplicaSets(stage.client, web, [lost])).toEqual([]);
    expect(ownersOf(stage, 'lost')).toEqual([]);
  });

  test('neither adopts nor releases for a Deployment that is being deleted', async () => {
    await using stage = await Stage.empty();
    const web = await stage.create();
    const all = [
      await stage.addReplicaSet('lost', { ownerUid: web.metadata.uid, of: 'other' }),
      await stage.addReplicaSet('orphan'),
    ];
    await stage.client.delete(deployments, WEB, { propagationPolicy: 'Foreground' });
    expect(await claimReplicaSets(stage.client, stage.deployment(), all)).toEqual([]);
    expect(ownersOf(stage, 'lost')).toEqual([web.metadata.uid]);
    expect(ownersOf(stage, 'orphan')).toEqual([]);
  });

  test('does not adopt a ReplicaSet that is being deleted', async () => {
    await using stage = await Stage.empty();
    const web = await stage.create();
    await stage.addReplicaSet('dying');
    await stage.client.delete(replicaSets, { ...WEB, name: 'dying' }, { propagationPolicy: 'Foreground' });
    expect(await claimReplicaSets(stage.client, web, [stage.replicaSet('dying') as ReplicaSet])).toEqual([]);
  });

  test.each<[string, (stage: Stage) => Promise<unknown>]>([
    ['is deleted', (stage) => stage.client.delete(deployments, WEB, { propagationPolicy: 'Background' })],
    [
      'is being deleted',
      (stage) => stage.client.delete(deployments, WEB, { propagationPolicy: 'Foreground' }),
    ],
    [
      'has another uid',
      async (stage) => {
        await stage.client.delete(deployments, WEB, { propagationPolicy: 'Background' });
        await stage.create();
      },
    ],
  ])('adopts nothing if on the server the Deployment %s', async (_, change) => {
    await using stage = await Stage.empty();
    const web: Deployment = await stage.create();
    const orphan = await stage.addReplicaSet('orphan');
    await change(stage);
    await expect(claimReplicaSets(stage.client, web, [orphan])).rejects.toThrow(Error);
    expect(ownersOf(stage, 'orphan')).toEqual([]);
  });

  test('does not touch another ReplicaSet that now has the name', async () => {
    await using stage = await Stage.empty();
    const web = await stage.create();
    const before = await stage.addReplicaSet('orphan');
    await stage.client.delete(replicaSets, { ...WEB, name: 'orphan' }, { propagationPolicy: 'Background' });
    await stage.addReplicaSet('orphan', { of: 'other' });
    await expect(claimReplicaSets(stage.client, web, [before])).rejects.toThrow(Error);
    expect(ownersOf(stage, 'orphan')).toEqual([]);
  });

  test('skips a ReplicaSet that no longer exists', async () => {
    await using stage = await Stage.empty();
    const web = await stage.create();
    const orphan = await stage.addReplicaSet('orphan');
    await stage.client.delete(replicaSets, { ...WEB, name: 'orphan' }, { propagationPolicy: 'Background' });
    expect(await claimReplicaSets(stage.client, web, [orphan])).toEqual([]);
  });
});
