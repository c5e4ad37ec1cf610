import { describe, expect, test } from 'vitest';
import { oldPodsRunning, scaleDownOldReplicaSetsForRecreate } from '#kata/24-deployment/deployment';
import { aPod, aReplicaSet } from '#laws/24-deployment';
import { sizesAfter } from './sizes.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 6 · Recreate', () => {
  interface Down {
    readonly oldReplicaSizes: readonly number[];
  }
  test.each(table<Down, Down>('recreateScaleDown', 1))(
    'empties the old as Kubernetes does: %s',
    (_, { input, expect: wanted }) => {
      const old = input.oldReplicaSizes.map((replicas, i) => aReplicaSet(`old-${i}`, { replicas }));
      const orders = scaleDownOldReplicaSetsForRecreate(old);
      expect(Object.values(sizesAfter(old, orders))).toEqual(wanted.oldReplicaSizes);
    },
  );

  test('empties all of them at once, however many are available, and asks nothing of those that are empty', () => {
    const old = [
      aReplicaSet('a', { replicas: 3 }),
      aReplicaSet('b', { replicas: 2, available: 0 }),
      aReplicaSet('c'),
    ];
    const orders = scaleDownOldReplicaSetsForRecreate(old);
    expect(orders.map(({ replicaSet }) => replicaSet.metadata.name).sort()).toEqual(['a', 'b']);
    expect(sizesAfter(old, orders)).toEqual({ a: 0, b: 0, c: 0 });
  });

  interface OldPods {
    readonly oldReplicaSets: readonly { readonly name: string; readonly statusReplicas: number }[];
    readonly podsByOwnerUID: Readonly<Record<string, readonly { readonly phase: string }[]>>;
  }
  test.each(table<OldPods, { running: boolean }>('oldPodsRunning', 6))(
    'sees whether old pods run as Kubernetes does: %s',
    (_, { input, expect: { running } }) => {
      const old = input.oldReplicaSets.map(({ name, statusReplicas: reported }) =>
        aReplicaSet(name, { reported }),
      );
      const oldPods = Object.values(input.podsByOwnerUID)
        .flat()
        .map(({ phase }, i) => aPod(`pod-${i}`, phase));
      expect(oldPodsRunning(old, oldPods)).toBe(running);
    },
  );

  test('waits for a pod that is being deleted: it runs until it is gone', () => {
    const old = [aReplicaSet('old')];
    expect(oldPodsRunning(old, [aPod('going', 'Running', { deleted: true })])).toBe(true);
    expect(oldPodsRunning(old, [aPod('done', 'Succeeded', { deleted: true })])).toBe(false);
    expect(oldPodsRunning(old, [])).toBe(false);
  });

  test('believes a ReplicaSet that says it has pods, even where none is seen', () => {
    expect(oldPodsRunning([aReplicaSet('empty'), aReplicaSet('late', { reported: 1 })], [])).toBe(true);
  });
});
