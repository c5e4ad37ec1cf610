import { describe, expect, test } from 'vitest';
import { keyOf, type Pod, pods } from '#harness';
import { createPods, deletePods } from '#kata/23-replicaset/replicaset';
import { namesOf, owner } from './objects.fixture.ts';
import { PROCESS } from './stage.fixture.ts';
import { SyncContextStage } from './sync-context.fixture.ts';

describe('Level 8 · Creating and deleting', () => {
  async function snapshot(running = 0) {
    const stage = await SyncContextStage.open();
    const { metadata } = await stage.addSet({ replicas: 3 });
    const { uid } = metadata;
    for (let i = 0; i < running; i++) {
      await stage.startPod(
        await stage.addPod(`pod-${i}`, { ownerReferences: [owner(uid)] }),
        'node-1',
        i > 0,
      );
    }
    await stage.pass();
    stage.syncContext.expectations.begin(uid);
    const create = (count: number) => stage.settled(createPods(stage.syncContext, stage.cached(), count));
    const remove = (count: number) => {
      const active = stage.syncContext.caches.ownPods(stage.cached());
      return stage.settled(deletePods(stage.syncContext, stage.cached(), active, count));
    };
    const state = () => stage.syncContext.expectations.state(uid);
    return { stage, uid, create, remove, state };
  }

  test('creates the given number of pods, and expects each', async () => {
    const { stage, uid, create, state } = await snapshot();
    await using _ = stage;
    expect(await create(3), 'createPods returns no failure').toBeUndefined();
    expect(stage.active(), 'active pods after createPods with count 3').toHaveLength(3);
    expect(state(), 'all three creations are expected, and none is observed').toBe('pending');
    for (const { metadata } of stage.active())
      stage.syncContext.expectations.observed(uid, 'creations', metadata.uid);
    expect(state(), 'all three pods were observed').toBe('fulfilled');
  });

  test('records the version of each created pod', async () => {
    const { stage, uid, create } = await snapshot();
    await using _ = stage;
    const noted: unknown[] = [];
    stage.syncContext.written.wroteAt = (...args) => void noted.push(args);
    await create(2);
    const versions = stage.active().map(({ metadata }) => [uid, 'pods', metadata.resourceVersion]);
    expect(new Set(noted), 'call syncContext.written.wroteAt for each created pod').toEqual(
      new Set(versions),
    );
  });

  test('starts with one create, stops after a failure, and returns the failure', async () => {
    const { stage, create, state } = await snapshot();
    await using _ = stage;
    stage.refuse('Forbidden', 9);
    expect(String(await create(9)), 'createPods returns the error of the rejected create').toMatch(
      /quota|forbidden/i,
    );
    expect(stage.asked(), 'the first create is refused, so no second one is sent').toHaveLength(1);
    expect(state(), 'a create that was refused must not stay expected').toBe('fulfilled');
  });

  test('puts expectations in doubt if a create gets no response, performed or not', async () => {
    for (const performed of [true, false]) {
      const { stage, create, state } = await snapshot();
      await using _ = stage;
      stage.cluster.nemesis.strike({ fault: 'time-out', process: PROCESS, performed });
      expect(await create(1), 'createPods returns the error').toBeInstanceOf(Error);
      const rule =
        'no answer came, so the pod may exist: forget the expectations, and the next sync asks the server';
      expect(state(), rule).toBe('unknown');
    }
  });

  test('deletes the first pods in order, and expects their deletions', async () => {
    const { stage, uid, remove, state } = await snapshot(3);
    await using _ = stage;
    stage.blind('pods', 5_000);
    expect(await remove(1), 'deletePods returns no failure').toBeUndefined();
    expect(namesOf(stage.active()), 'pod-0 is not ready, so it goes first').toEqual(['pod-1', 'pod-2']);
    expect(state(), 'the deletion is expected, and not observed yet').toBe('pending');
    stage.syncContext.expectations.observed(uid, 'deletions', (stage.pod('pod-0') as Pod).metadata.uid);
    expect(state(), 'the deletion of pod-0 was observed').toBe('fulfilled');
  });

  test('does not expect a rejected delete', async () => {
    const { stage, remove, state } = await snapshot(3);
    await using _ = stage;
    stage.blind('pods', 5_000);
    stage.refuse('TooManyRequests', 1);
    expect(await remove(1), 'deletePods returns the error of the rejected delete').toBeInstanceOf(Error);
    expect(stage.active(), 'the one delete was rejected').toHaveLength(3);
    expect(state(), 'a delete that was refused must not stay expected').toBe('fulfilled');
  });

  test('deletes the other pods if one delete is rejected', async () => {
    const { stage, remove } = await snapshot(3);
    await using _ = stage;
    stage.refuse('TooManyRequests', 1);
    expect(await remove(2), 'deletePods returns the error of the delete that was rejected').toBeInstanceOf(
      Error,
    );
    expect(stage.active(), 'one of two deletes is refused, and the other must still be sent').toHaveLength(2);
  });

  test('puts expectations in doubt if a delete gets no response, performed or not', async () => {
    for (const performed of [true, false]) {
      const { stage, uid, remove, state } = await snapshot(2);
      await using _ = stage;
      stage.cluster.nemesis.strike({ fault: 'time-out', process: PROCESS, performed });
      expect(await remove(1), 'deletePods returns the error').toBeInstanceOf(Error);
      const rule =
        'no answer came, so the pod may be gone or not: forget the expectations, and the next sync asks the server';
      expect(state(), rule).toBe('unknown');
      stage.syncContext.expectations.begin(uid);
      expect(state(), 'after the next begin the unanswered delete must not be expected any more').toBe(
        'fulfilled',
      );
    }
  });

  test('succeeds if a pod is already deleted', async () => {
    const { stage, remove } = await snapshot(1);
    await using _ = stage;
    stage.blind('pods', 5_000);
    await stage.admin.delete(pods, keyOf(stage.pod('pod-0') as Pod), { gracePeriodSeconds: 0 });
    expect(
      await remove(1),
      'pod-0 is already deleted, and its delete ends in NotFound: do not return a failure',
    ).toBeUndefined();
  });
});
