import { beforeEach, describe, expect, test } from 'vitest';
import { podDisruptionBudgets } from '#given/35-disruption';
import { deployments, isTooManyRequests, pods, replicaSets } from '#harness';
import { type Cluster, createCluster, customResourceDefinitions, defineResource } from '#harness/testing';
import { components } from '../components.ts';
import {
  createBudget,
  createDeployment,
  createPod,
  createReplicaSet,
  disruptionCluster,
  eventsIn,
  markDisruption,
  NAMESPACE,
  PROCESS,
  recordEviction,
  statusOf,
  stored,
} from './disruption.fixture.ts';

const pod = (name: string) => ({ namespace: NAMESPACE, name });

let cluster: Cluster;
beforeEach(async () => {
  cluster = await disruptionCluster();
  return () => cluster[Symbol.asyncDispose]();
});

/** Creates `count` pods `web-0`, `web-1` and so on. */
async function createPods(count: number, ...rest: [owner?: Parameters<typeof createPod>[2]]): Promise<void> {
  for (let i = 0; i < count; i++) await createPod(cluster, `web-${i}`, ...rest);
}

async function statusAfter(ms: number): Promise<string> {
  await cluster.runFor(ms);
  return statusOf(cluster);
}

describe('A budget', () => {
  test('with an integer minAvailable counts its pods', async () => {
    await createBudget(cluster, { minAvailable: 2 });
    await createPods(3);
    await createPod(cluster, 'web-3', undefined, false);
    expect(await statusAfter(1_000)).toBe('allowed 1: 3 of 2 healthy, expected 4 (SufficientPods)');
  });

  test('with a percentage rounds the healthy pods up, and counts the replicas of the controller', async () => {
    const owner = await createReplicaSet(cluster, 'web', 7);
    await createPods(5, owner);
    await createBudget(cluster, { minAvailable: '50%' });
    expect(await statusAfter(1_000)).toBe('allowed 1: 5 of 4 healthy, expected 7 (SufficientPods)');
  });

  test('with maxUnavailable never wants less than 0 pods', async () => {
    await createPods(2, await createReplicaSet(cluster, 'web', 2));
    await createBudget(cluster, { maxUnavailable: 5 });
    expect(await statusAfter(1_000)).toBe('allowed 2: 2 of 0 healthy, expected 2 (SufficientPods)');
  });

  test('counts the ReplicaSets of a Deployment once', async () => {
    const deployment = await createDeployment(cluster, 'web', 3);
    await createPod(cluster, 'old', await createReplicaSet(cluster, 'web-1', 2, deployment));
    await createPods(3, await createReplicaSet(cluster, 'web-2', 3, deployment));
    await createBudget(cluster, { maxUnavailable: '34%' });
    expect(await statusAfter(1_000)).toBe('allowed 3: 4 of 1 healthy, expected 3 (SufficientPods)');
  });

  test('uses the scale of a ReplicaSet whose Deployment is gone', async () => {
    const deployment = await createDeployment(cluster, 'web', 9);
    await createPods(2, await createReplicaSet(cluster, 'web-1', 2, deployment));
    await createBudget(cluster, { maxUnavailable: 1 });
    expect(await statusAfter(1_000)).toContain('expected 9');
    await cluster.admin.delete(deployments, pod('web'));
    expect(await statusAfter(1_000)).toBe('allowed 1: 2 of 1 healthy, expected 2 (SufficientPods)');
  });

  test('asks the server for the scale of a custom resource', async () => {
    await using other = await createCluster({ components, servesCustomResources: true });
    other.runComponents('disruptionController');
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const versions = [{ name: 'v1', served: true, storage: true, schema, subresources: { scale } }];
    await other.admin.create(customResourceDefinitions, {
      metadata: { name: 'rings.example.com' },
      spec: { group: 'example.com', scope: 'Namespaced', names: { kind: 'Ring', plural: 'rings' }, versions },
    } as never);
    await other.runFor(5_000);
    const rings = defineResource('example.com/v1', 'Ring', 'rings');
    const ring = await other.admin.create(rings, { metadata: pod('ring'), spec: { replicas: 4 } } as never);
    const { uid } = ring.metadata;
    const owner = { apiVersion: 'example.com/v1', kind: 'Ring', name: 'ring', uid, controller: true };
    for (const name of ['ring-0', 'ring-1', 'ring-2']) await createPod(other, name, owner);
    await createBudget(other, { maxUnavailable: 2 });
    await other.runFor(1_000);
    expect(await statusOf(other)).toBe('allowed 1: 3 of 2 healthy, expected 4 (SufficientPods)');
  });

  test('follows the scale of the controller', async () => {
    await createPods(3, await createReplicaSet(cluster, 'web', 3));
    await createBudget(cluster, { maxUnavailable: 1 });
    expect(await statusAfter(1_000)).toBe('allowed 1: 3 of 2 healthy, expected 3 (SufficientPods)');
    await cluster.admin.patch(replicaSets, pod('web'), { type: 'merge', body: { spec: { replicas: 4 } } });
    expect(await statusAfter(1_000)).toBe('allowed 0: 3 of 3 healthy, expected 4 (InsufficientPods)');
  });

  test('warns about pods without a controller, and does not count them as expected', async () => {
    await createPods(2, await createReplicaSet(cluster, 'web', 2));
    await createPod(cluster, 'alone');
    await createBudget(cluster, { maxUnavailable: 1 });
    expect(await statusAfter(1_000)).toBe('allowed 2: 3 of 1 healthy, expected 2 (SufficientPods)');
    expect(await eventsIn(cluster)).toContainEqual(
      expect.stringContaining('UnmanagedPods: Pods selected by'),
    );
  });

  test('allows nothing while it covers no pod', async () => {
    await createBudget(cluster, { minAvailable: 0 });
    expect(await statusAfter(1_000)).toBe('allowed 0: 0 of 0 healthy, expected 0 (InsufficientPods)');
    expect(await eventsIn(cluster)).toEqual(['NoPods: No matching pods found']);
  });

  test('loses a pod whose labels change', async () => {
    await createBudget(cluster, { minAvailable: 1 });
    await createPods(2);
    expect(await statusAfter(1_000)).toContain('2 of 1 healthy');
    const body = { metadata: { labels: { app: 'other' } } };
    await cluster.admin.patch(pods, pod('web-0'), { type: 'merge', body });
    expect(await statusAfter(1_000)).toBe('allowed 0: 1 of 1 healthy, expected 1 (InsufficientPods)');
  });

  test('is not the only one of a pod: both are synced, and an event warns', async () => {
    await createBudget(cluster, { minAvailable: 1 });
    await createBudget(cluster, { minAvailable: 2 }, 'more');
    await cluster.runFor(1_000);
    await createPods(2);
    expect(await statusAfter(1_000)).toContain('2 of 1 healthy');
    expect(await statusOf(cluster, 'more')).toContain('2 of 2 healthy');
    expect(await eventsIn(cluster)).toContain(
      'MultiplePodDisruptionBudgets: Pod "default"/"web-0" matches multiple PodDisruptionBudgets: more, web',
    );
  });
});

