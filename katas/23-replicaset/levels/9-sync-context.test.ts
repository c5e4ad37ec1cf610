import { describe, expect, test } from 'vitest';
import { ConsistencyError } from '#given/23-replicaset';
import { keyOf, type Pod, pods, replicaSets } from '#harness';
import { manageReplicas, syncReplicaSet } from '#kata/23-replicaset/replicaset';
import { failureOf } from './failure.fixture.ts';
import { owner } from './objects.fixture.ts';
import { KEY, NAMESPACE, PROCESS } from './stage.fixture.ts';
import { SyncContextStage } from './sync-context.fixture.ts';

describe('Level 9 · The sync', () => {
  /** A ReplicaSet with 2 replicas and some pods, and a sync context whose expectations have this state. */
  async function snapshot(running: number, state: 'unknown' | 'fulfilled') {
    const stage = await SyncContextStage.open();
    const { uid } = (await stage.addSet({ replicas: 2 })).metadata;
    for (let i = 0; i < running; i++) {
      await stage.startPod(await stage.addPod(`pod-${i}`, { ownerReferences: [owner(uid)] }));
    }
    await stage.pass();
    const { syncContext } = stage;
    if (state === 'fulfilled') syncContext.expectations.begin(uid);
    const sync = () => stage.settled(syncReplicaSet(syncContext, 'default/web'));
    const asked = (verb: string) =>
      stage.cluster.trace.entries.filter((entry) => entry.actor === PROCESS && entry.verb === verb).length;
    return { stage, syncContext, uid, sync, asked };
  }

  test('creates missing pods, writes the status, and records the returned version', async () => {
    const { stage, syncContext, uid, sync } = await snapshot(0, 'fulfilled');
    await using _ = stage;
    const noted: unknown[] = [];
    syncContext.written.wroteAt = (owner, resource, version) => void noted.push([owner, resource, version]);
    await sync();
    expect(stage.active(), 'two pods are wanted, and none is there').toHaveLength(2);
    expect(stage.set().status, 'the status that the sync wrote').toMatchObject({ observedGeneration: 1 });
    expect(
      noted,
      'call syncContext.written.wroteAt with the resourceVersion that updateStatus answered',
    ).toContainEqual([uid, 'replicasets', stage.set().metadata.resourceVersion]);
  });

  test('does nothing if the cache lacks the ReplicaSet', async () => {
    const { stage, syncContext } = await snapshot(0, 'fulfilled');
    await using _ = stage;
    const requests = stage.cluster.trace.entries.length;
    await stage.settled(syncReplicaSet(syncContext, 'default/other'));
    expect(
      stage.cluster.trace.entries,
      'the cache has no ReplicaSet default/other: send no request',
    ).toHaveLength(requests);
  });

  test('fails without a request while a cache is older than its own writes', async () => {
    const { stage, syncContext, sync } = await snapshot(0, 'fulfilled');
    await using _ = stage;
    syncContext.written.ensureReady = () => {
      throw new ConsistencyError('read version: 1 is not as new as written version: 2');
    };
    expect(
      await failureOf(sync()),
      'the sync must fail with the ConsistencyError of ensureReady, so that its key is retried',
    ).toContain('is not as new as');
    expect(stage.writes(), 'a cache that is too old must lead to no write').toEqual([]);
  });

  test('reads nothing from the server if the number of pods is right', async () => {
    const { stage, sync, asked } = await snapshot(2, 'unknown');
    await using _ = stage;
    const lists = asked('list');
    await sync();
    expect(
      [asked('get'), asked('list')],
      'get and list requests: a sync must read from the cache if its expectations are fulfilled',
    ).toEqual([0, lists]);
    expect(stage.set().status, 'the status of two running pods').toMatchObject({
      replicas: 2,
      readyReplicas: 2,
    });
  });

  test('leaves expectations unknown if the number of pods is right', async () => {
    const { stage, syncContext, uid, sync } = await snapshot(2, 'unknown');
    await using _ = stage;
    await sync();
    expect(
      syncContext.expectations.state(uid),
      'nothing was created or deleted, so expectations must not begin: the cache may still be old',
    ).toBe('unknown');
  });

  test('counts an adopted pod that its cache still shows as an orphan', async () => {
    const { stage, syncContext } = await snapshot(1, 'fulfilled');
    await using _ = stage;
    await stage.startPod(await stage.addPod('orphan', {}));
    await stage.pass();
    stage.blind('pods', 10_000);
    const seen = [...syncContext.caches.ownPods(stage.cached()), ...syncContext.caches.orphans(NAMESPACE)];
    await stage.settled(manageReplicas(syncContext, stage.cached(), seen, 'fulfilled'));
    expect(
      stage.count('create'),
      'creates: spec.replicas is 1, and the orphan that was adopted counts, although the cache does not show its controller yet',
    ).toBe(0);
  });

  test('expects the deletion of a pod that only the server shows', async () => {
    const { stage, syncContext, uid, sync } = await snapshot(0, 'unknown');
    await using _ = stage;
    stage.blind('pods', 10_000);
    const ownerReferences = [owner(uid)];
    const there = await Promise.all(['a', 'b', 'c'].map((name) => stage.addPod(name, { ownerReferences })));
    await sync();
    expect(stage.active(), 'the server has three pods, and two are wanted').toHaveLength(2);
    for (const { metadata } of there) syncContext.expectations.observed(uid, 'creations', metadata.uid);
    expect(
      syncContext.expectations.state(uid),
      'the sync deleted one of three pods: expect its deletion, although the cache never showed the pod',
    ).toBe('pending');
  });

  test('counts the pods on the server if expectations are unknown, and expects their events', async () => {
    const { stage, syncContext, uid, sync } = await snapshot(0, 'unknown');
    await using _ = stage;
    stage.blind('pods', 10_000);
    const ownerReferences = [owner(uid)];
    const there = [
      await stage.addPod('a', { ownerReferences }),
      await stage.addPod('b', { ownerReferences }),
    ];
    await sync();
    expect(stage.count('create'), 'the state is unknown: list from the server, which has both pods').toBe(0);
    expect(syncContext.expectations.state(uid), 'the cache does not show the two pods yet: expect them').toBe(
      'pending',
    );
    for (const { metadata } of there) syncContext.expectations.observed(uid, 'creations', metadata.uid);
    expect(syncContext.expectations.state(uid), 'the cache has shown both pods').toBe('fulfilled');
  });

  test('expects the deletion of a cached pod that the server no longer has', async () => {
    const { stage, syncContext, uid } = await snapshot(3, 'unknown');
    await using _ = stage;
    const seen = syncContext.caches.ownPods(stage.cached());
    stage.blind('pods', 10_000);
    const gone = stage.pod('pod-0') as Pod;
    await stage.admin.delete(pods, keyOf(gone), { gracePeriodSeconds: 0 });
    await stage.settled(manageReplicas(syncContext, stage.cached(), seen, 'unknown'));
    expect(stage.count('delete'), 'the server has two pods, and two are wanted').toBe(0);
    expect(
      syncContext.expectations.state(uid),
      'the cache still shows pod-0, which the server no longer has: expect its deletion',
    ).toBe('pending');
    syncContext.expectations.observed(uid, 'deletions', gone.metadata.uid);
    expect(syncContext.expectations.state(uid), 'the deletion of pod-0 was observed').toBe('fulfilled');
  });

  test('neither deletes nor expects a pod that left the cache during the sync', async () => {
    const { stage, syncContext, uid } = await snapshot(3, 'fulfilled');
    await using _ = stage;
    const seen = syncContext.caches.ownPods(stage.cached());
    await stage.admin.delete(pods, { namespace: NAMESPACE, name: 'pod-0' }, { gracePeriodSeconds: 0 });
    await stage.pass();
    await stage.settled(manageReplicas(syncContext, stage.cached(), seen, 'fulfilled'));
    expect(
      stage.asked('delete'),
      'pod-0 went since the sync looked, so two pods are left, as wanted',
    ).toEqual([]);
    expect(
      syncContext.expectations.state(uid),
      'the cache no longer shows pod-0: do not expect its deletion',
    ).toBe('fulfilled');
  });

  test.each<[change: string, act: (stage: SyncContextStage) => Promise<unknown>]>([
    ['is marked for deletion', ({ admin }) => admin.delete(pods, { namespace: NAMESPACE, name: 'pod-0' })],
    [
      'loses its labels',
      ({ admin }) => {
        const body = { metadata: { labels: { app: 'other' } } };
        return admin.patch(pods, { namespace: NAMESPACE, name: 'pod-0' }, { type: 'merge', body });
      },
    ],
  ])('deletes no other pod if a pod %s during the sync', async (change, act) => {
    const { stage, syncContext } = await snapshot(3, 'fulfilled');
    await using _ = stage;
    const seen = syncContext.caches.ownPods(stage.cached());
    await act(stage);
    await stage.pass();
    await stage.settled(manageReplicas(syncContext, stage.cached(), seen, 'fulfilled'));
    expect(
      stage.asked('delete'),
      `pod-0 ${change} after the sync listed it, so it no longer counts; the other two are wanted`,
    ).toEqual([]);
  });

  test('counts its selected pods as terminating if they are being deleted and have not ended', async () => {
    const { stage, uid, sync } = await snapshot(2, 'fulfilled');
    await using _ = stage;
    const ownerReferences = [owner(uid)];
    for (const name of ['going', 'ended', 'odd']) {
      await stage.startPod(await stage.addPod(name, { ownerReferences }));
      await stage.admin.delete(pods, { namespace: NAMESPACE, name });
    }
    const ended = stage.pod('ended') as Pod;
    await stage.admin.updateStatus(pods, { ...ended, status: { ...ended.status, phase: 'Succeeded' } });
    const body = { metadata: { labels: { app: 'other' } } };
    await stage.admin.patch(pods, { namespace: NAMESPACE, name: 'odd' }, { type: 'merge', body });
    await stage.startPod(await stage.addPod('orphan', {}));
    await stage.admin.delete(pods, { namespace: NAMESPACE, name: 'orphan' });
    await stage.pass();
    await sync();
    expect(
      stage.set().status,
      'only going counts: ended has Succeeded, odd is not selected, orphan has another owner',
    ).toMatchObject({ replicas: 2, terminatingReplicas: 1 });
  });

  test('creates nothing, and leaves expectations in doubt, if the server says that the ReplicaSet is being deleted', async () => {
    const { stage, syncContext, uid, sync } = await snapshot(1, 'unknown');
    await using _ = stage;
    stage.blind('replicasets', 10_000);
    await stage.admin.delete(replicaSets, KEY, { propagationPolicy: 'Foreground' });
    await failureOf(sync());
    expect(
      stage.count('create'),
      'the server says that the ReplicaSet is being deleted: create nothing',
    ).toBe(0);
    expect(
      syncContext.expectations.state(uid),
      'nothing was created or deleted, so expectations must stay in doubt',
    ).toBe('unknown');
  });

  test('creates nothing, reports ReplicaFailure and fails if it cannot read from the server', async () => {
    const { stage, syncContext, uid, sync } = await snapshot(1, 'unknown');
    await using _ = stage;
    stage.refuse('InternalError', 1);
    const failure = await failureOf(sync());
    expect(stage.count('create'), 'the get of the ReplicaSet failed: create nothing').toBe(0);
    expect(
      stage.set().status,
      'the get of the ReplicaSet failed with InternalError: the status must report ReplicaFailure',
    ).toMatchObject({
      replicas: 1,
      readyReplicas: 1,
      observedGeneration: 1,
      conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' }],
    });
    expect(
      failure,
      'syncReplicaSet wrote the failure into the status, but resolved: it must then also throw it, so that the queue retries the key',
    ).not.toBe('it did not fail');
    expect(
      syncContext.expectations.state(uid),
      'nothing was created or deleted, so expectations must stay in doubt',
    ).toBe('unknown');
  });
});
