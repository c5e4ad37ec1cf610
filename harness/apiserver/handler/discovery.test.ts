import { describe, expect, test } from 'vitest';
import { resources } from '../../api/resource.ts';
import type { Client } from '../../contracts/client.ts';
import { createHandler } from './handler.ts';

/** Discovery sends no requests to the client. */
const handler = createHandler({} as Client);

const get = (path: string, accept = 'application/json', headers: Record<string, string> = {}) =>
  handler(new Request(`http://apiserver.test:6443${path}`, { headers: { accept, ...headers } }));
const read = async <T>(path: string): Promise<T> => (await get(path)).json() as Promise<T>;

interface Named {
  readonly name: string;
}

const aggregated = (version: string) =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

describe('discovery', () => {
  test('lists the versions of the core group', async () => {
    expect(await read('/api')).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: 'apiserver.test:6443' }],
    });
  });

  test('lists the groups and their versions', async () => {
    const { kind, apiVersion, groups } = await read<{ kind: string; apiVersion: string; groups: Named[] }>(
      '/apis',
    );
    expect([kind, apiVersion]).toEqual(['APIGroupList', 'v1']);
    expect(groups.map((group) => group.name)).toEqual([
      ...['apiregistration.k8s.io', 'apps', 'events.k8s.io', 'authentication.k8s.io'],
      ...['authorization.k8s.io', 'autoscaling', 'batch', 'certificates.k8s.io', 'networking.k8s.io'],
      ...['policy', 'rbac.authorization.k8s.io', 'storage.k8s.io', 'admissionregistration.k8s.io'],
      ...['apiextensions.k8s.io', 'scheduling.k8s.io', 'coordination.k8s.io', 'node.k8s.io'],
      'discovery.k8s.io',
    ]);
    const version = { groupVersion: 'apps/v1', version: 'v1' };
    const apps = { name: 'apps', versions: [version], preferredVersion: version };
    expect(groups[1]).toEqual(apps);
    expect(await read('/apis/apps')).toEqual({ kind: 'APIGroup', apiVersion: 'v1', ...apps });
  });

  test('lists the resources of a version and their subresources', async () => {
    const { groupVersion, resources: entries } = await read<{ groupVersion: string; resources: Named[] }>(
      '/apis/apps/v1',
    );
    expect(groupVersion).toBe('apps/v1');
    const all = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
    const changes = ['get', 'patch', 'update'];
    expect(entries.filter(({ name }) => name.startsWith('deployments'))).toEqual([
      {
        name: 'deployments',
        singularName: 'deployment',
        namespaced: true,
        kind: 'Deployment',
        verbs: all,
        shortNames: ['deploy'],
        categories: ['all'],
        storageVersionHash: '8aSe+NMegvE=',
      },
      {
        name: 'deployments/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: changes,
      },
      { name: 'deployments/status', singularName: '', namespaced: true, kind: 'Deployment', verbs: changes },
    ]);
    const core = await read<{ resources: (Named & { verbs: string[] })[] }>('/api/v1');
    const names = core.resources.map((entry) => entry.name);
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(
      expect.arrayContaining([
        ...['bindings', 'pods', 'pods/binding', 'pods/ephemeralcontainers', 'pods/eviction', 'pods/status'],
        'serviceaccounts/token',
      ]),
    );
    const [namespaces] = core.resources.filter((entry) => entry.name === 'namespaces');
    expect(namespaces?.verbs).not.toContain('deletecollection');
    const [finalize] = core.resources.filter((entry) => entry.name === 'namespaces/finalize');
    expect(finalize?.verbs).toEqual(['update']);
    const reviews = await read<typeof core>('/apis/authorization.k8s.io/v1');
    expect(reviews.resources.map(({ verbs }) => verbs)).toEqual(Array(4).fill(['create']));
  });

  // Upstream: kubernetes/kubernetes@v1.36.3 api/discovery/*.json
  test.each([
    ['v1', 'pods', 'xPOwRZ+Yhw8='],
    ['events.k8s.io/v1', 'events', 'r2yiGXH7wu8='],
    ['v1', 'events', 'r2yiGXH7wu8='],
    ['autoscaling/v1', 'horizontalpodautoscalers', 'qwQve8ut294='],
    ['autoscaling/v2', 'horizontalpodautoscalers', 'qwQve8ut294='],
    ['apiextensions.k8s.io/v1', 'customresourcedefinitions', 'jfWCUB31mvA='],
    ['v1', 'bindings', undefined],
    ['v1', 'pods/status', undefined],
    ['authentication.k8s.io/v1', 'tokenreviews', undefined],
  ])('reports in which version %s stores %s', async (version, plural, hash) => {
    const path = version === 'v1' ? '/api/v1' : `/apis/${version}`;
    const { resources: entries } = await read<{
      resources: (Named & { storageVersionHash?: string })[];
    }>(path);
    expect(entries.find(({ name }) => name === plural)?.storageVersionHash).toBe(hash);
  });

  test('returns everything in one aggregated document', async () => {
    const response = await get('/apis', `${aggregated('v2')}, application/json`);
    expect(response.headers.get('content-type')).toBe(aggregated('v2'));
    const { kind, apiVersion, items } = (await response.json()) as {
      kind: string;
      apiVersion: string;
      items: { metadata: { name?: string }; versions: { resources: { resource: string }[] }[] }[];
    };
    expect([kind, apiVersion]).toEqual(['APIGroupDiscoveryList', 'apidiscovery.k8s.io/v2']);
    const core = (await (await get('/api', aggregated('v2'))).json()) as { items: typeof items };
    const told = [...core.items, ...items].flatMap((group) =>
      group.versions.flatMap((each) => each.resources),
    );
    expect(told).toHaveLength(resources.length + 1);
    expect(core.items[0]?.metadata).toEqual({});
    const [deployments] = told.filter(({ resource }) => resource === 'deployments');
    expect(deployments).toMatchObject({
      resource: 'deployments',
      responseKind: { group: 'apps', version: 'v1', kind: 'Deployment' },
      scope: 'Namespaced',
      singularResource: 'deployment',
      shortNames: ['deploy'],
      subresources: [
        { subresource: 'status', responseKind: { group: 'apps', version: 'v1', kind: 'Deployment' } },
        { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' } },
      ],
    });
  });

  test('returns the aggregated document in YAML', async () => {
    const response = await get('/apis', aggregated('v2').replace('json', 'yaml'));
    expect(response.headers.get('content-type')).toBe(aggregated('v2').replace('json', 'yaml'));
    expect(await response.text()).toContain('kind: APIGroupDiscoveryList');
  });

  // Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/discovery/aggregated/handler_test.go TestEtagMatching
  test('answers 304 to a client that has the current document', async () => {
    for (const path of ['/api', '/apis']) {
      const { headers } = await get(path, aggregated('v2'));
      const etag = headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[0-9A-F]{128}"$/);
      expect([headers.get('vary'), headers.get('cache-control')]).toEqual(['Accept', 'public']);
      const again = (has: string) => get(path, aggregated('v2'), { 'if-none-match': has });
      const known = await again(etag);
      expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, etag, '']);
      expect((await again(etag.toLowerCase())).status).toBe(200);
    }
  });

  test('no longer serves the aggregated document in the beta version', async () => {
    const plain = await get('/apis', `${aggregated('v2beta1')}, application/json`);
    expect(await plain.json()).toMatchObject({ kind: 'APIGroupList' });
    expect((await get('/apis', aggregated('v2beta1'))).status).toBe(406);
  });

  test('reports the release and its health', async () => {
    expect(await read('/version')).toMatchObject({ major: '1', minor: '36', gitVersion: 'v1.36.3' });
    for (const path of ['/healthz', '/livez', '/readyz']) expect(await (await get(path)).text()).toBe('ok');
  });

  test('lists the paths that it serves', async () => {
    const { paths } = await read<{ paths: string[] }>('/');
    expect(paths).toEqual(expect.arrayContaining(['/api', '/api/v1', '/apis', '/apis/apps/v1', '/version']));
  });
});
