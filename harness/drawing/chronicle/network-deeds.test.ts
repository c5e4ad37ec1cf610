import { expect, test } from 'vitest';
import type { EndpointSlice, New } from '../../api/objects.ts';
import { endpointSlices, endpoints, nodes, services } from '../../api/resource.ts';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import { chronicle } from './chronicle.ts';

const told = ({ journal }: Cluster): string[] =>
  chronicle(journal.entries).map(({ who, what }) => `${who} ${what}`);

test('Pod addresses of several nodes form one sentence', async () => {
  await using cluster = await createCluster();
  const { admin } = cluster;
  const controller = cluster.as('node-ipam-controller');
  for (const [i, name] of ['node-1', 'node-2'].entries()) {
    const { spec, ...node } = await admin.create(nodes, { metadata: { name }, spec: {} });
    const podCIDR = `10.244.${i}.0/24`;
    await controller.update(nodes, { ...node, spec: { ...spec, podCIDR, podCIDRs: [podCIDR] } });
  }
  expect(told(cluster)).toEqual([
    'node-ipam-controller assigns pod addresses to node-1, node-2: 10.244.0.0/24, 10.244.1.0/24',
  ]);
});

test('A Service has its address, and a slice its number of ready endpoints', async () => {
  await using cluster = await createCluster();
  const { admin } = cluster;
  const metadata = { namespace: 'default', name: 'web' };
  await admin.create(services, { metadata, spec: { ports: [{ port: 80 }] } });
  const controller = cluster.as('endpointslice-controller');
  const slice = (ready: readonly boolean[]): New<EndpointSlice> => ({
    metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    endpoints: ready.map((each, i) => ({ addresses: [`10.244.0.${i + 2}`], conditions: { ready: each } })),
    ports: [],
  });
  await controller.create(endpointSlices, slice([]));
  await cluster.runFor(200);
  const { kind, apiVersion } = await controller.get(endpointSlices, metadata);
  await controller.update(endpointSlices, {
    kind,
    apiVersion,
    ...slice([false]),
    metadata: slice([]).metadata as { name: string },
  });
  await controller.update(endpointSlices, {
    kind,
    apiVersion,
    ...slice([true, false]),
    metadata: slice([]).metadata as { name: string },
  });
  await cluster.as('endpoints-controller').create(endpoints, { metadata, subsets: [] });
  await cluster.runFor(200);
  await admin.delete(endpointSlices, metadata);
  await admin.delete(services, metadata);
  expect(told(cluster)).toEqual([
    'admin creates Service web, 10.96.1.1:80',
    'endpointslice-controller updates the EndpointSlice of Service web: no endpoints',
    'endpointslice-controller updates the EndpointSlice of Service web: 1 of 2 endpoints ready',
    'admin removes EndpointSlice web of Service web',
    'admin removes Service web',
  ]);
});
