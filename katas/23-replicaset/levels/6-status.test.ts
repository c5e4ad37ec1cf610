import { describe, expect, test } from 'vitest';
import { type Client, errors, keyOf, type Pod, type ReplicaSet, replicaSets } from '#harness';
import { createCluster, ruleFor } from '#harness/testing';
import {
  calculateStatus,
  type ReplicaSetCondition,
  type ReplicaSetStatus,
  updateReplicaSetStatus,
} from '#kata/23-replicaset/replicaset';
import { failureOf } from './failure.fixture.ts';
import { aPod, aReplicaSet, container, type Labels, NOW_MS, type PodParts } from './objects.fixture.ts';
import { table } from './tables.fixture.ts';

/** Active pods without terminating pods. */
const counted = (active: readonly Pod[]) => ({ active, terminating: [] });

describe('Level 6 · Status', () => {
  const failure = new Error('quota exceeded');
  const FAILED: ReplicaSetCondition = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' };

  interface StatusRow {
    readonly spec: {
      readonly replicas: number;
      readonly minReadySeconds?: number;
      readonly selector: Labels;
      readonly templateLabels: Labels;
    };
    readonly pods: readonly PodParts[];
  }
  test.each(
    table<StatusRow, Required<Omit<ReplicaSetStatus, 'conditions' | 'observedGeneration'>>>(
      'calculateStatus',
      5,
    ),
  )('counts as Kubernetes does: %s', (_, { input, expect: wanted }) => {
    const { templateLabels, ...spec } = input.spec;
    const template = { metadata: { labels: { ...templateLabels } }, spec: { containers: [container] } };
    const active = input.pods.map((parts) => aPod({ readyAgeSeconds: 0, ...parts }));
    const status = calculateStatus(aReplicaSet({ ...spec, template }), counted(active), undefined, NOW_MS);
    const none = { fullyLabeledReplicas: 0, readyReplicas: 0, availableReplicas: 0 };
    const rule = ruleFor(
      'fullyLabeledReplicas needs all template labels, availableReplicas minReadySeconds',
      input,
    );
    expect({ ...none, ...status }, rule).toEqual({ ...wanted, terminatingReplicas: 0 });
  });

  test('omits counts of 0, except replicas and terminatingReplicas, and empty conditions', () => {
    expect(
      calculateStatus(aReplicaSet(), counted([]), undefined, NOW_MS),
      'the status without any pod',
    ).toEqual({
      replicas: 0,
      terminatingReplicas: 0,
    });
    const status = { replicas: 5, readyReplicas: 5, observedGeneration: 3, conditions: [] };
    const pending = [aPod({ phase: 'Pending' })];
    expect(
      calculateStatus(aReplicaSet({ status }), counted(pending), undefined, NOW_MS),
      'the status with one pending pod: omit readyReplicas and availableReplicas, and keep observedGeneration',
    ).toEqual({
      replicas: 1,
      fullyLabeledReplicas: 1,
      terminatingReplicas: 0,
      observedGeneration: 3,
    });
  });

  test('counts a pod as available exactly at minReadySeconds', () => {
    const all = [5, 10, 15].map((readyAgeSeconds) => aPod({ ready: true, readyAgeSeconds }));
    const status = calculateStatus(aReplicaSet({ minReadySeconds: 10 }), counted(all), undefined, NOW_MS);
    expect(status, 'the pods are ready for 5, 10 and 15 s, and minReadySeconds is 10').toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 2,
    });
  });

  test('counts terminating pods separately', () => {
    const terminating = [aPod({ deletionTimestamp: true })];
    const status = calculateStatus(aReplicaSet(), { active: [aPod()], terminating }, undefined, NOW_MS);
    expect(status, 'one active pod, and one with a deletionTimestamp').toMatchObject({
      replicas: 1,
      terminatingReplicas: 1,
    });
  });

  interface ConditionsRow {
    readonly specReplicas: number;
    readonly activePods: number;
    readonly error: string;
    readonly conditions: ReplicaSetCondition[];
  }
  test.each(table<ConditionsRow, { conditions: ReplicaSetCondition[] }>('calculateConditions', 3))(
    'reports a failure as Kubernetes does: %s',
    (_, { input, expect: wanted }) => {
      const rs = aReplicaSet({
        replicas: input.specReplicas,
        status: { replicas: 0, conditions: input.conditions },
      });
      const active = Array.from({ length: input.activePods }, (_, i) => aPod({ name: `pod-${i}` }));
      const { conditions = [] } = calculateStatus(rs, counted(active), new Error(input.error), NOW_MS);
      const timeless = conditions.map(({ lastTransitionTime, ...rest }) => rest);
      const rule =
        'with too few active pods the reason is FailedCreate, with too many FailedDelete; a ReplicaFailure that is there stays';
      expect(timeless, ruleFor(rule, input)).toEqual(wanted.conditions);
    },
  );

  test('keeps ReplicaFailure unchanged while it fails, and removes it afterwards', () => {
    const { conditions } = calculateStatus(aReplicaSet(), counted([]), failure, NOW_MS);
    const expected = { ...FAILED, message: 'quota exceeded', lastTransitionTime: '2024-04-17T00:00:00Z' };
    expect(conditions, 'lastTransitionTime is the current time, nowMs').toEqual([expected]);
    const other = { type: 'Other', status: 'True' };
    const status = { replicas: 0, conditions: [expected, other] };
    expect(
      calculateStatus(aReplicaSet({ status }), counted([]), undefined, NOW_MS).conditions,
      'conditions without a failure: remove ReplicaFailure, and keep the others',
    ).toEqual([other]);
    const balanced = calculateStatus(aReplicaSet(), counted([aPod()]), failure, NOW_MS).conditions;
    expect(balanced, 'conditions after a failure, with as many pods as spec.replicas').toHaveLength(1);
    expect(
      balanced?.[0],
      'ReplicaFailure with 1 pod and spec.replicas 1: no pod is missing and none is surplus, so omit the reason',
    ).not.toHaveProperty('reason');
  });

  /** A server with one ReplicaSet and no controller. */
  const serving = async () => {
    const cluster = await createCluster();
    const { metadata, spec } = aReplicaSet({ replicas: 2 });
    const { name, namespace } = metadata;
    const create = { metadata: { name, namespace: namespace as string }, spec };
    const created = await cluster.admin.create(replicaSets, create);
    const stored = () => cluster.storage.get(replicaSets, keyOf(created)) as ReplicaSet;
    return {
      cluster,
      client: cluster.admin,
      created,
      stored,
      [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
    };
  };

  test('writes the status with the observed generation', async () => {
    await using server = await serving();
    const written = await updateReplicaSetStatus(server.client, server.created, { replicas: 2 });
    expect(server.stored().status, 'the stored status').toEqual({ replicas: 2, observedGeneration: 1 });
    expect(written, 'return the response of the server').toEqual(server.stored());
  });

  test('writes a status with a new generation, but not an unchanged status', async () => {
    await using server = await serving();
    const written = await updateReplicaSetStatus(server.client, server.created, { replicas: 0 });
    expect(server.stored().status, 'the stored status: its generation is new').toEqual({
      replicas: 0,
      observedGeneration: 1,
    });
    const before = server.cluster.storage.revision;
    const vague = { replicas: 0, readyReplicas: 0, availableReplicas: 0, conditions: [] };
    expect(
      await updateReplicaSetStatus(server.client, written, vague),
      'counts of 0 and no conditions equal absent ones: no write',
    ).toBe(written);
    expect(server.cluster.storage.revision, 'an equal status must not be written').toBe(before);
  });

  test('retries once on a newer ReplicaSet, with the generation that it acted on', async () => {
    await using server = await serving();
    const { created } = server;
    await server.client.update(replicaSets, { ...created, spec: { ...created.spec, replicas: 5 } });
    await updateReplicaSetStatus(server.client, created, { replicas: 2 });
    expect(
      server.stored().metadata.generation,
      'metadata.generation on the server: the status write must not change it',
    ).toBe(2);
    expect(
      server.stored().spec.replicas,
      'spec.replicas on the server: the status write must not change it',
    ).toBe(5);
    expect(server.stored().status, 'the status was computed for generation 1, although 2 is stored').toEqual({
      replicas: 2,
      observedGeneration: 1,
    });
  });

  test('retries over a status of the same generation from another controller', async () => {
    await using server = await serving();
    const { created } = server;
    const others = { replicas: 1, observedGeneration: 1 };
    await server.client.updateStatus(replicaSets, { ...created, status: others });
    await updateReplicaSetStatus(server.client, created, { replicas: 2 });
    expect(
      server.stored().status,
      'the stored status after the second write: the other one observes the same generation, so overwrite it',
    ).toEqual({ replicas: 2, observedGeneration: 1 });
  });

  test('does not overwrite a status that observes a newer generation', async () => {
    await using server = await serving();
    const { created } = server;
    const scaled = await server.client.update(replicaSets, {
      ...created,
      spec: { ...created.spec, replicas: 5 },
    });
    const newer = { replicas: 4, observedGeneration: 2 };
    await server.client.updateStatus(replicaSets, { ...scaled, status: newer });
    const update = updateReplicaSetStatus(server.client, created, { replicas: 2 });
    expect(
      await failureOf(update),
      'the stored status observes a newer generation: reject with an error that names the ReplicaSet',
    ).toMatch(/web/);
    expect(server.stored().status, 'the stored status has observedGeneration 2, this one only 1').toEqual(
      newer,
    );
  });

  test('does not write its status to another ReplicaSet of the same name', async () => {
    await using server = await serving();
    const { created } = server;
    await server.client.delete(replicaSets, keyOf(created));
    const { name, namespace } = created.metadata;
    await server.client.create(replicaSets, {
      metadata: { name, namespace: namespace as string },
      spec: created.spec,
    });
    const update = updateReplicaSetStatus(server.client, created, { replicas: 2 });
    expect(
      await failureOf(update),
      'the stored ReplicaSet has another uid: reject with an error that names the ReplicaSet',
    ).toMatch(/web/);
    expect(server.stored().status, 'the stored ReplicaSet has another uid: leave its status alone').toEqual({
      replicas: 0,
    });
  });

  test('rejects with the error of the second write', async () => {
    const rs = aReplicaSet();
    let sent = 0;
    const client: Pick<Client, 'get' | 'updateStatus'> = {
      get: async () => rs as never,
      updateStatus: async () => {
        throw errors.internal(`try ${++sent}`);
      },
    };
    expect(
      await failureOf(updateReplicaSetStatus(client, rs, { replicas: 2 })),
      'both writes fail: reject with the error of the second',
    ).toMatch(/try 2/);
    expect(sent, 'one write and one retry').toBe(2);
  });
});
