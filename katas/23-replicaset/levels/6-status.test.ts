import { describe, expect, test } from 'vitest';
import { type Client, errors, keyOf, NotImplemented, type ReplicaSet, replicaSets } from '#harness';
import { createCluster } from '#harness/testing';
import {
  calculateStatus,
  isPodAvailable,
  nextAvailabilityMs,
  type ReplicaSetCondition,
  type ReplicaSetStatus,
  removeCondition,
  setCondition,
  updateReplicaSetStatus,
} from '#kata/23-replicaset/replicaset';
import {
  aPod,
  aReplicaSet,
  container,
  type Labels,
  NOW_MS,
  type PodParts,
  secondsAgo,
} from './objects.fixture.ts';
import { table } from './tables.fixture.ts';

/** What it rejects with, as text. @throws NotImplemented as it is, so that it is the failure that a learner reads */
async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof NotImplemented) throw error;
    return String(error);
  }
  return 'it did not fail';
}

describe('Level 6 · Status', () => {
  const failure = new Error('quota exceeded');
  const FAILED: ReplicaSetCondition = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' };

  test('takes a ready pod for available once it has been ready for longer than it has to be', () => {
    const pod = aPod({ ready: true, readyAgeSeconds: 10 });
    expect(isPodAvailable(pod, 9, NOW_MS)).toBe(true);
    expect(isPodAvailable(pod, 10, NOW_MS)).toBe(false);
    expect(isPodAvailable(pod, 10, NOW_MS + 1)).toBe(true);
    expect(isPodAvailable(aPod({ ready: false, readyAgeSeconds: 100 }), 0, NOW_MS)).toBe(false);
  });

  test('takes ready for enough when no time is asked for', () => {
    expect(isPodAvailable(aPod({ ready: true, readyAgeSeconds: 0 }), 0, NOW_MS)).toBe(true);
    expect(isPodAvailable(aPod({ ready: true, readyAgeSeconds: null }), 0, NOW_MS)).toBe(true);
    expect(isPodAvailable(aPod({ ready: true, readyAgeSeconds: null }), 1, NOW_MS)).toBe(false);
  });

  test('knows when time alone will make the next pod available', () => {
    const all = [30, 4, 7, 2].map((readyAgeSeconds) => aPod({ ready: true, readyAgeSeconds }));
    expect(nextAvailabilityMs(all, 10, NOW_MS)).toBe(3_001);
    expect(nextAvailabilityMs([aPod({ ready: true, readyAgeSeconds: 10 })], 10, NOW_MS)).toBe(1);
  });

  test('waits for no pod that is available, that is not ready, or that does not say since when', () => {
    const waiting = (parts: PodParts) => nextAvailabilityMs([aPod(parts)], 10, NOW_MS);
    expect(waiting({ ready: true, readyAgeSeconds: 30 })).toBeUndefined();
    expect(waiting({ ready: false, readyAgeSeconds: 1 })).toBeUndefined();
    expect(waiting({ ready: true, readyAgeSeconds: null })).toBeUndefined();
    expect(nextAvailabilityMs([], 10, NOW_MS)).toBeUndefined();
  });

  interface SetRow {
    readonly conditions: readonly ReplicaSetCondition[];
    readonly condition: ReplicaSetCondition;
  }
  test.each(table<SetRow, { conditions: ReplicaSetCondition[] }>('setCondition', 2))(
    'sets a condition as Kubernetes does: %s',
    (_, { input, expect: wanted }) =>
      expect(setCondition(input.conditions, input.condition)).toEqual(wanted.conditions),
  );

  test('leaves a condition that says the same as it was, with its time and its message', () => {
    const old = { ...FAILED, lastTransitionTime: secondsAgo(60), message: 'old' };
    const other = { type: 'Other', status: 'True' };
    const anew = { ...FAILED, lastTransitionTime: secondsAgo(0), message: 'new' };
    expect(setCondition([old, other], anew)).toEqual([old, other]);
    const over = { ...anew, status: 'False' };
    expect(setCondition([old, other], over)).toEqual([other, over]);
  });

  test('removes the condition of a type, and nothing else', () => {
    const other = { type: 'Other', status: 'True' };
    expect(removeCondition([FAILED, other], 'ReplicaFailure')).toEqual([other]);
    expect(removeCondition([other], 'ReplicaFailure')).toEqual([other]);
  });

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
    const status = calculateStatus(aReplicaSet({ ...spec, template }), active, undefined, NOW_MS);
    const none = { fullyLabeledReplicas: 0, readyReplicas: 0, availableReplicas: 0 };
    expect({ ...none, ...status }).toEqual(wanted);
  });

  test('leaves out a count of none, all but that of the pods, and has no conditions without any', () => {
    expect(calculateStatus(aReplicaSet(), [], undefined, NOW_MS)).toEqual({ replicas: 0 });
    const status = { replicas: 5, readyReplicas: 5, observedGeneration: 3, conditions: [] };
    const pending = [aPod({ phase: 'Pending' })];
    expect(calculateStatus(aReplicaSet({ status }), pending, undefined, NOW_MS)).toEqual({
      replicas: 1,
      fullyLabeledReplicas: 1,
      observedGeneration: 3,
    });
  });

  test('counts as available who has been ready for minReadySeconds', () => {
    const all = [5, 10, 15].map((readyAgeSeconds) => aPod({ ready: true, readyAgeSeconds }));
    const status = calculateStatus(aReplicaSet({ minReadySeconds: 10 }), all, undefined, NOW_MS);
    expect(status).toMatchObject({ replicas: 3, readyReplicas: 3, availableReplicas: 1 });
  });

  interface ConditionsRow {
    readonly specReplicas: number;
    readonly activePods: number;
    readonly error: string;
    readonly conditions: ReplicaSetCondition[];
  }
  test.each(table<ConditionsRow, { conditions: ReplicaSetCondition[] }>('calculateConditions', 3))(
    'tells of a failure as Kubernetes does: %s',
    (_, { input, expect: wanted }) => {
      const rs = aReplicaSet({
        replicas: input.specReplicas,
        status: { replicas: 0, conditions: input.conditions },
      });
      const active = Array.from({ length: input.activePods }, (_, i) => aPod({ name: `pod-${i}` }));
      const { conditions = [] } = calculateStatus(rs, active, new Error(input.error), NOW_MS);
      const timeless = conditions.map(({ lastTransitionTime, ...rest }) => rest);
      expect(timeless).toEqual(wanted.conditions);
    },
  );

  test('says since when it fails, and stops when it does not any more', () => {
    const { conditions } = calculateStatus(aReplicaSet(), [], failure, NOW_MS);
    const told = { ...FAILED, message: 'quota exceeded', lastTransitionTime: '2024-04-17T00:00:00Z' };
    expect(conditions).toEqual([told]);
    const other = { type: 'Other', status: 'True' };
    const status = { replicas: 0, conditions: [told, other] };
    expect(calculateStatus(aReplicaSet({ status }), [], undefined, NOW_MS).conditions).toEqual([other]);
    const balanced = calculateStatus(aReplicaSet(), [aPod()], failure, NOW_MS).conditions;
    expect(balanced).toHaveLength(1);
    expect(balanced?.[0]).not.toHaveProperty('reason');
  });

  /** A server with one ReplicaSet and nobody who looks after it. */
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

  test('writes a status, and of which generation it speaks', async () => {
    await using server = await serving();
    const written = await updateReplicaSetStatus(server.client, server.created, { replicas: 2 });
    expect(server.stored().status).toEqual({ replicas: 2, observedGeneration: 1 });
    expect(written).toEqual(server.stored());
  });

  test('writes when nothing is new but the generation that it has seen, and else nothing at all', async () => {
    await using server = await serving();
    const written = await updateReplicaSetStatus(server.client, server.created, { replicas: 0 });
    expect(server.stored().status).toEqual({ replicas: 0, observedGeneration: 1 });
    const before = server.cluster.storage.revision;
    const vague = { replicas: 0, readyReplicas: 0, availableReplicas: 0, conditions: [] };
    expect(await updateReplicaSetStatus(server.client, written, vague)).toBe(written);
    expect(server.cluster.storage.revision).toBe(before);
  });

  test('tries once more on what is newer, but speaks of the generation that it acted on', async () => {
    await using server = await serving();
    const { created } = server;
    await server.client.update(replicaSets, { ...created, spec: { ...created.spec, replicas: 5 } });
    await updateReplicaSetStatus(server.client, created, { replicas: 2 });
    expect(server.stored().metadata.generation).toBe(2);
    expect(server.stored().spec.replicas).toBe(5);
    expect(server.stored().status).toEqual({ replicas: 2, observedGeneration: 1 });
  });

  test('does not overwrite what somebody says who has seen a newer generation', async () => {
    await using server = await serving();
    const { created } = server;
    const scaled = await server.client.update(replicaSets, {
      ...created,
      spec: { ...created.spec, replicas: 5 },
    });
    const newer = { replicas: 4, observedGeneration: 2 };
    await server.client.updateStatus(replicaSets, { ...scaled, status: newer });
    const update = updateReplicaSetStatus(server.client, created, { replicas: 2 });
    expect(await failureOf(update)).toMatch(/web/);
    expect(server.stored().status).toEqual(newer);
  });

  test('does not write its status on another one of the same name', async () => {
    await using server = await serving();
    const { created } = server;
    await server.client.delete(replicaSets, keyOf(created));
    const { name, namespace } = created.metadata;
    await server.client.create(replicaSets, {
      metadata: { name, namespace: namespace as string },
      spec: created.spec,
    });
    const update = updateReplicaSetStatus(server.client, created, { replicas: 2 });
    expect(await failureOf(update)).toMatch(/web/);
    expect(server.stored().status).toEqual({ replicas: 0 });
  });

  test('gives up when the second try fails, too, and tells why', async () => {
    const rs = aReplicaSet();
    let sent = 0;
    const client: Pick<Client, 'get' | 'updateStatus'> = {
      get: async () => rs as never,
      updateStatus: async () => {
        throw errors.internal(`try ${++sent}`);
      },
    };
    expect(await failureOf(updateReplicaSetStatus(client, rs, { replicas: 2 }))).toMatch(/try 2/);
    expect(sent).toBe(2);
  });
});
