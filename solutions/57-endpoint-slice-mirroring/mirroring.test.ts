import { describe, expect, test } from 'vitest';
import { type core, type EndpointSlice, endpointSlices, endpoints, events, services } from '#harness';
import { type Cluster, createCluster } from '#harness/testing';
import { components } from '../components.ts';

const key = { namespace: 'default', name: 'ext' };
const outside: core.EndpointSubset = { addresses: [{ ip: '192.0.2.7' }], ports: [{ port: 80 }] };

/** Runs the controller, with a Service without a selector and its Endpoints. */
async function running(subsets: core.EndpointSubset[] = [outside], metadata: object = {}): Promise<Cluster> {
  const cluster = await createCluster({ components, advertiseAddress: '192.168.0.1' });
  cluster.runComponents('endpointSliceMirroringController');
  await cluster.admin.create(services, { metadata: key, spec: { ports: [{ port: 80 }] } });
  await cluster.admin.create(endpoints, { metadata: { ...key, ...metadata }, subsets });
  await cluster.runFor(1_000);
  return cluster;
}

const slices = async ({ admin }: Cluster): Promise<readonly EndpointSlice[]> =>
  (await admin.list(endpointSlices, { labelSelector: 'kubernetes.io/service-name=ext' })).items;

/** `80 443: 192.0.2.7 192.0.2.8(not ready)` */
const summary = async (cluster: Cluster): Promise<readonly string[]> => {
  const lines = (await slices(cluster)).map(({ ports, endpoints: all }) => {
    const numbers = (ports ?? []).map(({ port }) => port).join(' ');
    const addresses = (all ?? []).map(
      (each) => `${each.addresses}${each.conditions?.ready ? '' : '(not ready)'}`,
    );
    return `${numbers}: ${addresses.join(' ')}`;
  });
  return lines.toSorted();
};