describe('A sync that fails', () => {
  test('allows nothing while the controller of a pod is unknown', async () => {
    const owner = await createReplicaSet(cluster, 'web', 3);
    await createPods(3, owner);
    await createBudget(cluster, { maxUnavailable: 1 });
    expect(await statusAfter(1_000)).toContain('allowed 1');
    await createPod(cluster, 'orphan', { ...owner, name: 'gone', uid: 'gone' });
    expect(await statusAfter(1_000)).toBe('allowed 0: 3 of 2 healthy, expected 3 (SyncFailed)');
    const { conditions } = stored(cluster, podDisruptionBudgets, 'web').status;
    expect(conditions?.[0]?.message).toBe('found no controllers for pod "orphan"');
    await cluster.admin.delete(pods, { ...pod('orphan') }, { gracePeriodSeconds: 0 });
    expect(await statusAfter(1_000)).toContain('allowed 1');
  });

  test('allows nothing while a controller of a pod has no scale', async () => {
    const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'report', uid: 'report', controller: true };
    await createPods(1, owner);
    await createBudget(cluster, { maxUnavailable: 1 });
    expect(await statusAfter(1_000)).toContain('SyncFailed');
    expect(await eventsIn(cluster)).toContain(
      'CalculateExpectedPodCountFailed: Failed to calculate the number of expected pods: jobs.batch does not ' +
        'implement the scale subresource',
    );
  });

  test('is repeated when a request failed', async () => {
    const deployment = await createDeployment(cluster, 'web', 2);
    await createPods(2, await createReplicaSet(cluster, 'web-1', 2, deployment));
    await cluster.admin.delete(deployments, pod('web'));
    await createBudget(cluster, { maxUnavailable: 1 });
    await cluster.runFor(1_000);
    cluster.nemesis.strike({ fault: 'refuse', process: PROCESS, reason: 'InternalError', requests: 6 });
    await createPod(cluster, 'web-2', undefined);
    expect(await statusAfter(10_000)).toBe('allowed 2: 3 of 1 healthy, expected 2 (SufficientPods)');
  });
});

