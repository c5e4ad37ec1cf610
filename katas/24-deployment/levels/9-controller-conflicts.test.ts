import { describe, expect, test } from 'vitest';
import { deployments, type OwnerReference, type ReplicaSet, replicaSets } from '#harness';
import { computeHash, getDeploymentCondition, REVISION } from '#kata/24-deployment/deployment';
import { aDeployment } from '#laws/24-deployment';
import { begin } from './controller.fixture.ts';

describe('Level 9 · The controller', () => {
  test('takes another name where a ReplicaSet of somebody else has the one that it wants', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2, paused: true });
    const { template } = stage.deployment().spec;
    const taken = `web-${computeHash(template)}`;
    const same = { hash: computeHash(template), image: 'nginx:1' };
    await stage.addReplicaSet(taken, { ownerUid: 'somebody-else', ...same });
    await stage.edit({ paused: false });
    expect(stage.deployment().status.collisionCount).toBe(1);
    expect(stage.owned()[0]?.metadata.name).toBe(`web-${computeHash(template, 1)}`);
    expect(stage.sizes()).toEqual([2]);
    expect(stage.replicaSet(taken)?.spec.replicas).toBe(0);
  });

  test('takes another name where its own ReplicaSet of another template has the one that it wants', async () => {
    await using stage = await begin();
    const { metadata } = await stage.create({ replicas: 2, paused: true });
    const { template } = stage.deployment().spec;
    const taken = `web-${computeHash(template)}`;
    await stage.addReplicaSet(taken, { ownerUid: metadata.uid, image: 'nginx:0' });
    await stage.edit({ paused: false });
    expect(stage.deployment().status.collisionCount).toBe(1);
    expect(stage.replicaSet(`web-${computeHash(template, 1)}`)?.spec.replicas).toBeGreaterThan(0);
  });

  test('finds the ReplicaSet that it made, though it died before it heard of it', async () => {
    await using stage = await begin();
    stage.strike({ fault: 'crash', skip: 0, performed: true, restartAfterMs: 100 });
    await stage.create({ replicas: 2 });
    await stage.pass(5_000);
    await stage.reportUntilDone();
    expect(stage.sizes()).toEqual([2]);
    expect(stage.deployment().status.collisionCount ?? 0).toBe(0);
    expect(stage.condition('Progressing')).toBe('Progressing True NewReplicaSetAvailable');
    expect(stage.deployment().metadata.annotations?.[REVISION]).toBe('1');
  });

  test('finds the ReplicaSet that it made, though its cache does not know of it yet', async () => {
    await using stage = await begin();
    stage.strike({ fault: 'delay-watches', forMs: 3_000, resource: 'replicasets' });
    await stage.create({ replicas: 2 });
    await stage.edit({ minReadySeconds: 5 });
    await stage.pass(5_000);
    expect(stage.sizes()).toEqual([2]);
    expect(stage.owned()[0]?.spec.minReadySeconds).toBe(5);
    expect(stage.deployment().status.collisionCount ?? 0).toBe(0);
  });

  test('adopts what it selects and nobody owns, and leaves others alone', async () => {
    await using stage = await begin();
    await stage.addReplicaSet('orphan', { replicas: 0 });
    await stage.addReplicaSet('taken', { ownerUid: 'somebody-else' });
    await stage.addReplicaSet('stranger', { labels: { app: 'other' }, of: 'other' });
    const { metadata } = await stage.create({ replicas: 1 });
    const ownerOf = (name: string) => stage.replicaSet(name)?.metadata.ownerReferences?.[0]?.uid;
    expect(['orphan', 'taken', 'stranger'].map(ownerOf)).toEqual([metadata.uid, 'somebody-else', undefined]);
  });

  test('adopts the ReplicaSet that has its template, instead of making one', async () => {
    await using stage = await begin();
    await stage.addReplicaSet('by-hand', { image: 'nginx:1', replicas: 1 });
    await stage.create({ image: 'nginx:1', replicas: 3 });
    expect(stage.owned().map(({ metadata }) => metadata.name)).toEqual(['by-hand']);
    expect(stage.sizes()).toEqual([3]);
  });

  test('lets go of what it no longer selects', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 1 });
    const { metadata, ...rest } = stage.owned()[0] as ReplicaSet;
    const labels = { ...metadata.labels, app: 'other' };
    await stage.client.update(replicaSets, { ...rest, metadata: { ...metadata, labels } });
    await stage.pass();
    expect(stage.replicaSet(metadata.name)?.metadata.ownerReferences ?? []).toEqual([]);
  });

  test('asks whether the Deployment is still there before it adopts for it', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 1 });
    expect(stage.sizes()).toEqual([1]);
    stage.strike({ fault: 'delay-watches', forMs: 20_000, resource: 'deployments' });
    const web = { namespace: 'default', name: 'web' };
    await stage.client.delete(deployments, web, { propagationPolicy: 'Foreground' });
    await stage.addReplicaSet('orphan');
    await stage.pass();
    expect(stage.replicaSet('orphan')?.metadata.ownerReferences ?? []).toEqual([]);
  });

  test('does nothing for a Deployment that is being deleted but keep its status', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2 });
    await stage.reportUntilDone();
    await stage.edit((spec) => spec);
    const web = { namespace: 'default', name: 'web' };
    await stage.client.delete(deployments, web, { propagationPolicy: 'Foreground' });
    await stage.edit({ replicas: 5 });
    await stage.setImage('nginx:2');
    await stage.report(1);
    expect(stage.sizes()).toEqual([2]);
    expect(stage.deployment().status).toMatchObject({ availableReplicas: 1 });
  });

  test('writes over nothing that it has not seen', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2 });
    await stage.reportUntilDone();
    stage.strike({ fault: 'delay-watches', forMs: 5_000, resource: 'replicasets' });
    const { metadata, ...rest } = stage.owned()[0] as ReplicaSet;
    const annotations = { ...metadata.annotations, note: 'unseen' };
    await stage.client.update(replicaSets, { ...rest, metadata: { ...metadata, annotations } });
    await stage.edit({ replicas: 3 });
    expect(stage.owned()[0]?.metadata.annotations?.note).toBe('unseen');
    await stage.pass(10_000);
    expect(stage.sizes()).toEqual([3]);
    expect(stage.owned()[0]?.metadata.annotations?.note).toBe('unseen');
  });

  test('keeps as much history as it is told to, and deletes the lowest revision first', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 1, revisionHistoryLimit: 2 });
    for (const image of ['nginx:2', 'nginx:3', 'nginx:1', 'nginx:4']) {
      await stage.reportUntilDone();
      await stage.setImage(image);
    }
    await stage.reportUntilDone();
    const revisions = stage.owned().map(({ metadata }) => metadata.annotations?.[REVISION]);
    expect(revisions.sort()).toEqual(['3', '4', '5']);
  });

  test('deletes nothing of its history that somebody has come to use, though its cache does not know', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 1 });
    await stage.reportUntilDone();
    await stage.setImage('nginx:2');
    await stage.reportUntilDone();
    const [old] = stage.owned() as [ReplicaSet];
    stage.strike({ fault: 'delay-watches', forMs: 5_000, resource: 'replicasets' });
    await stage.client.update(replicaSets, { ...old, spec: { ...old.spec, replicas: 1 } });
    await stage.edit({ revisionHistoryLimit: 0 });
    await stage.pass(10_000);
    await stage.reportUntilDone();
    // Who knows of it sizes it down first, and may delete it then.
    const deleted = [...stage.cluster.journal.of(replicaSets)].filter(({ type }) => type === 'DELETED');
    expect(deleted.map(({ object }) => object.spec.replicas)).toEqual([0]);
  });

  test('makes another ReplicaSet where one was deleted while its watch was down', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2 });
    const { namespace = '', name, uid } = (stage.owned()[0] as ReplicaSet).metadata;
    stage.strike({ fault: 'delay-watches', forMs: 2_000, resource: 'replicasets' });
    await stage.client.delete(replicaSets, { namespace, name }, { propagationPolicy: 'Background' });
    stage.cluster.nemesis.strike({ fault: 'compact' });
    stage.strike({ fault: 'fail-watches', reason: 'Expired' });
    await stage.pass(30_000);
    const next = stage.replicaSet(name);
    expect(next?.spec.replicas).toBe(2);
    expect(next?.metadata.uid).not.toBe(uid);
  });

  test('makes another ReplicaSet where somebody else has taken its own', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2 });
    const { metadata, ...rest } = stage.owned()[0] as ReplicaSet;
    const [owner] = metadata.ownerReferences ?? [];
    const ownerReferences = [{ ...owner, uid: 'somebody-else' } as OwnerReference];
    await stage.client.update(replicaSets, { ...rest, metadata: { ...metadata, ownerReferences } });
    await stage.pass(5_000);
    expect(stage.sizes()).toEqual([2]);
    expect(stage.replicaSet(metadata.name)?.metadata.ownerReferences).toEqual(ownerReferences);
  });

  test('adopts nothing that is being deleted', async () => {
    await using stage = await begin();
    await stage.addReplicaSet('dying');
    const dying = { namespace: 'default', name: 'dying' };
    await stage.client.delete(replicaSets, dying, { propagationPolicy: 'Foreground' });
    await stage.pass();
    await stage.create({ replicas: 1 });
    await stage.pass(5_000);
    expect(stage.sizes()).toEqual([1]);
    expect(stage.replicaSet('dying')?.metadata.ownerReferences ?? []).toEqual([]);
  });

  test('adopts nothing for a Deployment in whose place there is another of its name', async () => {
    await using stage = await begin();
    const first = await stage.create({ replicas: 1 });
    expect(stage.sizes()).toEqual([1]);
    stage.strike({ fault: 'delay-watches', forMs: 20_000, resource: 'deployments' });
    await stage.client.delete(
      deployments,
      { namespace: 'default', name: 'web' },
      { propagationPolicy: 'Background' },
    );
    await stage.create({ replicas: 1 });
    await stage.addReplicaSet('orphan');
    await stage.pass(5_000);
    const owners = stage.replicaSet('orphan')?.metadata.ownerReferences ?? [];
    expect(owners.map(({ uid }) => uid)).not.toContain(first.metadata.uid);
  });

  test('reports what keeps it from making a ReplicaSet', async () => {
    await using stage = await begin();
    const { spec } = aDeployment({ replicas: 2, maxSurge: 1 });
    // It is a name, but with a hash behind it too long for one.
    const long = { namespace: 'default', name: 'w'.repeat(250) };
    await stage.client.create(deployments, { metadata: long, spec });
    await stage.pass();
    expect(stage.told()).toContainEqual(
      expect.stringMatching(
        /^Warning ReplicaSetCreateError: Failed to create new replica set "w+-[a-z0-9]+": /,
      ),
    );
    const { status } = await stage.client.get(deployments, long);
    expect(getDeploymentCondition(status, 'Progressing')).toMatchObject({
      status: 'False',
      reason: 'ReplicaSetCreateError',
    });
  });

  test('tries again what failed, though nothing else happens', async () => {
    await using stage = await begin();
    stage.strike({ fault: 'refuse', reason: 'InternalError', requests: 3 });
    await stage.create({ replicas: 2 });
    await stage.pass(30_000);
    expect(stage.sizes()).toEqual([2]);
  });

  test('notices a roll-out that is stuck, though who began it died before saying so (k#106697)', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2, progressDeadlineSeconds: 60 });
    await stage.reportUntilDone();
    stage.strike({ fault: 'crash', skip: 0, performed: true, restartAfterMs: 10_000 });
    await stage.setImage('nginx:broken');
    await stage.report(undefined, 0);
    await stage.pass(200_000);
    expect(stage.condition('Progressing')).toBe('Progressing False ProgressDeadlineExceeded');
  });

  test('leaves alone a Deployment that would select everything, and warns', async () => {
    await using stage = await begin();
    const { metadata, spec } = aDeployment({ replicas: 2 });
    // Every server refuses it; one that was there before they did would have to be lived with.
    stage.cluster.storage.create(deployments, {
      ...aDeployment(),
      metadata: { ...metadata },
      spec: { ...spec, selector: {} },
    });
    await stage.pass();
    expect(stage.owned()).toEqual([]);
    expect(stage.told()).toEqual([
      'Warning SelectingAll: This deployment is selecting all pods. A non-empty selector is required.',
    ]);
  });
});
