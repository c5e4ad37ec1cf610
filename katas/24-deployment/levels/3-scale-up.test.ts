import { describe, expect, test } from 'vitest';
import {
  getActualReplicaCountForReplicaSets,
  getReplicaCountForReplicaSets,
  newRSNewReplicas,
  reconcileNewReplicaSet,
} from '#kata/24-deployment/deployment';
import { aDeployment, aReplicaSet, type DeploymentParts } from '#laws/24-deployment';
import { table } from './tables.fixture.ts';

describe('Level 3 · Scale up the new', () => {
  interface Counted {
    readonly replicaSets: readonly {
      readonly name: string;
      readonly specReplicas: number;
      readonly statusReplicas: number;
    }[];
  }
  // How many are terminating, which these rows say besides, no ReplicaSet reports in 1.30.
  test.each(table<Counted, { spec: number; actual: number }>('replicaCounts', 4))(
    'counts what is asked for and what is there: %s',
    (_, { input, expect: wanted }) => {
      const all = input.replicaSets.map(({ name, specReplicas: replicas, statusReplicas: reported }) =>
        aReplicaSet(name, { replicas, reported }),
      );
      expect(getReplicaCountForReplicaSets(all)).toBe(wanted.spec);
      expect(getActualReplicaCountForReplicaSets(all)).toBe(wanted.actual);
    },
  );

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
      expect(newRSNewReplicas(aDeployment(parts), all, aReplicaSet('new', { replicas: newRSReplicas }))).toBe(
        replicas,
      );
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
      expect(orders.map(({ replicas }) => replicas)).toEqual(scaled ? [newReplicas] : []);
    },
  );

  test('counts what ReplicaSets are to have, not what they report: those who were asked for may still come', () => {
    const deployment = aDeployment({ replicas: 10, maxSurge: 3 });
    const current = aReplicaSet('new', { replicas: 1 });
    const slow = aReplicaSet('old', { replicas: 10, reported: 4 });
    expect(newRSNewReplicas(deployment, [slow, current], current)).toBe(3);
  });

  test('counts every old ReplicaSet, not the last one only', () => {
    const deployment = aDeployment({ replicas: 10, maxSurge: 2 });
    const current = aReplicaSet('new');
    const all = [aReplicaSet('a', { replicas: 4 }), aReplicaSet('b', { replicas: 5 }), current];
    expect(newRSNewReplicas(deployment, all, current)).toBe(3);
  });

  test('never asks for more than all, however much room there is', () => {
    const deployment = aDeployment({ replicas: 3, maxSurge: '100%' });
    const current = aReplicaSet('new', { replicas: 1 });
    expect(newRSNewReplicas(deployment, [current], current)).toBe(3);
  });

  test('stays as it is where there are too many already: it is not for the new one to shrink', () => {
    const deployment = aDeployment({ replicas: 4, maxSurge: 1 });
    const current = aReplicaSet('new', { replicas: 2 });
    const all = [aReplicaSet('old', { replicas: 9 }), current];
    expect(newRSNewReplicas(deployment, all, current)).toBe(2);
    expect(reconcileNewReplicaSet(deployment, all, current)).toEqual([]);
  });

  test('does not know what to do under a strategy that there is not', () => {
    const plain = aDeployment();
    const odd = { ...plain, spec: { ...plain.spec, strategy: { type: 'BlueGreen' } } };
    expect(() => newRSNewReplicas(odd, [], aReplicaSet('new'))).toThrow(/BlueGreen/);
  });
});
