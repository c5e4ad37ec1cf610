import { expect, test } from 'vitest';
import type { APIService, New } from '../../api/objects.ts';
import { apiServices, customResourceDefinitions } from '../../api/plain-resources.ts';
import { endpointSlices, services } from '../../api/resource.ts';
import type { Components } from '../../contracts/component.ts';
import { type Cluster, createCluster } from '../cluster.ts';
import { runSecuredControllers } from './index.ts';

const { components } = (await import('#components')) as { readonly components: Components };

async function running(): Promise<Cluster> {
  const cluster = await createCluster({ components });
  runSecuredControllers(cluster);
  await cluster.runFor(1_000);
  return cluster;
}

const namesOf = async ({ admin }: Cluster): Promise<readonly string[]> =>
  (await admin.list(apiServices)).items.map(({ metadata }) => metadata.name);

const foreign: New<APIService> = {
  metadata: { name: 'v1beta1.metrics.example.com' },
  spec: {
    group: 'metrics.example.com',
    version: 'v1beta1',
    service: { namespace: 'default', name: 'metrics' },
    groupPriorityMinimum: 100,
    versionPriority: 100,
  },
};
const name = foreign.metadata.name as string;

test('each served version of a group has an available APIService', async () => {
  await using cluster = await running();
  const names = await namesOf(cluster);
  expect(names).toEqual(
    expect.arrayContaining(['v1.', 'v1.apps', 'v2.autoscaling', 'v1.apiextensions.k8s.io']),
  );
  // Upstream registers no APIService for the group of APIServices.
  expect(names).not.toContain('v1.apiregistration.k8s.io');
  expect(await cluster.admin.get(apiServices, { name: 'v1.apps' })).toMatchObject({
    metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' } },
    spec: { group: 'apps', version: 'v1', groupPriorityMinimum: 17_800, versionPriority: 15 },
    status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
  });
});

test('a built-in APIService is created once; a deleted one stays deleted', async () => {
  await using cluster = await running();
  await cluster.admin.delete(apiServices, { name: 'v1.apps' });
  await cluster.runFor(1_000);
  expect(await namesOf(cluster)).not.toContain('v1.apps');
});

test('the APIService of a custom group follows its definition', async () => {
  await using cluster = await running();
  const { admin } = cluster;
  const version = { served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } };
  const definition = await admin.create(customResourceDefinitions, {
    metadata: { name: 'tabs.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'tabs', kind: 'Tab' },
      versions: [
        { ...version, name: 'v1', storage: true },
        { ...version, name: 'v2' },
      ],
    },
  });
  await cluster.runFor(1_000);
  expect(await namesOf(cluster)).toEqual(expect.arrayContaining(['v1.example.com', 'v2.example.com']));
  await admin.delete(apiServices, { name: 'v2.example.com' });
  await cluster.runFor(1_000);
  expect(await namesOf(cluster)).toContain('v2.example.com');
  await admin.delete(customResourceDefinitions, { name: definition.metadata.name });
  await cluster.runFor(1_000);
  expect((await namesOf(cluster)).filter((each) => each.endsWith('.example.com'))).toEqual([]);
});

test('an APIService that a user creates for a custom group stays as it is', async () => {
  await using cluster = await running();
  await cluster.admin.create(apiServices, foreign);
  await cluster.runFor(1_000);
  const { metadata, spec } = await cluster.admin.get(apiServices, { name });
  expect([metadata.labels, spec.groupPriorityMinimum]).toEqual([undefined, 100]);
});

test('the condition of a foreign APIService reports the first obstacle', async () => {
  await using cluster = await running();
  const { admin } = cluster;
  const available = async (): Promise<readonly unknown[]> => {
    await cluster.runFor(1_000);
    const { status } = await admin.get(apiServices, { name });
    return (status.conditions ?? []).map(({ status, reason, message }) => [status, reason, message]);
  };
  const which = 'service/metrics in "default"';
  await admin.create(apiServices, foreign);
  expect(await available()).toEqual([['False', 'ServiceNotFound', `${which} is not present`]]);
  const metadata = { namespace: 'default', name: 'metrics' };
  const clusterIP = '10.96.0.80';
  const service = await admin.create(services, {
    metadata,
    spec: { clusterIP, ports: [{ port: 80 }] },
  });
  expect(await available()).toEqual([['False', 'ServicePortError', `${which} is not listening on port 443`]]);
  const ports = [{ name: 'https', port: 443, targetPort: 8443 }];
  await admin.update(services, { ...service, spec: { ...service.spec, ports } });
  expect(await available()).toEqual([
    ['False', 'EndpointsNotFound', `cannot find endpointslices for ${which}`],
  ]);
  const slice = await admin.create(endpointSlices, {
    metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'metrics' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.244.0.2'], conditions: { ready: false } }],
    ports: [{ name: 'https', port: 8443 }],
  });
  expect(await available()).toEqual([
    ['False', 'MissingEndpoints', `endpointslices for ${which} have no addresses with port name "https"`],
  ]);
  const endpoints = [{ addresses: ['10.244.0.2'], conditions: { ready: true } }];
  await admin.update(endpointSlices, { ...slice, endpoints });
  expect(await available()).toEqual([
    [
      'False',
      'FailedDiscoveryCheck',
      `failing or missing response from https://${clusterIP}:443/apis/metrics.example.com/v1beta1: this apiserver passes no request on to a Service`,
    ],
  ]);
});
