import { describe, expect, test } from 'vitest';
import { POD_TEMPLATE_HASH, REVISION } from '#given/24-deployment';
import { deployments, type OwnerReference, type ReplicaSet, replicaSets } from '#harness';
import { computeHash } from '#kata/24-deployment/deployment';
import { aDeployment } from '#laws/24-deployment';
import { begin } from './controller.fixture.ts';

describe('Level 9 · The sync', () => {
  test('uses another name if a ReplicaSet of another controller has the name', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2, paused: true });
    const { template } = stage.deployment().spec;
    const taken = `web-${computeHash(template)}`;
    const same = { hash: computeHash(template), image: 'nginx:1' };
    await stage.addReplicaSet(taken, { ownerUid: 'another-one', ...same });
    await stage.edit({ paused: false });
    expect(stage.deployment().status.collisionCount, 'status.collisionCount: one name was taken').toBe(1);
    expect(
      stage.owned()[0]?.metadata.name,
      'name of the only own ReplicaSet: its hash is computed with collisionCount 1',
    ).toBe(`web-${computeHash(template, 1)}`);
    expect(stage.sizes(), 'spec.replicas of the own ReplicaSets').toEqual([2]);
    expect(
      stage.replicaSet(taken)?.spec.replicas,
      'spec.replicas of the ReplicaSet of another controller: leave it alone',
    ).toBe(0);
  });

  test('uses another name if its own ReplicaSet with another template has the name', async () => {
    await using stage = await begin();
    const { metadata } = await stage.create({ replicas: 2, paused: true });
    const { template } = stage.deployment().spec;
    const taken = `web-${computeHash(template)}`;
    await stage.addReplicaSet(taken, { ownerUid: metadata.uid, image: 'nginx:0' });
    await stage.edit({ paused: false });
    expect(stage.deployment().status.collisionCount, 'status.collisionCount: one name was taken').toBe(1);
    expect(
      stage.replicaSet(`web-${computeHash(template, 1)}`)?.spec.replicas,
      'spec.replicas of the ReplicaSet with the hash of collisionCount 1',
    ).toBeGreaterThan(0);
  });

  test('finds its ReplicaSet after a crash before the response', async () => {
    await using stage = await begin();
    stage.strike({ fault: 'crash', skip: 0, performed: true, restartAfterMs: 100 });
    await stage.create({ replicas: 2 });
    await stage.pass(5_000);
    await stage.reportUntilDone();
    expect(stage.sizes(), 'spec.replicas of the own ReplicaSets').toEqual([2]);
    expect(stage.deployment().status.collisionCount ?? 0, 'status.collisionCount: nothing collided').toBe(0);
    expect(stage.condition('Progressing'), 'type, status and reason of the condition Progressing').toBe(
      'Progressing True NewReplicaSetAvailable',
    );
    expect(
      stage.deployment().metadata.annotations?.[REVISION],
      'annotation deployment.kubernetes.io/revision of the Deployment',
    ).toBe('1');
  });

  test('finds its ReplicaSet before the cache shows it', async () => {
    await using stage = await begin();
    stage.strike({ fault: 'delay-watches', forMs: 3_000, resource: 'replicasets' });
    await stage.create({ replicas: 2 });
    await stage.edit({ minReadySeconds: 5 });
    await stage.pass(5_000);
    expect(stage.sizes(), 'spec.replicas of the own ReplicaSets').toEqual([2]);
    expect(
      stage.owned()[0]?.spec.minReadySeconds,
      'minReadySeconds of the ReplicaSet: copied from the Deployment',
    ).toBe(5);
    expect(stage.deployment().status.collisionCount ?? 0, 'status.collisionCount: nothing collided').toBe(0);
  });

  test('adopts selected ReplicaSets without a controller, and no others', async () => {
    await using stage = await begin();
    await stage.addReplicaSet('orphan', { replicas: 0 });
    await stage.addReplicaSet('taken', { ownerUid: 'another-one' });
    await stage.addReplicaSet('stranger', { labels: { app: 'other' }, of: 'other' });
    const { metadata } = await stage.create({ replicas: 1 });
    const ownerOf = (name: string) => stage.replicaSet(name)?.metadata.ownerReferences?.[0]?.uid;
    expect(
      ['orphan', 'taken', 'stranger'].map(ownerOf),
      'adopt orphan; leave taken, which another controls, and stranger, which is not selected',
    ).toEqual([metadata.uid, 'another-one', undefined]);
  });

  test('adopts a ReplicaSet with its template instead of creating one', async () => {
    await using stage = await begin();
    await stage.addReplicaSet('by-hand', { image: 'nginx:1', replicas: 1 });
    await stage.create({ image: 'nginx:1', replicas: 3 });
    expect(
      stage.owned().map(({ metadata }) => metadata.name),
      'by-hand has the template: adopt it first',
    ).toEqual(['by-hand']);
    expect(stage.sizes(), 'spec.replicas of the own ReplicaSets').toEqual([3]);
  });

  test('releases a ReplicaSet that it no longer selects', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 1 });
    const { metadata, ...rest } = stage.owned()[0] as ReplicaSet;
    const labels = { ...metadata.labels, app: 'other' };
    await stage.client.update(replicaSets, { ...rest, metadata: { ...metadata, labels } });
    await stage.pass();
    expect(
      stage.replicaSet(metadata.name)?.metadata.ownerReferences ?? [],
      'its labels do not match the selector any more: remove the ownerReference',
    ).toEqual([]);
  });

  test('reads the Deployment from the server before it adopts', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 1 });
    expect(stage.sizes(), 'spec.replicas of the own ReplicaSets').toEqual([1]);
    stage.strike({ fault: 'delay-watches', forMs: 20_000, resource: 'deployments' });
    const web = { namespace: 'default', name: 'web' };
    await stage.client.delete(deployments, web, { propagationPolicy: 'Foreground' });
    await stage.addReplicaSet('orphan');
    await stage.pass();
    expect(
      stage.replicaSet('orphan')?.metadata.ownerReferences ?? [],
      'the server deletes the Deployment, but the cache does not show that yet: get the Deployment from the server before you adopt an orphan',
    ).toEqual([]);
  });

  test('only updates the status of a Deployment that is being deleted', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2 });
    await stage.reportUntilDone();
    await stage.edit((spec) => spec);
    const web = { namespace: 'default', name: 'web' };
    await stage.client.delete(deployments, web, { propagationPolicy: 'Foreground' });
    await stage.edit({ replicas: 5 });
    await stage.setImage('nginx:2');
    await stage.report(1);
    expect(stage.sizes(), 'it is being deleted: neither scale nor roll out').toEqual([2]);
    expect(stage.deployment().status, 'its status must still be kept').toMatchObject({
      availableReplicas: 1,
    });
  });

  test('overwrites no change that it has not observed', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2 });
    await stage.reportUntilDone();
    stage.strike({ fault: 'delay-watches', forMs: 5_000, resource: 'replicasets' });
    const { metadata, ...rest } = stage.owned()[0] as ReplicaSet;
    const annotations = { ...metadata.annotations, note: 'unseen' };
    await stage.client.update(replicaSets, { ...rest, metadata: { ...metadata, annotations } });
    await stage.edit({ replicas: 3 });
    expect(
      stage.owned()[0]?.metadata.annotations?.note,
      'the cache does not show the annotation note: update with its resourceVersion, so that the stale write ends in Conflict',
    ).toBe('unseen');
    await stage.pass(10_000);
    expect(stage.sizes(), 'spec.replicas of the own ReplicaSets').toEqual([3]);
    expect(
      stage.owned()[0]?.metadata.annotations?.note,
      'the annotation that another client wrote, unobserved: a write based on an old version must not remove it',
    ).toBe('unseen');
  });

  test('creates a ReplicaSet again that was deleted while its watch was down', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2 });
    const { namespace = '', name, uid } = (stage.owned()[0] as ReplicaSet).metadata;
    stage.strike({ fault: 'delay-watches', forMs: 2_000, resource: 'replicasets' });
    await stage.client.delete(replicaSets, { namespace, name }, { propagationPolicy: 'Background' });
    stage.cluster.nemesis.strike({ fault: 'compact' });
    stage.strike({ fault: 'fail-watches', reason: 'Expired' });
    await stage.pass(30_000);
    const next = stage.replicaSet(name);
    expect(
      next?.spec.replicas,
      `spec.replicas of ${name}: a relist no longer lists it, and onDelete gets a DeletedFinalStateUnknown with it; its Deployment needs a sync, which creates another`,
    ).toBe(2);
    expect(next?.metadata.uid, 'uid of the recreated Deployment').not.toBe(uid);
  });

  test('creates another ReplicaSet if another controller took over its own', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2 });
    const { metadata, ...rest } = stage.owned()[0] as ReplicaSet;
    const [owner] = metadata.ownerReferences ?? [];
    const ownerReferences = [{ ...owner, uid: 'another-one' } as OwnerReference];
    await stage.client.update(replicaSets, { ...rest, metadata: { ...metadata, ownerReferences } });
    await stage.pass(5_000);
    expect(
      stage.sizes(),
      'the event of a ReplicaSet that changes its controller must wake the former one, which creates another',
    ).toEqual([2]);
    expect(
      stage.replicaSet(metadata.name)?.metadata.ownerReferences,
      'owners of the ReplicaSet: the Deployment with that uid is gone, so do not adopt for another one',
    ).toEqual(ownerReferences);
  });

  test('adopts no ReplicaSet that is being deleted', async () => {
    await using stage = await begin();
    await stage.addReplicaSet('dying');
    const dying = { namespace: 'default', name: 'dying' };
    await stage.client.delete(replicaSets, dying, { propagationPolicy: 'Foreground' });
    await stage.pass();
    await stage.create({ replicas: 1 });
    await stage.pass(5_000);
    expect(stage.sizes(), 'spec.replicas of the own ReplicaSets').toEqual([1]);
    expect(
      stage.replicaSet('dying')?.metadata.ownerReferences ?? [],
      'dying has a deletionTimestamp: do not adopt it',
    ).toEqual([]);
  });

  test('adopts nothing for a Deployment that was recreated under its name', async () => {
    await using stage = await begin();
    const first = await stage.create({ replicas: 1 });
    expect(stage.sizes(), 'spec.replicas of the own ReplicaSets').toEqual([1]);
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
    expect(
      owners.map(({ uid }) => uid),
      `the orphan's owner must not be ${first.metadata.uid}: that Deployment is deleted, and web on the server has another uid; read the Deployment before you adopt, and compare the uid`,
    ).not.toContain(first.metadata.uid);
  });

  test('reports a rejected create of the ReplicaSet', async () => {
    await using stage = await begin();
    const { metadata, spec } = aDeployment({ maxSurge: 1 });
    // The template of the Deployment has no hash yet; that of its ReplicaSet will have one.
    const matchExpressions = [{ key: POD_TEMPLATE_HASH, operator: 'DoesNotExist' }];
    const selector = { ...spec.selector, matchExpressions };
    await stage.client.create(deployments, {
      metadata: { namespace: metadata.namespace ?? '', name: 'web' },
      spec: { ...spec, selector },
    });
    await stage.pass();
    expect(stage.emitted()[0], 'the first Event: the create was rejected').toMatch(
      /^Warning ReplicaSetCreateError: /,
    );
    expect(
      stage.condition('Progressing'),
      'type, status and reason of the condition Progressing: the create was rejected',
    ).toBe('Progressing False ReplicaSetCreateError');
  });

  test('retries a rejected status write without an event', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2 });
    stage.strike({ fault: 'refuse', reason: 'InternalError', requests: 1 });
    await stage.report();
    await stage.pass(30_000);
    const rule = 'the first updateStatus was refused: the sync must fail, so that its key is retried';
    expect(stage.condition('Progressing'), rule).toBe('Progressing True NewReplicaSetAvailable');
    expect(stage.deployment().status.availableReplicas, rule).toBe(2);
  });

  test('adopts no new ReplicaSet with the name of a deleted orphan', async () => {
    await using stage = await begin();
    await stage.addReplicaSet('orphan');
    stage.strike({ fault: 'delay-watches', forMs: 20_000, resource: 'replicasets' });
    const orphan = { namespace: 'default', name: 'orphan' };
    await stage.client.delete(replicaSets, orphan, { propagationPolicy: 'Background' });
    await stage.addReplicaSet('orphan', { of: 'other' });
    await stage.create({ replicas: 1 });
    await stage.pass(5_000);
    expect(
      stage.replicaSet('orphan')?.metadata.ownerReferences ?? [],
      'the stored orphan has another uid than the cached one: patch with the uid',
    ).toEqual([]);
    await stage.pass(60_000);
    expect(stage.deployment().metadata.annotations?.[REVISION], 'when its watches are back').toBeDefined();
  });

  test('retries a failed request without an event', async () => {
    await using stage = await begin();
    stage.strike({ fault: 'refuse', reason: 'InternalError', requests: 3 });
    await stage.create({ replicas: 2 });
    await stage.pass(30_000);
    expect(stage.sizes(), 'three requests failed: retry the key with back-off').toEqual([2]);
  });

  test('detects a stuck roll-out after a crash before its first status (k#106697)', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2, progressDeadlineSeconds: 60 });
    await stage.reportUntilDone();
    stage.strike({ fault: 'crash', skip: 0, performed: true, restartAfterMs: 10_000 });
    await stage.setImage('nginx:broken');
    await stage.report(undefined, 0);
    await stage.pass(200_000);
    expect(
      stage.condition('Progressing'),
      'the deadline of 60 s passed, and no event comes: sync the key again when it is due',
    ).toBe('Progressing False ProgressDeadlineExceeded');
  });

  test('skips a Deployment with an empty selector, and emits a warning', async () => {
    await using stage = await begin();
    const { metadata, spec } = aDeployment({ replicas: 2 });
    // Every server rejects this object today, but an object from before that validation may still be stored.
    stage.cluster.storage.create(deployments, {
      ...aDeployment(),
      metadata: { ...metadata },
      spec: { ...spec, selector: {} },
    });
    await stage.pass();
    expect(stage.owned(), 'own ReplicaSets: a Deployment with an empty selector creates none').toEqual([]);
    expect(stage.emitted(), 'the Events: one Warning').toEqual([
      'Warning SelectingAll: This deployment is selecting all pods. A non-empty selector is required.',
    ]);
    const other = { namespace: 'default', name: metadata.name };
    await stage.client.delete(deployments, other);
    await stage.create({ replicas: 2 });
    expect(stage.owned(), 'of one that selects its own').toHaveLength(1);
  });
});
