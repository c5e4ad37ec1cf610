import { describe, expect, test } from 'vitest';
import { controllerOf, keyOf, namespaces, type Pod, pods, replicaSets } from '#harness';
import { aReplicaSet, owner } from './objects.fixture.ts';
import { KEY, NAMESPACE, PROCESS, Stage, VERSIONLESS } from './stage.fixture.ts';
import { syncRow } from './sync-rows.fixture.ts';

describe('Level 9 · The sync', () => {
  test('agrees with Kubernetes: 100 wanted, API refuses after 10: stops early', async () => {
    const { input, expect: wanted } = syncRow('sync-02');
    let left = input.createSucceedsUntil as number;
    await using stage = await Stage.empty();
    await stage.start(() => {
      if (left-- <= 0) stage.refuse('Forbidden', 1);
    });
    const { name, namespace } = aReplicaSet().metadata;
    await stage.admin.create(replicaSets, {
      metadata: { name, namespace: namespace as string },
      spec: aReplicaSet(input.spec).spec,
    });
    // The first status with a failure ends the first sync.
    await stage.cluster.runUntil(() => stage.reportedFailures().length > 0, 5_000);
    stage.mustRun();
    expect(stage.count('create'), 'creates that succeeded').toBe(wanted.successfulCreates);
    expect(
      stage.asked().length,
      'creates in all: slow start must stop after the batch that fails',
    ).toBeLessThanOrEqual(wanted.maxCreateCalls as number);
    expect(stage.count('delete'), 'deletes of pods that the controller sent').toBe(wanted.deletes);
  });

  test('reports a failed create, retries it, and removes ReplicaFailure after success', async () => {
    await using stage = await Stage.begin();
    stage.refuse('Forbidden', 2);
    await stage.addSet({ replicas: 2 });
    await stage.pass(60_000);
    expect(stage.reportedFailures(), 'the conditions of all statuses, while creates were refused').toContain(
      'ReplicaFailure True FailedCreate',
    );
    expect(
      stage.emitted().filter((line) => /^Warning FailedCreate: Error creating: .*quota/.test(line)),
      'a Warning event for the create that was refused',
    ).not.toEqual([]);
    expect(stage.active(), 'a create that was refused must be retried').toHaveLength(2);
    expect(stage.set().status, 'the status after the retry succeeded').toMatchObject({
      replicas: 2,
      observedGeneration: 1,
    });
    expect(
      stage.set().status.conditions ?? [],
      'the creates succeeded at last: remove ReplicaFailure',
    ).toEqual([]);
  });

  test('reports no failure in a terminating namespace', async () => {
    await using stage = await Stage.begin();
    await stage.admin.create(namespaces, { metadata: { name: 'shop' }, spec: {} });
    await stage.addSet({ namespace: 'shop' });
    const [pod] = stage.pods() as [Pod];
    await stage.admin.delete(namespaces, { name: 'shop' });
    await stage.admin.delete(pods, keyOf(pod), { gracePeriodSeconds: 0 });
    await stage.pass(5_000);
    expect(
      stage.asked().filter((outcome) => outcome !== 'ok'),
      'outcomes of creates in a terminating namespace: the server rejects them',
    ).not.toEqual([]);
    expect(stage.set('web', 'shop').status.replicas, 'status.replicas in the terminating namespace').toBe(0);
    expect(
      stage.reportedFailures(),
      'creates in a terminating namespace fail for good: report no ReplicaFailure',
    ).toEqual([]);
  });

  test('retries rejected requests until the number of pods is exact', async () => {
    await using stage = await Stage.begin();
    stage.refuse('InternalError', 4);
    const { metadata } = await stage.addSet({ replicas: 3 });
    await stage.pass(400_000);
    expect(stage.active(), 'four requests failed: retry until all three pods exist').toHaveLength(3);
    stage.refuse('InternalError', 4);
    await stage.scale(1);
    await stage.pass(400_000);
    expect(stage.active(), 'four requests failed: retry until one pod is left').toHaveLength(1);
    expect(stage.mostActive(metadata.uid), 'the most pods that were active at once').toBe(3);
    expect(stage.set().status, 'the status after the conflict').toMatchObject({
      replicas: 1,
      observedGeneration: 2,
    });
  });

  test('retries a rejected delete soon', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 3 });
    await stage.pass();
    stage.refuse('TooManyRequests', 1);
    await stage.scale(1);
    await stage.pass(60_000);
    expect(
      stage.active(),
      'one delete was refused: do not expect its event, and retry with back-off',
    ).toHaveLength(1);
  });

  test('creates no second pod after a lost response', async () => {
    await using stage = await Stage.begin();
    const { metadata } = await stage.addSet({ replicas: 2 });
    const [pod] = stage.active() as [Pod];
    stage.cluster.nemesis.strike({ fault: 'time-out', process: PROCESS, performed: true });
    await stage.admin.delete(pods, keyOf(pod));
    // The create is performed at once, without a response; the watch is delayed before it shows the new pod.
    await stage.cluster.runUntil(() => stage.active().length === 2, 70_000);
    stage.blind('pods', 200_000);
    await stage.pass(500_000);
    const rule = 'a create without an answer may have happened: ask the server before you create again';
    expect(stage.active(), rule).toHaveLength(2);
    expect(stage.mostActive(metadata.uid), `${rule}; the most pods that were active at once`).toBe(2);
  });

  test('agrees with Kubernetes: expectations block a second create until observed', async () => {
    const { expect: wanted } = syncRow('sync-03');
    await using stage = await Stage.empty();
    const { metadata } = await stage.addSet({ replicas: 2 });
    await stage.addPod('pod0', { ownerReferences: [owner(metadata.uid)] });
    const calls: number[] = [];
    const count = (): void => {
      calls.push(stage.asked().length - calls.reduce((sum, each) => sum + each, 0));
    };
    await stage.start(() => {});
    count();
    // Another pod is missing. Events of the ReplicaSet must not replace the missing events of its pods.
    stage.blind('pods', 10_000);
    await stage.scale(3);
    const once = stage.asked().length;
    for (const note of ['a', 'b', 'c']) await stage.poke(note);
    calls.push(stage.asked().length - once);
    await stage.pass(10_000);
    const before = stage.asked().length;
    stage.refuse('Forbidden', 1);
    await stage.admin.delete(pods, keyOf(stage.active()[0] as Pod));
    await stage.pass(60_000);
    const outcomes = stage.asked().slice(before);
    calls.push(...outcomes.map(() => 1));
    expect(calls, 'creates in each sync: none while an expectation is not fulfilled').toEqual(
      wanted.createCallsPerSync,
    );
    expect(
      outcomes.map((outcome) => outcome === 'ok'),
      'outcomes of the creates for the missing pod: the first is rejected, the retry succeeds',
    ).toEqual([false, true]);
    expect(stage.count('delete'), 'deletes of pods that the controller sent').toBe(wanted.deletes);
  });

  test('deletes nothing more until its cache shows the deletions', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 4 });
    for (const pod of stage.active()) await stage.startPod(pod);
    await stage.pass();
    stage.blind('pods', 60_000);
    await stage.scale(2);
    for (const note of ['a', 'b']) await stage.poke(note);
    await stage.pass(120_000);
    const rule = 'the cache does not show the two deletions for 60 s: delete nothing more until it does';
    expect(stage.active(), rule).toHaveLength(2);
    expect(stage.asked('delete'), rule).toEqual(['ok', 'ok']);
  });

  test('lists pods from the server before it acts on expired expectations', async () => {
    await using stage = await Stage.begin(VERSIONLESS);
    stage.blind('pods', 700_000);
    const { metadata } = await stage.addSet({ replicas: 2 });
    expect(stage.active(), 'active pods after the first sync').toHaveLength(2);
    await stage.pass(310_000);
    await stage.poke('look again');
    await stage.pass(100_000);
    const rule =
      'the expectation has expired, but the cache still shows no pod: list from the server, which has both';
    expect(stage.count('create'), rule).toBe(2);
    expect(stage.mostActive(metadata.uid), rule).toBe(2);
  });

  test('syncs again when an expectation expires, and creates the missing pod', async () => {
    await using stage = await Stage.begin(VERSIONLESS);
    stage.blind('pods', 700_000);
    await stage.addSet({ replicas: 2 });
    await stage.admin.delete(pods, keyOf(stage.active()[0] as Pod));
    await stage.pass(360_000);
    expect(
      stage.active(),
      'one pod was deleted, and no event comes: sync the key again when its expectation expires',
    ).toHaveLength(2);
  });

  test('reads from the server after a restart, because the cache can be stale', async () => {
    await using stage = await Stage.empty({ replicas: 2 });
    const { metadata } = await stage.addSet({ replicas: 2 });
    stage.cluster.nemesis.strike({ fault: 'lag', replica: 1, forMs: 30_000 });
    await stage.start(undefined, 1);
    expect(stage.active(), 'active pods before the restart').toHaveLength(2);
    stage.process.crash();
    stage.process.start();
    await stage.pass(60_000);
    const rule =
      'after a restart the first list can be older than the own writes: ask the server before you create';
    expect(stage.active(), rule).toHaveLength(2);
    expect(stage.mostActive(metadata.uid), `${rule}; the most pods that were active at once`).toBe(2);
  });

  test('expects no event for a pod that was deleted before its list', async () => {
    await using stage = await Stage.empty({ latencyMs: 5 });
    const { metadata } = await stage.addSet({ replicas: 4 });
    const ownerReferences = [owner(metadata.uid)];
    const going = await stage.addPod('going', { ownerReferences });
    await stage.addPod('staying', { ownerReferences });
    await stage.addPod('orphan');
    // While it reads the ReplicaSet before the adoption, a pod is deleted, and it observes that before it acts.
    const watch = (): void => {
      const asks = stage.cluster.trace.entries.some(({ actor, verb }) => actor === PROCESS && verb === 'get');
      if (asks) void stage.admin.delete(pods, keyOf(going));
      else stage.cluster.clock.after(1, watch);
    };
    watch();
    await stage.start();
    await stage.pass(60_000);
    const rule = 'the pod `going` went before the list of the server: do not expect an event of it';
    expect(stage.active(), rule).toHaveLength(4);
    await stage.scale(5);
    await stage.pass(60_000);
    expect(stage.active(), rule).toHaveLength(5);
  });

  test('does not delete a newer pod with the same name', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 2 });
    stage.blind('pods', 30_000);
    const names = stage.active().map((pod) => pod.metadata.name);
    for (const name of names) {
      await stage.admin.delete(pods, { namespace: NAMESPACE, name });
      await stage.addPod(name, { ownerReferences: [owner('another controller')] });
    }
    await stage.scale(0);
    await stage.pass(60_000);
    expect(
      stage.pods().map((pod) => pod.metadata.name),
      'another controller owns new pods of the same names: delete with the uid of the pod in the cache',
    ).toEqual(names);
  });

  test('starts with new expectations for a recreated ReplicaSet', async () => {
    await using stage = await Stage.begin();
    stage.blind('pods', 200_000);
    const former = await stage.addSet({ replicas: 2 });
    await stage.admin.delete(replicaSets, KEY);
    const present = await stage.addSet({ replicas: 3 });
    await stage.pass(60_000);
    expect(present.metadata.uid, 'the recreated ReplicaSet has another uid').not.toBe(former.metadata.uid);
    expect(
      stage.active(),
      'expectations belong to a uid: those of the former ReplicaSet must not block this one',
    ).toHaveLength(3);
    const left = stage.pods().filter((pod) => controllerOf(pod)?.uid === former.metadata.uid);
    expect(left, 'pods of the former ReplicaSet: no garbage collector runs, so they stay').toHaveLength(2);
  });

  test('agrees with Kubernetes: RS being deleted: no adoption, no creates', async () => {
    const { input, expect: wanted } = syncRow('sync-06');
    await using stage = await Stage.empty();
    await stage.addSet(input.spec);
    await stage.admin.delete(replicaSets, KEY, { propagationPolicy: 'Orphan' });
    await stage.addPod('pod1');
    await stage.start();
    await stage.pass(5_000);
    expect(stage.set().metadata.deletionTimestamp, 'the ReplicaSet is being deleted').toBeDefined();
    expect(stage.count('create'), 'the ReplicaSet is being deleted: create nothing').toBe(wanted.creates);
    expect(stage.count('delete'), 'deletes of pods that the controller sent').toBe(wanted.deletes);
    expect(stage.count('patch'), 'patches of pods, adoptions included, that the controller sent').toBe(
      wanted.adoptPatches,
    );
  });

  test('updates the status while the ReplicaSet is being deleted', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 3 });
    await stage.admin.delete(replicaSets, KEY, { propagationPolicy: 'Foreground' });
    await stage.pass();
    const before = stage.count('create');
    await stage.admin.delete(pods, keyOf(stage.active()[0] as Pod));
    await stage.pass();
    expect(stage.count('create'), 'the ReplicaSet is being deleted: create nothing').toBe(before);
    expect(stage.count('delete'), 'the ReplicaSet is being deleted: delete nothing').toBe(0);
    expect(stage.set().status.replicas, 'one of three pods was deleted: still write the status').toBe(2);
  });

  test('agrees with Kubernetes: cache says alive but a fresh read says deleting: abort with an error', async () => {
    const { input, expect: wanted } = syncRow('sync-07');
    await using stage = await Stage.begin();
    await stage.addSet(input.spec);
    const before = stage.count('create');
    stage.blind('replicasets', 5_000);
    await stage.admin.delete(replicaSets, KEY, { propagationPolicy: 'Orphan' });
    await stage.addPod('pod1');
    await stage.admin.delete(pods, keyOf(stage.active()[0] as Pod));
    await stage.pass(10_000);
    expect(stage.count('create') - before, 'the server says that the ReplicaSet is being deleted').toBe(
      wanted.creates,
    );
    expect(stage.count('delete'), 'deletes of pods that the controller sent').toBe(wanted.deletes);
    expect(stage.count('patch'), 'patches of pods, adoptions included, that the controller sent').toBe(
      wanted.adoptPatches,
    );
  });

  test('counts a pod as available after minReadySeconds without an event', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 1, minReadySeconds: 10 });
    await stage.startPod(stage.active()[0] as Pod);
    await stage.pass(9_000);
    expect(stage.set().status, 'the status after 9 s: the pod is ready, but not yet available').toMatchObject(
      { readyReplicas: 1 },
    );
    expect(stage.set().status.availableReplicas ?? 0, 'ready for 9 s of 10 s').toBe(0);
    await stage.pass(3_000);
    expect(
      stage.set().status.availableReplicas,
      'ready for 12 s, and minReadySeconds is 10; no event comes then: sync the key again at that time',
    ).toBe(1);
  });

  test('retries a status write after a Conflict', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 1 });
    stage.refuse('Conflict', 2);
    await stage.startPod(stage.active()[0] as Pod);
    await stage.pass(60_000);
    expect(stage.set().status, 'two writes of the status ended in Conflict: retry them').toMatchObject({
      replicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
    });
  });

  test('writes nothing after an irrelevant change', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 2 });
    await stage.pass(5_000);
    const before = stage.writes().length;
    await stage.poke('of no consequence');
    const body = { metadata: { annotations: { note: 'of no consequence' } } };
    await stage.admin.patch(pods, keyOf(stage.active()[0] as Pod), { type: 'merge', body });
    await stage.pass(600_000);
    expect(
      stage.writes(),
      'only annotations of the ReplicaSet and of a pod changed: write nothing',
    ).toHaveLength(before);
  });
});
