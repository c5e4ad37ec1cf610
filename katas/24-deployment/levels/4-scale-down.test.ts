import { describe, expect, test } from 'vitest';
import type { ReplicaSet, ScaleOrder } from '#harness';
import {
  cleanupUnhealthyReplicas,
  reconcileOldReplicaSets,
  scaleDownOldReplicaSetsForRollingUpdate,
} from '#kata/24-deployment/deployment';
import { aDeployment, aReplicaSet } from '#laws/24-deployment';
import { sizesAfter } from './sizes.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 4 · Scale down the old', () => {
  /** `old` is told in order of age. */
  interface Counts {
    readonly replicas: number;
    readonly available: number;
  }
  const aged = (counts: readonly Counts[]): ReplicaSet[] =>
    counts.map(({ replicas, available }, i) =>
      aReplicaSet(`old-${i}`, { replicas, reported: replicas, available, created: i }),
    );
  const sizes = (old: readonly ReplicaSet[], orders: readonly ScaleOrder[]): number[] =>
    Object.values(sizesAfter(old, orders));

  test('counts as available no more than a ReplicaSet is to keep: the rest counts as gone', () => {
    const deployment = aDeployment({ replicas: 4, maxUnavailable: 1 });
    const settled = aReplicaSet('settled', { replicas: 3, created: 1 });
    const shrinking = aReplicaSet('shrinking', { replicas: 1, reported: 5, available: 5, created: 2 });
    // Four are available and will stay, and three must be.
    const old = [settled, shrinking];
    expect(sizes(old, scaleDownOldReplicaSetsForRollingUpdate(deployment, old, old))).toEqual([2, 1]);
  });

  interface Cleanup {
    readonly oldRS: readonly Counts[];
    readonly maxCleanupCount: number;
  }
  test.each(table<Cleanup, { cleaned: number; oldReplicas?: number[] }>('cleanupUnhealthyReplicas', 3))(
    'takes the unhealthy as Kubernetes does: %s',
    (_, { input, expect: { cleaned, oldReplicas } }) => {
      const old = aged(input.oldRS);
      const after = sizes(old, cleanupUnhealthyReplicas(old, input.maxCleanupCount));
      const before = sizes(old, []);
      expect(before.reduce((total, size, i) => total + size - (after[i] ?? 0), 0)).toBe(cleaned);
      if (oldReplicas) expect(after).toEqual(oldReplicas);
    },
  );

  test('takes nothing from a ReplicaSet that reports more than it is to have', () => {
    const old = [aReplicaSet('old', { replicas: 3, reported: 5, available: 5 })];
    expect(cleanupUnhealthyReplicas(old, 5)).toEqual([]);
  });

  interface Drain extends Omit<Posts, 'replicas'> {
    readonly replicas: number;
    readonly oldRS: readonly Counts[];
    readonly newRSAvailable?: number;
  }
  interface Posts {
    readonly maxSurge: number;
    readonly maxUnavailable: number;
    readonly replicas: number;
  }
  test.each(table<Drain, { scaledDown: number; oldReplicas?: number[] }>('scaleDownOldForRollingUpdate', 4))(
    'drains the old as Kubernetes does: %s',
    (_, { input, expect: { scaledDown, oldReplicas } }) => {
      const { oldRS, newRSAvailable = 0, ...parts } = input;
      const old = aged(oldRS);
      const all = [...old, aReplicaSet('new', { replicas: newRSAvailable })];
      const orders = scaleDownOldReplicaSetsForRollingUpdate(aDeployment(parts), all, old);
      const removed = orders.map(({ replicaSet, replicas }) => replicaSet.spec.replicas - replicas);
      expect(removed.reduce((total, each) => total + each, 0)).toBe(scaledDown);
      if (oldReplicas) expect(sizes(old, orders)).toEqual(oldReplicas);
    },
  );

  interface Reconcile extends Posts {
    readonly oldRS: readonly Counts[];
    readonly newRS: Counts;
  }
  test.each(table<Reconcile, { scaled: boolean; oldReplicas?: number[] }>('reconcileOldReplicaSets', 6))(
    'decides on the old ReplicaSets as Kubernetes does: %s',
    (_, { input, expect: { scaled, oldReplicas } }) => {
      const { oldRS, newRS, ...parts } = input;
      const old = aged(oldRS);
      const orders = reconcileOldReplicaSets(aDeployment(parts), old, aReplicaSet('new', newRS));
      expect(orders.length > 0).toBe(scaled);
      if (oldReplicas) expect(sizes(old, orders)).toEqual(oldReplicas);
    },
  );

  test('waits for new pods to be available, not just to be there', () => {
    const deployment = aDeployment({ replicas: 10, maxSurge: 3, maxUnavailable: 2 });
    const old = [aReplicaSet('old', { replicas: 8 })];
    const grown = (available: number) => aReplicaSet('new', { replicas: 5, available });
    expect(reconcileOldReplicaSets(deployment, old, grown(0))).toEqual([]);
    expect(sizes(old, reconcileOldReplicaSets(deployment, old, grown(1)))).toEqual([7]);
    expect(sizes(old, reconcileOldReplicaSets(deployment, old, grown(5)))).toEqual([3]);
  });

  test('frees a rollback from pods that will never be ready (k#67250)', () => {
    const deployment = aDeployment({ replicas: 10, maxSurge: 1, maxUnavailable: 0 });
    const broken = aReplicaSet('broken', { replicas: 1, available: 0 });
    const good = aReplicaSet('good', { replicas: 10 });
    expect(sizes([broken], reconcileOldReplicaSets(deployment, [broken], good))).toEqual([0]);
  });

  test('asks once for each ReplicaSet, for the size that it has after both steps', () => {
    const deployment = aDeployment({ replicas: 6, maxUnavailable: 3 });
    const young = aReplicaSet('young', { replicas: 4, available: 3, created: 9 });
    const old = aReplicaSet('old', { replicas: 3, available: 1, created: 2 });
    const orders = reconcileOldReplicaSets(deployment, [young, old], aReplicaSet('new'));
    // Four may go. Three are unhealthy; of the four that are left, one is more than needed.
    const asked = orders.map(({ replicaSet, replicas }) => [replicaSet.metadata.name, replicas]);
    expect(asked.sort()).toEqual([
      ['old', 0],
      ['young', 3],
    ]);
  });

  test('counts no pods as available that a ReplicaSet is to lose already', () => {
    const deployment = aDeployment({ replicas: 7, maxSurge: 1, maxUnavailable: 2 });
    const dying = aReplicaSet('dying', { replicas: 3, available: 0, created: 1 });
    const halved = aReplicaSet('halved', { replicas: 5, reported: 8, available: 8, created: 2 });
    // Five of the eight stay, and five are needed.
    const orders = reconcileOldReplicaSets(deployment, [dying, halved], aReplicaSet('new'));
    expect(sizes([dying, halved], orders)).toEqual([0, 5]);
  });
});