async function change(cluster: Cluster, body: object): Promise<void> {
  await cluster.admin.patch(endpoints, key, { type: 'merge', body });
  await cluster.runFor(1_000);
}

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/endpointslicemirroring/reconciler_test.go
describe('The slices of a Service without a selector', () => {
  test('mirror its Endpoints, and belong to them', async () => {
    await using cluster = await running();
    const { metadata } = await cluster.admin.get(endpoints, key);
    const [slice, ...others] = await slices(cluster);
    expect(others).toEqual([]);
    expect(slice).toMatchObject({
      metadata: {
        name: expect.stringMatching(/^ext-/),
        labels: {
          'kubernetes.io/service-name': 'ext',
          'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
        },
        ownerReferences: [{ kind: 'Endpoints', name: 'ext', uid: metadata.uid, controller: true }],
      },
      addressType: 'IPv4',
      ports: [{ name: '', port: 80, protocol: 'TCP' }],
      endpoints: [{ addresses: ['192.0.2.7'], conditions: { ready: true } }],
    });
  });

  test('follow changes of the Endpoints, and keep their names', async () => {
    await using cluster = await running();
    const names = async () => (await slices(cluster)).map(({ metadata }) => metadata.name);
    const before = await names();
    const subsets = [{ ...outside, ports: [{ port: 443 }], notReadyAddresses: [{ ip: '192.0.2.8' }] }];
    await change(cluster, { subsets });
    expect(await summary(cluster)).toEqual(['443: 192.0.2.7 192.0.2.8(not ready)']);
    expect(await names()).toEqual(before);
    await change(cluster, { subsets: null });
    expect(await summary(cluster)).toEqual([]);
  });

  test('have one slice for each set of ports and each family', async () => {
    const named = (name: string, port: number) => ({ name, port });
    await using cluster = await running([
      { addresses: [{ ip: '192.0.2.7' }, { ip: '2001:DB8::7' }], ports: [named('a', 80)] },
      { addresses: [{ ip: '192.0.2.7' }], ports: [named('b', 443)] },
      { notReadyAddresses: [{ ip: '2001:DB8::7' }], addresses: [{ ip: '192.0.2.9' }] },
      { addresses: [{ ip: '2001:DB8::7' }] },
    ]);
    expect(await summary(cluster)).toEqual([
      '443: 192.0.2.7',
      '80: 192.0.2.7',
      '80: 2001:db8::7',
      ': 192.0.2.9',
      ': 2001:db8::7(not ready)',
    ]);
    // Both ports have the same addresses, so one subset has both.
    await change(cluster, {
      subsets: [
        { addresses: [{ ip: '192.0.2.7' }], ports: [named('a', 80)] },
        { addresses: [{ ip: '192.0.2.7' }], ports: [named('b', 443)] },
      ],
    });
    expect(await summary(cluster)).toEqual(['80 443: 192.0.2.7']);
  });

  test('copy labels and annotations, except those about changes', async () => {
    const annotations = {
      note: 'n',
      'endpoints.kubernetes.io/last-change-trigger-time': '2024-04-17T00:00:00Z',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
    };
    await using cluster = await running([outside], { labels: { a: 'b' }, annotations });
    const [slice] = await slices(cluster);
    expect(slice?.metadata).toMatchObject({ labels: { a: 'b' } });
    expect(slice?.metadata.annotations).toEqual({ note: 'n' });
    await change(cluster, { metadata: { annotations: null, labels: { a: null, c: 'd' } } });
    const [after] = await slices(cluster);
    expect(Object.keys(after?.metadata.labels ?? {})).not.toContain('a');
    expect(after?.metadata).toMatchObject({ name: slice?.metadata.name, labels: { c: 'd' } });
    expect(after?.metadata.annotations).toBeUndefined();
  });

  test('are restored after a deletion or a change', async () => {
    await using cluster = await running();
    const { admin } = cluster;
    const [slice] = await slices(cluster);
    await admin.update(endpointSlices, { ...(slice as EndpointSlice), endpoints: [] });
    await cluster.runFor(1_000);
    expect(await summary(cluster)).toEqual(['80: 192.0.2.7']);
    await admin.delete(endpointSlices, { namespace: 'default', name: slice?.metadata.name ?? '' });
    await cluster.runFor(1_000);
    expect(await summary(cluster)).toEqual(['80: 192.0.2.7']);
    const { revision } = cluster.storage;
    await cluster.runFor(60_000);
    expect(cluster.storage.revision).toBe(revision);
  });

  test.each<[string, (cluster: Cluster) => Promise<unknown>]>([
    ['the Endpoints', ({ admin }) => admin.delete(endpoints, key)],
    ['the Service', ({ admin }) => admin.delete(services, key)],
  ])('are deleted with %s', async (_, remove) => {
    await using cluster = await running();
    await remove(cluster);
    await cluster.runFor(1_000);
    expect(await slices(cluster)).toEqual([]);
  });

  test.each([
    ['the Service has a selector', services, { spec: { selector: { app: 'ext' } } }],
    [
      'a label forbids it',
      endpoints,
      { metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } } },
    ],
    [
      'the Endpoints elect a leader',
      endpoints,
      { metadata: { annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } } },
    ],
  ])('are deleted once %s', async (_, resource, body) => {
    await using cluster = await running();
    await cluster.admin.patch(resource as typeof services, key, { type: 'merge', body });
    await cluster.runFor(1_000);
    expect(await slices(cluster)).toEqual([]);
  });

  test('have at most 1000 addresses of each subset', async () => {
    const addresses = Array.from({ length: 1_002 }, (_, i) => ({ ip: `192.0.${i >> 8}.${i & 255}` }));
    await using cluster = await running([{ ...outside, addresses }]);
    const [slice] = await slices(cluster);
    expect(slice?.endpoints).toHaveLength(1_000);
    const [event] = (await cluster.admin.list(events)).items;
    expect([event?.reason, event?.message]).toEqual([
      'TooManyAddressesToMirror',
      'A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 2 addresses were skipped',
    ]);
  });

  test('of the Service kubernetes come from the apiserver alone', async () => {
    await using cluster = await running();
    const { items } = await cluster.admin.list(endpointSlices, {
      labelSelector: 'kubernetes.io/service-name=kubernetes',
    });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['kubernetes']);
  });
});