describe('An eviction', () => {
  test('takes pods only while enough stay healthy', async () => {
    await createBudget(cluster, { minAvailable: 2 });
    await createPods(3);
    await cluster.runFor(1_000);
    await cluster.admin.evict(pod('web-0'));
    await expect(cluster.admin.evict(pod('web-1'))).rejects.toSatisfy(isTooManyRequests);
    expect(await statusAfter(1_000)).toBe('allowed 0: 2 of 2 healthy, expected 3 (InsufficientPods)');
    await expect(cluster.admin.evict(pod('web-1'))).rejects.toSatisfy(isTooManyRequests);
    await createPod(cluster, 'web-3');
    await cluster.runFor(1_000);
    await cluster.admin.evict(pod('web-1'));
  });

  test('counts at once, before the deletion is visible', async () => {
    await createBudget(cluster, { minAvailable: 1 });
    await createPods(3);
    expect(await statusAfter(1_000)).toContain('allowed 2');
    await recordEviction(cluster, 'web-0');
    expect(await statusAfter(1_000)).toBe(
      'allowed 1: 2 of 1 healthy, expected 3 (SufficientPods), evicted web-0',
    );
  });

  test('is forgotten after two minutes without a deletion', async () => {
    await createBudget(cluster, { minAvailable: 1 });
    await createPods(2);
    await cluster.runFor(1_000);
    await recordEviction(cluster, 'web-0');
    expect(await statusAfter(118_000)).toContain('allowed 0: 1 of 1 healthy');
    expect(await statusAfter(3_000)).toBe('allowed 1: 2 of 1 healthy, expected 2 (SufficientPods)');
    expect(await eventsIn(cluster)).toContain(
      "NotDeleted: Pod was expected by PDB default/web to be deleted but it wasn't",
    );
  });
});

describe('The condition DisruptionTarget', () => {
  const conditionOf = (name: string) =>
    stored(cluster, pods, name).status.conditions?.find(({ type }) => type === 'DisruptionTarget');

  test('is reset after two minutes without a deletion', async () => {
    await createBudget(cluster, { minAvailable: 1 });
    await createPods(2);
    await markDisruption(cluster, 'web-0', 'EvictionByEvictionAPI');
    await markDisruption(cluster, 'web-1', 'TerminationByKubelet');
    await cluster.runFor(118_000);
    expect(conditionOf('web-0')?.status).toBe('True');
    await cluster.runFor(3_000);
    expect(conditionOf('web-0')).toMatchObject({ status: 'False', lastProbeTime: null });
    expect(conditionOf('web-0')?.reason).toBeUndefined();
    expect(conditionOf('web-1')?.status).toBe('True');
  });
});
