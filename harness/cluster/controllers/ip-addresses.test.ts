import { expect, test } from 'vitest';
import { ipAddresses } from '../../api/plain-resources.ts';
import { services } from '../../api/resource.ts';
import type { Components } from '../../contracts/component.ts';
import { type Cluster, createCluster } from '../cluster.ts';
import { runSecuredControllers } from './index.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const metadata = { namespace: 'default', name: 'web' };

async function running(): Promise<Cluster> {
  const cluster = await createCluster({ components });
  runSecuredControllers(cluster);
  await cluster.admin.create(services, {
    metadata,
    spec: { ports: [{ port: 80 }], clusterIP: '10.96.0.80' },
  });
  await cluster.runFor(1_000);
  return cluster;
}

const held = async ({ admin }: Cluster): Promise<readonly string[]> =>
  (await admin.list(ipAddresses)).items.map(
    ({ metadata, spec }) => `${metadata.name} ${spec.parentRef.name}`,
  );

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/service/ipallocator/controller/repairip_test.go
test('Each address of a Service has an IPAddress', async () => {
  await using cluster = await running();
  const { admin } = cluster;
  expect(await held(cluster)).toEqual(['10.96.0.1 kubernetes', '10.96.0.80 web']);
  expect(await admin.get(ipAddresses, { name: '10.96.0.80' })).toMatchObject({
    metadata: {
      labels: {
        'ipaddress.kubernetes.io/ip-family': 'IPv4',
        'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
      },
    },
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 'web' } },
  });
  const headless = { metadata: { ...metadata, name: 'headless' }, spec: { clusterIP: 'None' } };
  await admin.create(services, headless);
  await cluster.runFor(1_000);
  expect(await held(cluster)).toHaveLength(2);
});

test('An IPAddress is deleted with its Service, and recreated while the Service exists', async () => {
  await using cluster = await running();
  const { admin } = cluster;
  await admin.delete(ipAddresses, { name: '10.96.0.80' });
  await cluster.runFor(1_000);
  expect(await held(cluster)).toContain('10.96.0.80 web');
  await admin.delete(services, metadata);
  await cluster.runFor(1_000);
  expect(await held(cluster)).toEqual(['10.96.0.1 kubernetes']);
});

test('An IPAddress with another parent is recreated', async () => {
  await using cluster = await running();
  const { admin } = cluster;
  const parentRef = { group: 'example.com', resource: 'gateways', name: 'front' };
  for (const name of ['10.96.0.81', '192.168.0.1']) {
    await admin.create(ipAddresses, { metadata: { name }, spec: { parentRef } });
  }
  const spec = { ports: [{ port: 80 }], clusterIP: '10.96.0.81' };
  await admin.create(services, { metadata: { ...metadata, name: 'api' }, spec });
  await cluster.runFor(1_000);
  expect(await held(cluster)).toEqual([
    '10.96.0.1 kubernetes',
    '10.96.0.80 web',
    '10.96.0.81 api',
    '192.168.0.1 front',
  ]);
});
