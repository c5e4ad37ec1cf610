import { describe, expect, test } from 'vitest';
import { type Endpoints, endpoints, type Pod, pods, services } from '#harness';
import { type Cluster, createCluster } from '#harness/testing';
import { components } from '../components.ts';
import { pod, service } from './objects.fixture.ts';
import { subsetsOf, truncated } from './subsets.ts';

const web = { namespace: 'default', name: 'web' };

async function started(): Promise<Cluster> {
  const cluster = await createCluster({ seed: 7, components });
  await cluster.admin.create(services, { metadata: web, spec: service().spec });
  cluster.runComponents('endpointsController');
  await cluster.runFor(1_000);
  return cluster;
}

async function run(cluster: Cluster, name: string, options: Parameters<typeof pod>[1] = {}): Promise<void> {
  const { spec, status, metadata } = pod(name, options);
  const containers = spec.containers.map((each) => ({ ...each, image: 'nginx' }));
  const created = await cluster.admin.create(pods, {
    metadata: { name, namespace: 'default', ...(metadata.labels ? { labels: metadata.labels } : {}) },
    spec: { ...spec, containers },
  });
  await cluster.admin.updateStatus(pods, { ...created, status });
}

const read = (cluster: Cluster): Promise<Endpoints> => cluster.admin.get(endpoints, web);

describe('Endpoints of a Service', () => {
  test('are created with the Service, with its labels, and deleted with it', async () => {
    await using cluster = await started();
    expect(await read(cluster)).toMatchObject({
      metadata: { labels: { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' } },
    });
    await cluster.admin.delete(services, web);
    await cluster.runFor(1_000);
    expect(
      (await cluster.admin.list(endpoints, { namespace: 'default' })).items.map((each) => each.metadata.name),
    ).toEqual([]);
  });

  test('separate ready addresses from others, and leave out pods that are being deleted', async () => {
    await using cluster = await started();
    await run(cluster, 'web-1');
    await run(cluster, 'web-2', { ready: false });
    await run(cluster, 'web-3');
    await cluster.admin.delete(pods, { namespace: 'default', name: 'web-3' });
    await cluster.runFor(1_000);
    const { subsets } = await read(cluster);
    expect(subsets).toEqual([
      {
        addresses: [expect.objectContaining({ ip: '10.244.0.1', nodeName: 'node-1' })],
        notReadyAddresses: [expect.objectContaining({ ip: '10.244.0.2' })],
        ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
      },
    ]);
  });

  test('are recreated when they are deleted', async () => {
    await using cluster = await started();
    await cluster.admin.delete(endpoints, web);
    await cluster.runFor(1_000);
    expect((await read(cluster)).metadata.name).toBe('web');
  });

  test('of a Service that was deleted while no controller ran are deleted', async () => {
    await using cluster = await createCluster({ seed: 7, components });
    await cluster.admin.create(endpoints, { metadata: web, subsets: [] });
    cluster.runComponents('endpointsController');
    await cluster.runFor(1_000);
    await expect(read(cluster)).rejects.toThrow('endpoints "web" not found');
  });

  test('are not written if nothing that they contain has changed', async () => {
    await using cluster = await started();
    await run(cluster, 'web-1');
    await cluster.runFor(1_000);
    const before = await read(cluster);
    const key = { namespace: 'default', name: 'web-1' };
    const body = { metadata: { annotations: { note: 'x' } } };
    await cluster.admin.patch(pods, key, { type: 'merge', body });
    await cluster.runFor(1_000);
    expect(await read(cluster)).toEqual(before);
  });
});

describe('Subsets', () => {
  const ports = [
    { name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' },
    { name: 'metrics', port: 9000, protocol: 'TCP', targetPort: 9000 },
  ];

  test('group addresses with the same ports', () => {
    const named = (name: string): Pod =>
      pod(name, { spec: { containers: [{ name: 'main', ports: [{ name: 'http', containerPort: 8080 }] }] } });
    const subsets = subsetsOf(service({ ports }), [named('web-1'), pod('web-2'), named('web-3')]);
    expect(
      subsets.map(({ addresses = [], ports = [] }) => [
        addresses.map(({ ip }) => ip),
        ports.map(({ port }) => port),
      ]),
    ).toEqual([
      [['10.244.0.1', '10.244.0.2', '10.244.0.3'], [9000]],
      [['10.244.0.1', '10.244.0.3'], [8080]],
    ]);
  });

  test('of a headless Service do not need ports', () => {
    const subsets = subsetsOf(service({ clusterIP: 'None', ports: [] }), [pod('web-1')]);
    expect(subsets).toEqual([{ addresses: [expect.objectContaining({ ip: '10.244.0.1' })] }]);
  });

  test('contain at most a thousand addresses, the ready ones first', () => {
    const many = Array.from({ length: 1_500 }, (_, i) => pod(`web-${i}`, { ready: i % 2 === 0 }));
    const { subsets, isCut } = truncated(subsetsOf(service(), many));
    expect(isCut).toBe(true);
    expect(
      subsets.map(({ addresses = [], notReadyAddresses = [] }) => [
        addresses.length,
        notReadyAddresses.length,
      ]),
    ).toEqual([[750, 250]]);
    const ready = Array.from({ length: 1_500 }, (_, i) => pod(`web-${i}`));
    expect(truncated(subsetsOf(service(), ready)).subsets.map(({ addresses }) => addresses?.length)).toEqual([
      1000,
    ]);
    expect(truncated(subsetsOf(service(), ready.slice(0, 1000))).isCut).toBe(false);
  });
});
