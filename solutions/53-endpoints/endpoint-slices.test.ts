import { describe, expect, test } from 'vitest';
import {
  type Client,
  type EndpointSlice,
  endpointSlices,
  events,
  type Node,
  nodes,
  pods,
  services,
} from '#harness';
import { type Cluster, createCluster } from '#harness/testing';
import { components } from '../components.ts';
import { newEndpointSliceController } from './endpoint-slice-controller.ts';
import { node, pod, service } from './objects.fixture.ts';

const PROCESS = 'endpointslice-controller';

/** Creates a cluster with one node, the Service `web`, and the controller. */
async function started(
  options: { readonly spec?: Parameters<typeof service>[0]; readonly maxEndpointsPerSlice?: number } = {},
): Promise<Cluster> {
  const cluster = await createCluster({ seed: 7, components });
  const { admin } = cluster;
  await admin.create(nodes, { metadata: { name: 'node-1', ...labelsOf(node) }, spec: {} });
  await createService(admin, options.spec);
  cluster.run(PROCESS, newEndpointSliceController(options));
  await cluster.runFor(2_000);
  return cluster;
}

/** A second write may have to wait until the cache shows the first one: the next sync is at least a second later. */
const WRITTEN_TWICE_MS = 3_000;

const labelsOf = ({ metadata: { labels = {} } }: Node) => ({ labels });

async function createService(admin: Client, spec: Parameters<typeof service>[0] = {}): Promise<void> {
  const { spec: whole } = service(spec);
  await admin.create(services, { metadata: { name: 'web', namespace: 'default' }, spec: whole });
}

/** Creates a running pod, as its kubelet reports it. */
async function run(cluster: Cluster, name: string, options: Parameters<typeof pod>[1] = {}): Promise<void> {
  const { spec, status, metadata } = pod(name, options);
  const { labels = {} } = metadata;
  const { admin } = cluster;
  const containers = spec.containers.map((each) => ({ ...each, image: 'nginx' }));
  const created = await admin.create(pods, {
    metadata: { name, namespace: 'default', labels },
    spec: { ...spec, containers },
  });
  await admin.updateStatus(pods, { ...created, status });
}

async function report(cluster: Cluster, name: string, status: object): Promise<void> {
  const current = await cluster.admin.get(pods, { namespace: 'default', name });
  await cluster.admin.updateStatus(pods, { ...current, status: { ...current.status, ...status } });
}

async function slicesIn(cluster: Cluster): Promise<readonly EndpointSlice[]> {
  return (await cluster.admin.list(endpointSlices, { namespace: 'default' })).items;
}

/** Returns the addresses of each slice, with their conditions. */
async function seen(cluster: Cluster): Promise<readonly (readonly string[])[]> {
  return (await slicesIn(cluster)).map(({ endpoints }) =>
    (endpoints ?? []).map(({ addresses, conditions = {} }) => {
      const { ready, serving, terminating } = conditions;
      const words = [ready && 'ready', serving && 'serving', terminating && 'terminating'].filter(Boolean);
      return [addresses.join(), ...words].join(' ');
    }),
  );
}

