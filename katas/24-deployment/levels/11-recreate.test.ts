import { describe, expect, test } from 'vitest';
import { pods, type ReplicaSet } from '#harness';
import { ruleFor } from '#harness/testing';
import { oldPodsRunning } from '#kata/24-deployment/deployment';
import { aPod, aReplicaSet } from '#laws/24-deployment';
import { begin } from './controller.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 11 ★ · Recreate', () => {
  interface OldPods {
    readonly oldReplicaSets: readonly { readonly name: string; readonly statusReplicas: number }[];
    readonly podsByOwnerUID: Readonly<Record<string, readonly { readonly phase: string }[]>>;
  }
  test.each(table<OldPods, { running: boolean }>('oldPodsRunning', 6))(
    'detects running old pods as Kubernetes does: %s',
    (_, { input, expect: { running } }) => {
      const old = input.oldReplicaSets.map(({ name, statusReplicas: reported }) =>
        aReplicaSet(name, { reported }),
      );
      const oldPods = Object.values(input.podsByOwnerUID)
        .flat()
        .map(({ phase }, i) => aPod(`pod-${i}`, phase));
      const rule = 'true if an old ReplicaSet reports pods, or an old pod is neither Succeeded nor Failed';
      expect(oldPodsRunning(old, oldPods), ruleFor(rule, input)).toBe(running);
    },
  );

  test('waits until a pod that is being deleted no longer exists', () => {
    const old = [aReplicaSet('old')];
    expect(
      oldPodsRunning(old, [aPod('going', 'Running', { deleted: true })]),
      'a pod that is being deleted still runs until it is gone',
    ).toBe(true);
    expect(
      oldPodsRunning(old, [aPod('done', 'Succeeded', { deleted: true })]),
      'a pod that has Succeeded no longer runs',
    ).toBe(false);
    expect(oldPodsRunning(old, []), 'no old pod exists').toBe(false);
  });

  test('trusts a ReplicaSet that reports pods, even if the cache shows none', () => {
    expect(
      oldPodsRunning([aReplicaSet('empty'), aReplicaSet('late', { reported: 1 })], []),
      'an old ReplicaSet reports 1 pod in its status, so one can run that the cache does not show',
    ).toBe(true);
  });

  interface Down {
    readonly oldReplicaSizes: readonly number[];
  }
  test.each(table<Down, Down>('recreateScaleDown', 1))(
    'scales down old ReplicaSets as Kubernetes does: %s',
    async (_, { input, expect: wanted }) => {
      await using stage = await begin();
      for (const [i, replicas] of input.oldReplicaSizes.entries())
        await stage.addReplicaSet(`old-${i}`, { replicas });
      await stage.create({ strategy: 'Recreate', replicas: 9 });
      const sizes = input.oldReplicaSizes.map((_size, i) => stage.replicaSet(`old-${i}`)?.spec.replicas);
      expect(sizes, 'spec.replicas of the old ReplicaSets').toEqual(wanted.oldReplicaSizes);
    },
  );

  test('creates the new ReplicaSet under Recreate only when no old pod exists, terminating pods included', async () => {
    await using stage = await begin();
    await stage.create({ strategy: 'Recreate', replicas: 2 });
    const old = stage.owned()[0] as ReplicaSet;
    const pod = await stage.addPod('straggler', old);
    await stage.reportUntilDone();
    await stage.setImage('nginx:2');
    expect(
      stage.sizes(),
      'spec.replicas of the ReplicaSets: an old pod still runs, so the new ReplicaSet must wait',
    ).toEqual([0]);
    await stage.report();
    expect(
      stage.sizes(),
      'spec.replicas of the ReplicaSets: an old pod still runs, so the new ReplicaSet must wait',
    ).toEqual([0]);
    await stage.client.delete(pods, pod, { gracePeriodSeconds: 30 });
    await stage.pass();
    expect(
      stage.sizes(),
      'spec.replicas of the ReplicaSets: an old pod still runs, so the new ReplicaSet must wait',
    ).toEqual([0]);
    await stage.client.delete(pods, pod, { gracePeriodSeconds: 0 });
    await stage.pass();
    expect(
      stage.sizes(),
      'spec.replicas of the ReplicaSets: no old pod runs any more, so the new ReplicaSet starts',
    ).toEqual([0, 2]);
  });

  test('does not wait for failed pods under Recreate (k#128798)', async () => {
    await using stage = await begin();
    await stage.create({ strategy: 'Recreate', replicas: 2 });
    const old = stage.owned()[0] as ReplicaSet;
    await stage.addPod('evicted', old, 'Failed');
    const last = await stage.addPod('last', old);
    await stage.reportUntilDone();
    await stage.setImage('nginx:2');
    await stage.report();
    expect(
      stage.sizes(),
      'spec.replicas of the ReplicaSets: an old pod still runs, so the new ReplicaSet must wait',
    ).toEqual([0]);
    await stage.client.delete(pods, last, { gracePeriodSeconds: 0 });
    await stage.pass();
    expect(
      stage.sizes(),
      'spec.replicas of the ReplicaSets: no old pod runs any more, so the new ReplicaSet starts',
    ).toEqual([0, 2]);
  });
});
