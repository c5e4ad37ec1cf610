import { describe, expect, test } from 'vitest';
import type { Pod, PodDisruptionBudget } from '../../api/objects.ts';
import { podDisruptionBudgets, pods } from '../../api/resource.ts';
import { isConflict, StatusError } from '../../api/status.ts';
import { key, type World, world } from './replicas.fixture.ts';

type BudgetStatus = Partial<PodDisruptionBudget['status']>;

/** Creates the pod `a` under a budget with this status. */
async function guarded(status: BudgetStatus, spec: object = {}): Promise<World> {
  const all = await world();
  const { server } = all;
  const metadata = { ...key('a'), labels: { app: 'web' } };
  const created = await server.create(pods, {
    metadata,
    spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'nginx' }] },
  });
  await server.updateStatus(pods, { ...created, status: { phase: 'Running' } });
  const budget = await server.create(podDisruptionBudgets, {
    metadata: key('budget'),
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  });
  const counts = { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, observedGeneration: 1 };
  await server.updateStatus(podDisruptionBudgets, {
    ...budget,
    status: { ...counts, disruptionsAllowed: 0, ...status },
  });
  return all;
}

/** Makes the pod `a` ready, so that it counts as healthy. */
async function ready({ server, storage }: World): Promise<void> {
  const pod = storage.get(pods, key('a')) as Pod;
  const conditions = [{ type: 'Ready', status: 'True' }];
  await server.updateStatus(pods, { ...pod, status: { ...pod.status, conditions } });
}

/** Returns the reason why the server does not evict the pod. Fails if the server evicts it. */
async function reasonOf(status: BudgetStatus): Promise<string | undefined> {
  const all = await guarded(status);
  await ready(all);
  const error = await all.server.evict(key('a')).catch((thrown: unknown) => thrown);
  if (!(error instanceof StatusError)) throw new Error('It was evicted.');
  expect([error.code, error.message]).toEqual([
    429,
    "Cannot evict pod as it would violate the pod's disruption budget.",
  ]);
  return error.status.details?.causes?.[0]?.message;
}

const denied = (reason: string, message: string) => ({
  conditions: [
    {
      type: 'DisruptionAllowed',
      status: 'False',
      reason,
      message,
      lastTransitionTime: '2024-04-17T00:00:00Z',
    },
  ],
});

describe('Evict', () => {
  test('is rejected while the healthy pods are as few as the budget requires', async () => {
    expect(await reasonOf(denied('InsufficientPods', 'too few'))).toBe(
      'The disruption budget budget needs 1 healthy pods and has 1 currently',
    );
  });

  test('is rejected with the error of the disruption controller while its sync fails', async () => {
    expect(await reasonOf(denied('SyncFailed', 'no scale'))).toBe(
      'The disruption budget budget does not allow evicting pods currently because it failed sync: no scale',
    );
  });

  test('is rejected with the condition if the counts give no reason', async () => {
    const more = { currentHealthy: 2 };
    expect(await reasonOf({ ...more, ...denied('InsufficientPods', 'wait') })).toBe(
      'The disruption budget budget does not allow evicting pods currently (InsufficientPods): wait',
    );
    expect(await reasonOf({ ...more, ...denied('InsufficientPods', '') })).toBe(
      'The disruption budget budget does not allow evicting pods currently',
    );
    expect(await reasonOf(more)).toBe('The disruption budget budget does not allow evicting pods currently');
  });

  test('marks the pod before it deletes it', async () => {
    const all = await guarded({ disruptionsAllowed: 1 });
    await ready(all);
    const { metadata } = all.storage.get(pods, key('a')) as Pod;
    const { uid, resourceVersion } = metadata;
    await all.server.evict(key('a'), { preconditions: { uid, resourceVersion } });
    const evicted = all.storage.get(pods, key('a')) as Pod;
    expect(evicted.metadata.deletionTimestamp).toBeDefined();
    expect(evicted.status.conditions).toMatchObject([
      { type: 'Ready', status: 'True' },
      {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'EvictionByEvictionAPI',
        message: 'Eviction API: evicting',
        lastProbeTime: null,
        lastTransitionTime: '2024-04-17T00:00:00Z',
      },
    ]);
  });

  test('does not mark another incarnation than the requested one', async () => {
    const all = await guarded({ disruptionsAllowed: 1 });
    const before = all.storage.get(pods, key('a'));
    const evicted = all.server.evict(key('a'), { preconditions: { uid: 'other' } });
    await expect(evicted).rejects.toSatisfy(isConflict);
    expect(all.storage.get(pods, key('a'))).toBe(before);
  });

  test('sets the condition of the budget when it uses the last disruption', async () => {
    const all = await guarded({ disruptionsAllowed: 1 });
    await ready(all);
    await all.server.evict(key('a'));
    const { status } = all.storage.get(podDisruptionBudgets, key('budget')) as PodDisruptionBudget;
    expect(status).toMatchObject({ disruptionsAllowed: 0, disruptedPods: { a: '2024-04-17T00:00:00Z' } });
    expect(status.conditions).toMatchObject([
      { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods', observedGeneration: 1 },
    ]);
  });

  test('is limited by a budget whose empty selector covers every pod', async () => {
    const all = await guarded({}, { selector: {} });
    await ready(all);
    await expect(all.server.evict(key('a'))).rejects.toThrow("would violate the pod's disruption budget");
  });

  test('of an unhealthy pod ignores a budget that always allows it', async () => {
    const spec = { unhealthyPodEvictionPolicy: 'AlwaysAllow' };
    const all = await guarded({ currentHealthy: 0 }, spec);
    await all.server.evict(key('a'));
    expect(all.storage.get(pods, key('a'))?.metadata.deletionTimestamp).toBeDefined();
    const { status } = all.storage.get(podDisruptionBudgets, key('budget')) as PodDisruptionBudget;
    expect(status.disruptedPods).toBeUndefined();
  });
});
