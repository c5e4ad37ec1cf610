import { expect, test } from 'vitest';
import { endpointSlices, endpoints, namespaces, services } from '../api/resource.ts';
import { createCluster } from './cluster.ts';

test('A new cluster has the system namespaces and the Service of its apiserver', async () => {
  await using cluster = await createCluster();
  const { admin } = cluster;
  const { items } = await admin.list(namespaces);
  expect(items.map(({ metadata, status }) => `${metadata.name} ${status.phase}`)).toEqual([
    'default Active',
    'kube-node-lease Active',
    'kube-public Active',
    'kube-system Active',
  ]);
  expect(await admin.get(services, { namespace: 'default', name: 'kubernetes' })).toMatchObject({
    metadata: { labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      type: 'ClusterIP',
      clusterIP: '10.96.0.1',
      clusterIPs: ['10.96.0.1'],
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
    },
  });
});

test('The Service kubernetes has an endpoint if the apiserver has an address', async () => {
  const at = { namespace: 'default', name: 'kubernetes' };
  await using nowhere = await createCluster();
  await expect(nowhere.admin.get(endpointSlices, at)).rejects.toThrow('not found');
  await using cluster = await createCluster({ advertiseAddress: '192.168.0.200' });
  const { admin } = cluster;
  const ports = [{ name: 'https', port: 6443, protocol: 'TCP' }];
  expect(await admin.get(endpointSlices, at)).toMatchObject({
    metadata: { labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    endpoints: [{ addresses: ['192.168.0.200'], conditions: { ready: true } }],
    ports,
  });
  expect((await admin.get(endpoints, at)).subsets).toEqual([{ addresses: [{ ip: '192.168.0.200' }], ports }]);
});

test("No other Service gets the apiserver's address", async () => {
  await using cluster = await createCluster();
  const metadata = { namespace: 'default', name: 'web' };
  const ask = (clusterIP?: string) =>
    cluster.admin.create(services, {
      metadata,
      spec: { ports: [{ port: 80 }], ...(clusterIP ? { clusterIP } : {}) },
    });
  await expect(ask('10.96.0.1')).rejects.toThrow(
    'failed to allocate IP 10.96.0.1: provided IP is already allocated',
  );
  expect((await ask()).spec.clusterIP).toBe('10.96.1.1');
});
