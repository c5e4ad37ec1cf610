import { describe, expect, test } from 'vitest';
import type { ScaleOrder } from '#given/24-deployment';
import type { ReplicaSet } from '#harness';
import { ruleFor } from '#harness/testing';
import {
  cleanupUnhealthyReplicas,
  reconcileOldReplicaSets,
  scaleDownOldReplicaSetsForRollingUpdate,
} from '#kata/24-deployment/deployment';
import { aDeployment, aReplicaSet } from '#laws/24-deployment';
import { sizesAfter } from './sizes.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 4 · Scale down the old', () => {
  /** One entry of `old`, which lists ReplicaSets from the oldest to the youngest. */
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

  test('counts at most spec.replicas pods of a ReplicaSet as available', () => {
    const deployment = aDeployment({ replicas: 4, maxUnavailable: 1 });
    const settled = aReplicaSet('settled', { replicas: 3, created: 1 });
    const shrinking = aReplicaSet('shrinking', { replicas: 1, reported: 5, available: 5, created: 2 });
    // Four are available and will stay, and three must be.
    const old = [settled, shrinking];
    expect(
      sizes(old, scaleDownOldReplicaSetsForRollingUpdate(deployment, old, old)),
      'of the 5 available pods of shrinking only 1 stays, so 4 are available, 3 must be, and 1 may go',
    ).toEqual([2, 1]);
  });

  interface Cleanup {
    readonly oldRS: readonly Counts[];
    readonly maxCleanupCount: number;
  }
  test.each(table<Cleanup, { cleaned: number; oldReplicas?: number[] }>('cleanupUnhealthyReplicas', 3))(
    'cleans up unhealthy pods as Kubernetes does: %s',
    (_, { input, expect: { cleaned, oldReplicas } }) => {
      const old = aged(input.oldRS);
      const after = sizes(old, cleanupUnhealthyReplicas(old, input.maxCleanupCount));
      const before = sizes(old, []);
      const rule = ruleFor(
        'pods that are not available go first, oldest ReplicaSet first, at most maxCleanupCount',
        input,
      );
      expect(
        before.reduce((total, size, i) => total + size - (after[i] ?? 0), 0),
        rule,
      ).toBe(cleaned);
      if (oldReplicas) expect(after, rule).toEqual(oldReplicas);
    },
  );

  test('cleans up nothing in a ReplicaSet that reports more than spec.replicas', () => {
    const old = [aReplicaSet('old', { replicas: 3, reported: 5, available: 5 })];
    expect(
      cleanupUnhealthyReplicas(old, 5),
      '5 pods are available and 3 are wanted: none is unhealthy',
    ).toEqual([]);
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
    'scales down old ReplicaSets for a rolling update as Kubernetes does: %s',
    (_, { input, expect: { scaledDown, oldReplicas } }) => {
      const { oldRS, newRSAvailable = 0, ...parts } = input;
      const old = aged(oldRS);
      const all = [...old, aReplicaSet('new', { replicas: newRSAvailable })];
      const orders = scaleDownOldReplicaSetsForRollingUpdate(aDeployment(parts), all, old);
      const available = oldRS.reduce((sum, each) => sum + each.available, newRSAvailable);
      const removed = orders.map(({ replicaSet, replicas }) => replicaSet.spec.replicas - replicas);
      const rule = ruleFor(
        `${available} pods are available, and ${parts.replicas - parts.maxUnavailable} must be: the rest may go, oldest ReplicaSet first`,
        input,
      );
      expect(
        removed.reduce((total, each) => total + each, 0),
        rule,
      ).toBe(scaledDown);
      if (oldReplicas) expect(sizes(old, orders), rule).toEqual(oldReplicas);
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
      const total = oldRS.reduce((sum, { replicas }) => sum + replicas, newRS.replicas);
      const needed = parts.replicas - parts.maxUnavailable;
      const missing = newRS.replicas - newRS.available;
      const rule = ruleFor(
        `${total} in spec.replicas of all, less ${needed} that must be available, less ${missing} new pods that are not available: at most ${Math.max(0, total - needed - missing)} old pods may go, and no more available ones than are beyond ${needed}`,
        input,
      );
      const after = sizes(old, orders);
      if (oldReplicas) expect(after, `spec.replicas of the old ReplicaSets; ${rule}`).toEqual(oldReplicas);
      else if (scaled) expect(after, `some old ReplicaSet must shrink; ${rule}`).not.toEqual(sizes(old, []));
      else expect(after, `no old ReplicaSet may shrink; ${rule}`).toEqual(sizes(old, []));
    },
  );

  test('waits until new pods are available', () => {
    const deployment = aDeployment({ replicas: 10, maxSurge: 3, maxUnavailable: 2 });
    const old = [aReplicaSet('old', { replicas: 8 })];
    const grown = (available: number) => aReplicaSet('new', { replicas: 5, available });
    const rule = '8 must be available, and 13 are allowed; of the 5 new pods so many are available:';
    expect(reconcileOldReplicaSets(deployment, old, grown(0)), `${rule} 0`).toEqual([]);
    expect(sizes(old, reconcileOldReplicaSets(deployment, old, grown(1))), `${rule} 1`).toEqual([7]);
    expect(sizes(old, reconcileOldReplicaSets(deployment, old, grown(5))), `${rule} 5`).toEqual([3]);
  });

  test('deletes pods that never become ready, so that a rollback can proceed (k#67250)', () => {
    const deployment = aDeployment({ replicas: 10, maxSurge: 1, maxUnavailable: 0 });
    const broken = aReplicaSet('broken', { replicas: 1, available: 0 });
    const good = aReplicaSet('good', { replicas: 10 });
    expect(
      sizes([broken], reconcileOldReplicaSets(deployment, [broken], good)),
      'a pod that is not available can go at once, although maxUnavailable is 0',
    ).toEqual([0]);
  });

  test('returns one write per ReplicaSet, with its size after both steps', () => {
    const deployment = aDeployment({ replicas: 6, maxUnavailable: 3 });
    const young = aReplicaSet('young', { replicas: 4, available: 3, created: 9 });
    const old = aReplicaSet('old', { replicas: 3, available: 1, created: 2 });
    const orders = reconcileOldReplicaSets(deployment, [young, old], aReplicaSet('new'));
    const asked = orders.map(({ replicaSet, replicas }) => [replicaSet.metadata.name, replicas]);
    expect(
      asked.sort(),
      'four pods may go: first the three that are not available, then one of the available ones',
    ).toEqual([
      ['old', 0],
      ['young', 3],
    ]);
  });

  test('does not count pods as available that a ReplicaSet is about to delete', () => {
    const deployment = aDeployment({ replicas: 7, maxSurge: 1, maxUnavailable: 2 });
    const dying = aReplicaSet('dying', { replicas: 3, available: 0, created: 1 });
    const halved = aReplicaSet('halved', { replicas: 5, reported: 8, available: 8, created: 2 });
    const orders = reconcileOldReplicaSets(deployment, [dying, halved], aReplicaSet('new'));
    expect(
      sizes([dying, halved], orders),
      'of the eight available pods of halved five stay, and five are needed',
    ).toEqual([0, 5]);
  });
});
