import { describe, expect, test } from 'vitest';
import type { ReplicaSet } from '../../api/objects.ts';
import { aDeployment, aReplicaSet } from '../../laws/24-deployment/index.ts';
import { type VectorCase, vectors } from '../../testing/index.ts';
import {
  allOf,
  byCreationTimestamp,
  filterActiveReplicaSets,
  findActiveOrLatest,
  getActualReplicaCountForReplicaSets,
  getAvailableReplicaCountForReplicaSets,
  getReadyReplicaCountForReplicaSets,
  getReplicaCountForReplicaSets,
  getTerminatingReplicaCountForReplicaSets,
  isRollingUpdate,
  type PodTemplateSpec,
  rolloutOf,
  scaleOrders,
} from './facts.ts';
import { equalIgnoreHash } from './template.ts';

const named = <I, E>(rows: readonly VectorCase<I, E>[]) => rows.map((row) => [row.name, row] as const);
const table = <I, E>(op: string, count: number) => named(vectors<I, E>('deployment-rolling', op, count));
const namesOf = (all: readonly ReplicaSet[]): string[] => all.map(({ metadata }) => metadata.name);

describe('facts about ReplicaSets', () => {
  interface Sized {
    readonly replicaSets: readonly ({ readonly name: string; readonly replicas: number } | null)[];
  }
  test.each(named(vectors<Sized, { names: string[] }>('replicaset', 'filterActiveReplicaSets', 1)))(
    'filters active ReplicaSets like Kubernetes: %s',
    (_, { input, expect: wanted }) => {
      // Go's rows contain null pointers, which do not exist here.
      const all = input.replicaSets.flatMap((rs) =>
        rs ? aReplicaSet(rs.name, { replicas: rs.replicas }) : [],
      );
      expect(namesOf(filterActiveReplicaSets(all))).toEqual(wanted.names);
    },
  );

  interface Counted {
    readonly replicaSets: readonly {
      readonly name: string;
      readonly specReplicas: number;
      readonly statusReplicas: number;
      readonly terminatingReplicas: number | null;
      readonly observedGeneration: number;
    }[];
  }
  test.each(table<Counted, { spec: number; actual: number; terminating: number | null }>('replicaCounts', 4))(
    'counts replicas like Kubernetes: %s',
    (_, { input, expect: wanted }) => {
      const all = input.replicaSets.map((row) => {
        const { observedGeneration, terminatingReplicas: terminating } = row;
        const set = aReplicaSet(row.name, {
          replicas: row.specReplicas,
          reported: row.statusReplicas,
          observedGeneration,
        });
        return terminating === null
          ? set
          : { ...set, status: { ...set.status, terminatingReplicas: terminating } };
      });
      expect(getReplicaCountForReplicaSets(all)).toBe(wanted.spec);
      expect(getActualReplicaCountForReplicaSets(all)).toBe(wanted.actual);
      expect(getTerminatingReplicaCountForReplicaSets(all)).toBe(wanted.terminating ?? undefined);
    },
  );

  test('sums the reported ready and available pods, and counts an absent value as 0', () => {
    const all = [
      aReplicaSet('shrinking', { replicas: 1, reported: 5, ready: 4, available: 3 }),
      { ...aReplicaSet('young'), status: { replicas: 0 } },
    ];
    expect(getReadyReplicaCountForReplicaSets(all)).toBe(4);
    expect(getAvailableReplicaCountForReplicaSets(all)).toBe(3);
  });

  interface Found {
    readonly template: string;
    readonly replicaSets: readonly {
      readonly name: string;
      readonly template: string;
      readonly created: number;
      readonly specReplicas: number;
    }[];
  }
  const found = ({ replicaSets: rows }: Found): ReplicaSet[] =>
    rows.map(({ name, template: image, created, specReplicas: replicas }) =>
      aReplicaSet(name, { image, created, replicas }),
    );
  test.each(table<Found, { allOld: string[]; oldWithPods: string[] }>('findOldReplicaSets', 3))(
    'separates old ReplicaSets from the new one like Kubernetes: %s',
    (_, { input, expect: { allOld, oldWithPods } }) => {
      const all = found(input);
      const deployment = aDeployment({ image: input.template });
      const first = all
        .toSorted(byCreationTimestamp)
        .find(({ spec }) => equalIgnoreHash(spec.template as PodTemplateSpec, deployment.spec.template));
      const { old } = rolloutOf(deployment, all, first);
      expect(namesOf(old).sort()).toEqual(allOld.toSorted());
      expect(namesOf(filterActiveReplicaSets(old)).sort()).toEqual(oldWithPods.toSorted());
    },
  );

  test('finds the ReplicaSet to scale: the only active one, else the new one, else the youngest', () => {
    const current = aReplicaSet('new', { created: 3 });
    const old = [aReplicaSet('first', { created: 1 }), aReplicaSet('second', { created: 2 })];
    const active = aReplicaSet('active', { replicas: 1, created: 0 });
    const find = (...given: Parameters<typeof findActiveOrLatest>) =>
      findActiveOrLatest(...given)?.metadata.name;
    expect(find(current, old)).toBe('new');
    expect(find(undefined, old)).toBe('second');
    expect(find(undefined, old.toReversed())).toBe('second');
    expect(find(current, [...old, active])).toBe('active');
    expect(find(aReplicaSet('new', { replicas: 2 }), [...old, active])).toBeUndefined();
    expect(find(undefined, [])).toBeUndefined();
  });

  test('lists all ReplicaSets of a roll-out, the new one last', () => {
    const [current, old] = [aReplicaSet('new'), aReplicaSet('old')];
    expect(allOf(rolloutOf(aDeployment(), [current, old], current))).toEqual([old, current]);
    expect(allOf(rolloutOf(aDeployment(), [old], undefined))).toEqual([old]);
  });

  test('creates no order for a ReplicaSet that has its size', () => {
    const [right, wrong] = [aReplicaSet('right', { replicas: 2 }), aReplicaSet('wrong', { replicas: 2 })];
    expect(
      scaleOrders([
        [right, 2],
        [wrong, 1],
      ]),
    ).toEqual([{ replicaSet: wrong, replicas: 1 }]);
  });

  test('recognizes a rolling update', () => {
    expect(isRollingUpdate(aDeployment())).toBe(true);
    expect(isRollingUpdate(aDeployment({ strategy: 'Recreate' }))).toBe(false);
  });
});
