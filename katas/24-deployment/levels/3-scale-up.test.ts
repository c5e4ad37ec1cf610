import { describe, expect, test } from 'vitest';
import { ruleFor } from '#harness/testing';
import { newRSNewReplicas, reconcileNewReplicaSet } from '#kata/24-deployment/deployment';
import { aDeployment, aReplicaSet, type DeploymentParts } from '#laws/24-deployment';
import { table } from './tables.fixture.ts';

describe('Level 3 · Scale up the new', () => {
  interface Growth extends Required<Pick<DeploymentParts, 'strategy' | 'replicas'>> {
    readonly maxSurge: number | string;
    readonly maxUnavailable: number | string;
    readonly newRSReplicas: number;
    /** Those of the others, and the new one's if it is among them. */
    readonly allRSReplicas: readonly number[];
  }
  test.each(table<Growth, { replicas: number }>('newRSNewReplicas', 5))(
    'sizes the new ReplicaSet as Kubernetes does: %s',
    (_, { input, expect: { replicas } }) => {
      const { newRSReplicas, allRSReplicas, ...parts } = input;
      const all = allRSReplicas.map((size, i) => aReplicaSet(`rs-${i}`, { replicas: size }));
      expect(
        newRSNewReplicas(aDeployment(parts), all, newRSReplicas),
        ruleFor(
          'the new size: as much as replicas + maxSurge leaves beside spec.replicas of all ReplicaSets, and never more than replicas; under Recreate always replicas',
          input,
        ),
      ).toBe(replicas);
    },
  );

  interface Renewal {
    readonly replicas: number;
    readonly maxSurge: number;
    readonly maxUnavailable: number;
    readonly oldReplicas: number;
    readonly newReplicas: number;
  }
  test.each(table<Renewal, { scaled: boolean; newReplicas?: number }>('reconcileNewReplicaSet', 4))(
    'decides on the new ReplicaSet as Kubernetes does: %s',
    (_, { input, expect: { scaled, newReplicas } }) => {
      const { oldReplicas, newReplicas: size, ...parts } = input;
      const current = aReplicaSet('new', { replicas: size });
      const all = [aReplicaSet('old', { replicas: oldReplicas }), current];
      const orders = reconcileNewReplicaSet(aDeployment(parts), all, current);
      expect(
        orders.map(({ replicas }) => replicas),
        ruleFor(
          'the orders for the new ReplicaSet: none if its size is right, down if it has more than replicas, else newRSNewReplicas',
          input,
        ),
      ).toEqual(scaled ? [newReplicas] : []);
    },
  );

  test('counts spec.replicas, not status.replicas: missing pods may still be created', () => {
    const deployment = aDeployment({ replicas: 10, maxSurge: 3 });
    const current = aReplicaSet('new', { replicas: 1 });
    const slow = aReplicaSet('old', { replicas: 10, reported: 4 });
    expect(
      newRSNewReplicas(deployment, [slow, current], 1),
      '13 allowed, 10 + 1 in spec.replicas: 2 more for the new one, which has 1. What they report does not count',
    ).toBe(3);
  });

  test('counts every old ReplicaSet', () => {
    const deployment = aDeployment({ replicas: 10, maxSurge: 2 });
    const current = aReplicaSet('new');
    const all = [aReplicaSet('a', { replicas: 4 }), aReplicaSet('b', { replicas: 5 }), current];
    expect(newRSNewReplicas(deployment, all, 0), '12 allowed, 4 + 5 in old ReplicaSets').toBe(3);
  });

  test('scales the new ReplicaSet down to spec.replicas', () => {
    const deployment = aDeployment({ replicas: 3, maxSurge: 2 });
    const current = aReplicaSet('new', { replicas: 5 });
    expect(
      reconcileNewReplicaSet(deployment, [current], current),
      'the new ReplicaSet has 5 of 3 replicas and must shrink',
    ).toEqual([{ replicaSet: current, replicas: 3 }]);
    expect(
      reconcileNewReplicaSet(aDeployment({ replicas: 0, maxSurge: 2 }), [current], current),
      'the new ReplicaSet has 5 of 0 replicas and must shrink',
    ).toEqual([{ replicaSet: current, replicas: 0 }]);
  });

  test('never exceeds spec.replicas, whatever the surge', () => {
    const deployment = aDeployment({ replicas: 3, maxSurge: '100%' });
    const current = aReplicaSet('new', { replicas: 1 });
    expect(newRSNewReplicas(deployment, [current], 1), '6 are allowed, but replicas is 3').toBe(3);
  });

  test('does not change the new ReplicaSet if the total exceeds the limit', () => {
    const deployment = aDeployment({ replicas: 4, maxSurge: 1 });
    const current = aReplicaSet('new', { replicas: 2 });
    const all = [aReplicaSet('old', { replicas: 9 }), current];
    const rule = '5 are allowed, and 9 + 2 are wanted: the new ReplicaSet neither grows nor shrinks';
    expect(newRSNewReplicas(deployment, all, 2), rule).toBe(2);
    expect(reconcileNewReplicaSet(deployment, all, current), rule).toEqual([]);
  });
});
