import { describe, expect, test } from 'vitest';
import type { Namespace, New, Pod, ResourceQuota } from '../../api/objects.ts';
import { resourceQuotas } from '../../api/plain-resources.ts';
import { configMaps, namespaces, pods, serviceAccounts } from '../../api/resource.ts';
import type { Components } from '../../contracts/component.ts';
import { type Cluster, type ClusterOptions, createCluster } from '../cluster.ts';
import { resourceQuotaController } from './resource-quota.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const key = { namespace: 'shop', name: 'quota' };

async function running(
  hard: Readonly<Record<string, string>>,
  options: Partial<ClusterOptions> = {},
): Promise<Cluster> {
  const cluster = await createCluster({ components, ...options });
  const create = <T>(request: Promise<T>): Promise<T> => cluster.settle(request);
  await create(cluster.admin.create(namespaces, { metadata: { name: 'shop' } } as New<Namespace>));
  await create(cluster.admin.create(serviceAccounts, { metadata: { namespace: 'shop', name: 'default' } }));
  cluster.run('resourcequota-controller', resourceQuotaController);
  await create(cluster.admin.create(resourceQuotas, { metadata: key, spec: { hard } } as New<ResourceQuota>));
  await cluster.runFor(1_000);
  return cluster;
}

const statusIn = async ({ admin }: Cluster) => (await admin.get(resourceQuotas, key)).status;

const pod = (name: string, cpu = '100m'): New<Pod> => ({
  metadata: { namespace: 'shop', name },
  spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu } } }] },
});

describe('The quota controller', () => {
  test('counts a new quota, also the resources without objects', async () => {
    await using cluster = await running({ pods: '2', secrets: '1', 'requests.nvidia.com/gpu': '1' });
    expect(await statusIn(cluster)).toEqual({
      hard: { pods: '2', secrets: '1', 'requests.nvidia.com/gpu': '1' },
      used: { pods: '0', secrets: '0', 'requests.nvidia.com/gpu': '0' },
    });
  });

  test('counts again after a delete, and when a pod ends', async () => {
    await using cluster = await running({ pods: '9', 'requests.cpu': '1', configmaps: '9' });
    const { admin } = cluster;
    await admin.create(configMaps, { metadata: { namespace: 'shop', name: 'a' } });
    for (const name of ['a', 'b', 'c']) await admin.create(pods, pod(name));
    // A new object is the business of the apiserver.
    await cluster.runFor(1_000);
    expect((await statusIn(cluster)).used).toEqual({ pods: '0', 'requests.cpu': '0', configmaps: '0' });
    await admin.delete(pods, { namespace: 'shop', name: 'a' });
    await cluster.runFor(1_000);
    expect((await statusIn(cluster)).used).toEqual({ pods: '2', 'requests.cpu': '200m', configmaps: '1' });
    const ended = await admin.get(pods, { namespace: 'shop', name: 'b' });
    await admin.updateStatus(pods, { ...ended, status: { ...ended.status, phase: 'Succeeded' } });
    await cluster.runFor(1_000);
    expect((await statusIn(cluster)).used).toMatchObject({ pods: '1', 'requests.cpu': '100m' });
  });

  test('counts every five minutes', async () => {
    await using cluster = await running({ pods: '9' });
    await cluster.admin.create(pods, pod('a'));
    await cluster.runFor(300_000);
    expect((await statusIn(cluster)).used).toEqual({ pods: '1' });
  });

  test('follows a change of the limits', async () => {
    await using cluster = await running({ pods: '9' });
    const { admin } = cluster;
    const quota = await admin.get(resourceQuotas, key);
    await admin.update(resourceQuotas, { ...quota, spec: { hard: { pods: '1', configmaps: '3' } } });
    await cluster.runFor(1_000);
    expect(await statusIn(cluster)).toEqual({
      hard: { pods: '1', configmaps: '3' },
      used: { pods: '0', configmaps: '0' },
    });
  });

  test('lets the apiserver refuse a pod beyond the quota, and admit it after a delete', async () => {
    await using cluster = await running({ pods: '1' }, { admission: components.admission });
    const { admin } = cluster;
    await cluster.settle(admin.create(pods, pod('a')));
    expect((await statusIn(cluster)).used).toEqual({ pods: '1' });
    await expect(cluster.settle(admin.create(pods, pod('b')))).rejects.toThrow(
      'pods "b" is forbidden: exceeded quota: quota, requested: pods=1, used: pods=1, limited: pods=1',
    );
    await cluster.settle(admin.delete(pods, { namespace: 'shop', name: 'a' }));
    await cluster.runFor(1_000);
    await cluster.settle(admin.create(pods, pod('b')));
    expect((await statusIn(cluster)).used).toEqual({ pods: '1' });
  });
});