describe('EndpointSlices of a Service', () => {
  test('are created empty', async () => {
    await using cluster = await started();
    const [slice, ...others] = await slicesIn(cluster);
    expect(others).toEqual([]);
    expect(slice).toMatchObject({
      metadata: {
        name: expect.stringMatching(/^web-[a-z0-9]{5}$/),
        labels: {
          'kubernetes.io/service-name': 'web',
          'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        },
        ownerReferences: [{ kind: 'Service', name: 'web', controller: true, blockOwnerDeletion: true }],
      },
      addressType: 'IPv4',
      endpoints: [],
      ports: [],
    });
  });

  test('follow a pod from its creation to its end', async () => {
    await using cluster = await started();
    const states: unknown[] = [];
    const look = async (): Promise<void> => {
      await cluster.runFor(1_000);
      states.push(...(await seen(cluster)));
    };
    await run(cluster, 'web-1', { ready: false });
    await look();
    await report(cluster, 'web-1', { conditions: [{ type: 'Ready', status: 'True' }] });
    await look();
    await cluster.admin.delete(pods, { namespace: 'default', name: 'web-1' });
    await look();
    await report(cluster, 'web-1', { phase: 'Succeeded' });
    await look();
    expect(states).toEqual([
      ['10.244.0.1'],
      ['10.244.0.1 ready serving'],
      ['10.244.0.1 serving terminating'],
      [],
    ]);
  });

  test('publish a pod that is not ready if the Service requests it', async () => {
    await using cluster = await started({ spec: { publishNotReadyAddresses: true } });
    await run(cluster, 'web-1', { ready: false });
    await cluster.runFor(1_000);
    expect(await seen(cluster)).toEqual([['10.244.0.1 ready']]);
  });

  test('distinguish two pods with the same address', async () => {
    await using cluster = await started();
    await run(cluster, 'web-1', { podIPs: ['10.244.0.9'] });
    await cluster.admin.delete(pods, { namespace: 'default', name: 'web-1' });
    await run(cluster, 'web-2', { podIPs: ['10.244.0.9'] });
    await cluster.runFor(WRITTEN_TWICE_MS);
    expect(await seen(cluster)).toEqual([['10.244.0.9 serving terminating', '10.244.0.9 ready serving']]);
    await cluster.admin.delete(pods, { namespace: 'default', name: 'web-1' }, { gracePeriodSeconds: 0 });
    await cluster.runFor(1_000);
    expect(await seen(cluster)).toEqual([['10.244.0.9 ready serving']]);
  });

  test('drop a pod that failed without ever being ready', async () => {
    await using cluster = await started();
    await run(cluster, 'web-1', { ready: false });
    await cluster.runFor(1_000);
    await report(cluster, 'web-1', { phase: 'Failed' });
    await cluster.runFor(1_000);
    expect(await seen(cluster)).toEqual([[]]);
  });

  test('are separate for pods with different numbers of a named port', async () => {
    await using cluster = await started({
      spec: { ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' }] },
    });
    const called = (containerPort: number) => ({
      spec: { containers: [{ name: 'main', ports: [{ name: 'http', containerPort }] }] },
    });
    await run(cluster, 'web-1', called(8080));
    await run(cluster, 'web-2', called(9090));
    await run(cluster, 'web-3');
    await cluster.runFor(WRITTEN_TWICE_MS);
    const slices = await slicesIn(cluster);
    const pairs = slices.map(({ ports, endpoints }) => [
      (ports ?? []).map(({ port }) => port),
      (endpoints ?? []).map(({ targetRef }) => targetRef?.name),
    ]);
    expect(pairs.toSorted()).toEqual([
      [[], ['web-3']],
      [[8080], ['web-1']],
      [[9090], ['web-2']],
    ]);
  });

  test('are filled up, and never merged', async () => {
    await using cluster = await started({ maxEndpointsPerSlice: 2 });
    for (const name of ['web-1', 'web-2', 'web-3', 'web-4']) await run(cluster, name);
    await cluster.runFor(2_000);
    expect((await seen(cluster)).map((each) => each.length)).toEqual([2, 2]);
    const [first = [], second = []] = await seen(cluster);
    for (const each of [first[0], second[0]]) {
      const name = `web-${each?.split(' ')[0]?.split('.')[3]}`;
      await cluster.admin.delete(pods, { namespace: 'default', name }, { gracePeriodSeconds: 0 });
    }
    await cluster.runFor(2_000);
    expect((await seen(cluster)).map((each) => each.length)).toEqual([1, 1]);
  });

  test('contain hints about the zones and nodes that should use an endpoint', async () => {
    await using cluster = await started({ spec: { trafficDistribution: 'PreferSameNode' } });
    await run(cluster, 'web-1');
    await run(cluster, 'web-2', { ready: false });
    await cluster.runFor(WRITTEN_TWICE_MS);
    const [slice] = await slicesIn(cluster);
    expect(slice?.endpoints?.map(({ zone, nodeName, hints }) => [zone, nodeName, hints])).toEqual([
      ['a', 'node-1', { forZones: [{ name: 'a' }], forNodes: [{ name: 'node-1' }] }],
      ['a', 'node-1', undefined],
    ]);
    const web = await cluster.admin.get(services, { namespace: 'default', name: 'web' });
    const { trafficDistribution: _, ...spec } = web.spec;
    await cluster.admin.update(services, { ...web, spec });
    await cluster.runFor(1_000);
    expect((await slicesIn(cluster))[0]?.endpoints?.map(({ hints }) => hints)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('have the labels of the Service, and a label if it is headless', async () => {
    await using cluster = await started({ spec: { clusterIP: 'None' } });
    const web = await cluster.admin.get(services, { namespace: 'default', name: 'web' });
    const labels = { tier: 'front', 'kubernetes.io/service-name': 'other' };
    await cluster.admin.update(services, { ...web, metadata: { ...web.metadata, labels } });
    await cluster.runFor(1_000);
    expect((await slicesIn(cluster)).map(({ metadata }) => metadata.labels)).toEqual([
      {
        tier: 'front',
        'kubernetes.io/service-name': 'web',
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        'service.kubernetes.io/headless': '',
      },
    ]);
  });

  test('are restored when a user changes or deletes them', async () => {
    await using cluster = await started();
    await run(cluster, 'web-1');
    await cluster.runFor(5_000);
    const [slice] = await slicesIn(cluster);
    if (!slice) throw new Error('There is no slice.');
    await cluster.admin.update(endpointSlices, { ...slice, endpoints: [] });
    await cluster.runFor(3_000);
    expect(await seen(cluster)).toEqual([['10.244.0.1 ready serving']]);
    await cluster.admin.deleteCollection(endpointSlices, { namespace: 'default' });
    await cluster.runFor(3_000);
    expect(await seen(cluster)).toEqual([['10.244.0.1 ready serving']]);
  });

  test('of an earlier Service are deleted when the Service is recreated', async () => {
    await using cluster = await started();
    const [before] = await slicesIn(cluster);
    await cluster.admin.delete(services, { namespace: 'default', name: 'web' });
    await createService(cluster.admin);
    await cluster.runFor(5_000);
    const slices = await slicesIn(cluster);
    expect(slices).toHaveLength(1);
    expect(slices[0]?.metadata.uid).not.toBe(before?.metadata.uid);
  });

  test('are left to other controllers for Services without a selector and of type ExternalName', async () => {
    await using cluster = await createCluster({ seed: 7, components });
    const { admin } = cluster;
    const metadata = { namespace: 'default' };
    await admin.create(services, {
      metadata: { ...metadata, name: 'bare' },
      spec: { ports: [{ port: 80 }] },
    });
    await admin.create(services, {
      metadata: { ...metadata, name: 'named' },
      spec: { type: 'ExternalName', externalName: 'example.com', selector: { app: 'web' } },
    });
    cluster.runComponents('endpointSliceController');
    await cluster.runFor(2_000);
    expect(await slicesIn(cluster)).toEqual([]);
  });

  test('leave out a pod whose node is unknown, with an event', async () => {
    await using cluster = await started();
    await run(cluster, 'web-1', { spec: { nodeName: 'node-2' } });
    await cluster.runFor(1_000);
    expect(await seen(cluster)).toEqual([[]]);
    const { items } = await cluster.admin.list(events, { namespace: 'default' });
    expect(items.map(({ reason, message }) => `${reason}: ${message}`)).toContain(
      'FailedToUpdateEndpointSlices: Error updating Endpoint Slices for Service default/web: ' +
        'skipping Pod web-1 for Service default/web: Node node-2 Not Found',
    );
    await cluster.admin.create(nodes, { metadata: { name: 'node-2' }, spec: {} });
    await cluster.runFor(60_000);
    expect(await seen(cluster)).toEqual([['10.244.0.1 ready serving']]);
  });
});

describe('The controller', () => {
  test('writes nothing if the slices are right, and nothing for a change that no endpoint includes', async () => {
    await using cluster = await started();
    await run(cluster, 'web-1');
    await cluster.runFor(5_000);
    const before = await slicesIn(cluster);
    await cluster.admin.patch(
      pods,
      { namespace: 'default', name: 'web-1' },
      { type: 'merge', body: { metadata: { annotations: { note: 'x' } } } },
    );
    await cluster.runFor(5_000);
    expect(await slicesIn(cluster)).toEqual(before);
  });

  test('does not drop a Service because its cache is out of date', async () => {
    await using cluster = await started();
    await run(cluster, 'web-1');
    await run(cluster, 'web-2', { spec: { nodeName: 'node-2' } });
    // By then, seven attempts have failed because of the unknown node. The first report is written. The next syncs fail
    // because the cache is out of date, including the sync a second after the write: in upstream, this failure makes
    // the controller drop the Service.
    await cluster.runFor(100_000);
    cluster.nemesis.strike({
      fault: 'delay-watches',
      process: PROCESS,
      resource: 'endpointslices',
      forMs: 5_000,
    });
    for (const status of ['False', 'True', 'False', 'True', 'False', 'True', 'False', 'True']) {
      await report(cluster, 'web-1', { conditions: [{ type: 'Ready', status }] });
      await cluster.runFor(60);
    }
    await cluster.runFor(1_000_000);
    expect(await seen(cluster)).toEqual([['10.244.0.1 ready serving']]);
  });

  test('records the time of the oldest change that a write includes', async () => {
    await using cluster = await started();
    await run(cluster, 'web-1', { ready: false });
    await cluster.runFor(1_000);
    const since = '2024-04-17T00:00:09Z';
    await report(cluster, 'web-1', {
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: since }],
    });
    await cluster.runFor(1_000);
    const [slice] = await slicesIn(cluster);
    expect(slice?.metadata.annotations).toEqual({
      'endpoints.kubernetes.io/last-change-trigger-time': since,
    });
  });
});
