import { describe, expect, test } from 'vitest';
import { type DeploymentStatus, rolloutOf } from '#given/24-deployment';
import type { ReplicaSet } from '#harness';
import { ruleFor } from '#harness/testing';
import { calculateStatus, deploymentComplete, deploymentProgressing } from '#kata/24-deployment/deployment';
import { aDeployment, aReplicaSet, type DeploymentParts } from '#laws/24-deployment';
import { conditionOf, NOW_MS, summariesOf } from './conditions.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 5 · The status', () => {
  const statusOf = (
    deployment: ReturnType<typeof aDeployment>,
    current: ReplicaSet | undefined,
    old: readonly ReplicaSet[],
  ) => calculateStatus(rolloutOf(deployment, old, current), NOW_MS);

  test('adds up the reports of the ReplicaSets', () => {
    const deployment = aDeployment({
      replicas: 10,
      maxUnavailable: 2,
      generation: 4,
      status: { collisionCount: 2 },
    });
    const current = aReplicaSet('new', { replicas: 5, reported: 4, ready: 3, available: 2 });
    const old = [aReplicaSet('old', { replicas: 6, reported: 6, available: 5 })];
    expect(
      statusOf(deployment, current, old),
      'the status: sums of the statuses of new and old ReplicaSets',
    ).toMatchObject({
      observedGeneration: 4,
      replicas: 10,
      updatedReplicas: 4,
      readyReplicas: 8,
      availableReplicas: 7,
      unavailableReplicas: 4,
      collisionCount: 2,
    });
  });

  test('counts missing fields as 0, and nothing below 0', () => {
    const shrinking = [aReplicaSet('old', { replicas: 1, reported: 5 })];
    const status = statusOf(aDeployment({ replicas: 1 }), undefined, shrinking);
    expect(status.unavailableReplicas ?? 0, '5 are available and 1 is wanted: never below 0').toBe(0);
    expect(status.updatedReplicas ?? 0, 'updatedReplicas without a new ReplicaSet').toBe(0);
    expect(status.availableReplicas, 'availableReplicas: the old ReplicaSet reports 5').toBe(5);
    expect(status.collisionCount, 'collisionCount: the Deployment has none, so omit it').toBeUndefined();
  });

  test('sets Available if at most maxUnavailable pods are missing', () => {
    const deployment = aDeployment({ replicas: 10, maxUnavailable: 2 });
    const with_ = (available: number) =>
      summariesOf(statusOf(deployment, aReplicaSet('new', { replicas: 10, available }), []).conditions);
    expect(with_(8), '10 replicas, of which 2 may be unavailable: 8 are enough').toEqual([
      { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' },
    ]);
    expect(with_(7), '10 replicas, of which 2 may be unavailable: 7 are too few').toEqual([
      { type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable' },
    ]);
  });

  test('keeps other conditions, and the times of an unchanged Available', () => {
    const available = conditionOf('Available', 'True', 'MinimumReplicasAvailable', 500);
    const other = conditionOf('Progressing', 'True', 'ReplicaSetUpdated', 50);
    const deployment = aDeployment({ replicas: 1, status: { conditions: [available, other] } });
    const { conditions = [] } = statusOf(deployment, aReplicaSet('new', { replicas: 1 }), []);
    expect(conditions, 'conditions of the status').toHaveLength(2);
    expect(conditions, 'Available keeps its times while status and reason stay; Progressing is kept').toEqual(
      expect.arrayContaining([available, other]),
    );
  });

  interface CompleteRow {
    readonly generation?: number;
    readonly spec: Pick<DeploymentParts, 'replicas' | 'maxSurge' | 'maxUnavailable'>;
    readonly status: DeploymentStatus;
  }
  test.each(table<CompleteRow, { complete: boolean }>('deploymentComplete', 5))(
    'detects a complete roll-out as Kubernetes does: %s',
    (_, { input, expect: { complete } }) => {
      const { generation = 1, spec, status } = input;
      const deployment = aDeployment({ ...spec, generation });
      const rule =
        'replicas, updatedReplicas and availableReplicas equal spec.replicas, and the generation is observed';
      expect(
        deploymentComplete(deployment, { observedGeneration: generation, ...status }),
        ruleFor(rule, input),
      ).toBe(complete);
    },
  );

  test('is complete if all pods are updated and available, and the generation is observed', () => {
    const all = { replicas: 3, updatedReplicas: 3, availableReplicas: 3, observedGeneration: 7 };
    expect(
      deploymentComplete(aDeployment({ replicas: 3, generation: 7 }), all),
      'all replicas are updated and available, and the generation is observed',
    ).toBe(true);
    expect(
      deploymentComplete(aDeployment({ replicas: 3, generation: 8 }), all),
      'the status is of generation 7, but the Deployment has generation 8',
    ).toBe(false);
    expect(
      deploymentComplete(aDeployment({ replicas: 0 }), { observedGeneration: 1 }),
      '0 of 0 replicas are complete',
    ).toBe(true);
  });

  interface ProgressRow {
    readonly oldStatus: DeploymentStatus;
    readonly newStatus: DeploymentStatus;
  }
  test.each(table<ProgressRow, { progressing: boolean }>('deploymentProgressing', 5))(
    'detects progress as Kubernetes does: %s',
    (_, { input, expect: { progressing } }) =>
      expect(
        deploymentProgressing(aDeployment({ status: input.oldStatus }), input.newStatus),
        ruleFor('progress: more updated, ready or available replicas, or fewer old ones', input),
      ).toBe(progressing),
  );

  const reporting = (name: string, terminatingReplicas: number | undefined, observed = 1): ReplicaSet => {
    const set = aReplicaSet(name, { replicas: 1, observedGeneration: observed });
    return terminatingReplicas === undefined
      ? set
      : { ...set, status: { ...set.status, terminatingReplicas } };
  };
  test.each([
    ['2 of the new and 1 of the old', [reporting('new', 2), reporting('old', 1)], 3],
    ['none at all', [reporting('new', 0), reporting('old', 0)], 0],
    ['an old one that does not say', [reporting('new', 2), reporting('old', undefined)], undefined],
    ['one that was never looked at', [reporting('new', undefined, 0), reporting('old', 1)], 1],
  ] as const)('counts the pods that are being deleted: %s', (_, [current, old], terminating) => {
    const status = statusOf(aDeployment(), current, [old as ReplicaSet]);
    expect(
      status.terminatingReplicas,
      'the sum over all ReplicaSets; absent if one that was observed does not report a number',
    ).toBe(terminating);
  });

  test('does not count a lost ready pod as progress', () => {
    const before = { replicas: 3, updatedReplicas: 3, readyReplicas: 3 };
    expect(
      deploymentProgressing(aDeployment({ status: before }), { ...before, readyReplicas: 2 }),
      'readyReplicas went down from 3 to 2: only a count that goes up is progress',
    ).toBe(false);
  });
});
