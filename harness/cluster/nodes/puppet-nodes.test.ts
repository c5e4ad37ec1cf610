import { describe, expect, test } from 'vitest';
import type { Pod } from '../../api/objects.ts';
import { pods } from '../../api/resource.ts';
import { type Cluster, createCluster } from '../cluster.ts';
import type { PodScript } from './pod-script.ts';
import { runPuppetNodes } from './puppet-nodes.ts';

const key = { namespace: 'default', name: 'web' };

async function withPod(script: Partial<PodScript>): Promise<Cluster> {
  const cluster = await createCluster();
  runPuppetNodes(cluster, { script: () => ({ readyAfterMs: 500, stopsAfterMs: 200, ...script }) });
  await cluster.admin.create(pods, {
    metadata: key,
    spec: { containers: [{ name: 'web', image: 'nginx:1' }] },
  });
  return cluster;
}

const podOf = ({ storage }: Cluster): Pod | undefined => storage.get(pods, key) as Pod | undefined;

const isReady = (pod: Pod | undefined): boolean =>
  (pod?.status.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True');

describe('Puppet nodes', () => {
  test('make a pod ready according to its script', async () => {
    await using cluster = await withPod({});
    await cluster.runFor(499);
    expect([podOf(cluster)?.status.phase, isReady(podOf(cluster))]).toEqual(['Pending', false]);
    await cluster.runFor(1);
    expect([podOf(cluster)?.status.phase, isReady(podOf(cluster))]).toEqual(['Running', true]);
    expect(podOf(cluster)?.spec.nodeName).toBe('node-1');
    expect(podOf(cluster)?.status.observedGeneration).toBe(1);
  });

  test('leave a pod without readiness pending', async () => {
    await using cluster = await withPod({ readyAfterMs: 'never' });
    await cluster.runFor(3_600_000);
    expect(podOf(cluster)?.status.phase).toBe('Pending');
  });

  test('turn readiness off and on, and let a pod fail', async () => {
    await using cluster = await withPod({ unready: [{ afterMs: 1_000, forMs: 100 }], failsAfterMs: 5_000 });
    const seen: boolean[] = [];
    for (const ms of [1_499, 1, 100]) {
      await cluster.runFor(ms);
      seen.push(isReady(podOf(cluster)));
    }
    expect(seen).toEqual([true, false, true]);
    await cluster.runFor(10_000);
    expect(podOf(cluster)?.status.phase).toBe('Failed');
  });

  test('can become unreachable: pods are Unknown meanwhile, and a deleted pod stays', async () => {
    await using cluster = await createCluster();
    const nodes = runPuppetNodes(cluster, { script: () => ({ readyAfterMs: 500, stopsAfterMs: 200 }) });
    const spec = { containers: [{ name: 'web', image: 'nginx:1' }] };
    const other = { namespace: 'default', name: 'other' };
    for (const metadata of [key, other]) await cluster.admin.create(pods, { metadata, spec });
    await cluster.runFor(1_000);
    nodes.lose(5_000);
    await cluster.admin.delete(pods, key);
    await cluster.runFor(4_900);
    expect([podOf(cluster)?.status.phase, isReady(podOf(cluster))]).toEqual(['Unknown', false]);
    await cluster.runFor(400);
    expect(podOf(cluster)).toBeUndefined();
    expect(isReady(cluster.storage.get(pods, other) as Pod)).toBe(true);
  });

  test('let a deleted pod stop first, and then remove it', async () => {
    await using cluster = await withPod({});
    await cluster.runFor(1_000);
    await cluster.admin.delete(pods, key);
    await cluster.runFor(199);
    expect(podOf(cluster)?.metadata.deletionTimestamp).toBeDefined();
    await cluster.runFor(1);
    expect(podOf(cluster)).toBeUndefined();
  });

  test('take at most the grace period', async () => {
    await using cluster = await withPod({ stopsAfterMs: 60_000 });
    await cluster.runFor(1_000);
    await cluster.admin.delete(pods, key, { gracePeriodSeconds: 2 });
    await cluster.runFor(2_000);
    expect(podOf(cluster)).toBeUndefined();
  });
});
