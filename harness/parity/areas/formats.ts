import { configMaps, deployments, pods } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { absent, has, present } from '../expectation.ts';
import { named, pod, replicated } from './manifests.ts';

const discovery = from('kubernetes/apiserver@v0.36.3 pkg/endpoints/discovery/version.go APIVersionHandler');
const aggregated = from(
  'kubernetes/apiserver@v0.36.3 pkg/endpoints/discovery/aggregated/handler.go resourceDiscoveryManager',
);
const negotiation = from(
  'kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/negotiation/negotiate.go NegotiateOutputMediaType',
);
const installer = from(
  'kubernetes/apiserver@v0.36.3 pkg/endpoints/installer.go APIInstaller.registerResourceHandlers',
);
const table = from('kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go AddHandlers');
const health = from('kubernetes/apiserver@v0.36.3 pkg/server/healthz/healthz.go InstallPathHandler');
const openapi = from(
  'kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/handler3/handler.go OpenAPIService',
);

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const APIS = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Discovery, media types, and URLs. */
export const formats = area(
  'Formats',
  discovery('/version names the version of Kubernetes', async (api) => {
    await api.raw('GET', '/version').answers(200, {
      gitVersion: /^v\d+\.\d+\.\d+/,
      major: /^\d+$/,
      minor: /^\d+/,
      platform: /^linux\//,
    });
  }),
  discovery('/api lists the versions of the core group', async (api) => {
    await api.raw('GET', '/api').answers(200, { kind: 'APIVersions', versions: ['v1'] });
  }),
  discovery('/apis lists the groups with their preferred versions', async (api) => {
    const apps = { name: 'apps', preferredVersion: { groupVersion: 'apps/v1', version: 'v1' } };
    await api.raw('GET', '/apis').answers(200, {
      kind: 'APIGroupList',
      groups: has(apps, { name: 'discovery.k8s.io' }, { name: 'coordination.k8s.io' }, { name: 'policy' }),
    });
  }),
  discovery('/apis/apps/v1 lists resources with their verbs and short names', async (api) => {
    await api.raw('GET', '/apis/apps/v1').answers(200, {
      kind: 'APIResourceList',
      groupVersion: 'apps/v1',
      resources: has(
        {
          name: 'deployments',
          singularName: 'deployment',
          namespaced: true,
          kind: 'Deployment',
          verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
          shortNames: ['deploy'],
          categories: ['all'],
        },
        {
          name: 'deployments/scale',
          group: 'autoscaling',
          version: 'v1',
          kind: 'Scale',
          verbs: ['get', 'patch', 'update'],
        },
        { name: 'deployments/status', kind: 'Deployment' },
      ),
    });
  }),
  aggregated('/apis lists all groups in one document', async (api) => {
    await api.raw('GET', '/apis', { accept: APIS }).answers(200, {
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      items: has({
        metadata: { name: 'apps' },
        versions: has({
          version: 'v1',
          freshness: 'Current',
          resources: has({
            resource: 'deployments',
            responseKind: { group: 'apps', version: 'v1', kind: 'Deployment' },
            scope: 'Namespaced',
            subresources: has({ subresource: 'scale' }, { subresource: 'status' }),
          }),
        }),
      }),
    });
  }),
  openapi('/openapi/v3 lists a document for each group version', async (api) => {
    await api.raw('GET', '/openapi/v3').answers(200, {
      paths: { 'api/v1': { serverRelativeURL: /^\/openapi\/v3\/api\/v1\?hash=/ }, 'apis/apps/v1': present },
    });
  }),
  (['/healthz', '/livez', '/readyz'] as const).map((path) =>
    health(`${path} answers ok`, async (api) => {
      await api.raw('GET', path, { accept: '*/*' }).answers(200, 'ok');
    }),
  ),
  table('A table of pods has the columns of kubectl get', async (api) => {
    await api.made(pods, pod('a', { spec: { schedulerName: 'nobody' } }));
    const columns = [
      'Name',
      'Ready',
      'Status',
      'Restarts',
      'Age',
      'IP',
      'Node',
      'Nominated Node',
      'Readiness Gates',
    ];
    await api.raw('GET', '/api/v1/namespaces/$namespace/pods', { accept: TABLE }).answers(200, {
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      columnDefinitions: columns.map((name) => ({ name })),
      rows: [
        {
          cells: ['a', '0/1', 'Pending', '0', /^\d+s$/, '<none>', '<none>', '<none>', '<none>'],
          object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' }, spec: absent },
        },
      ],
    });
  }),
  table('A table of Deployments shows ready, updated and available pods', async (api) => {
    await api.made(deployments, replicated('web', { replicas: 0 }));
    await api.raw('GET', '/apis/apps/v1/namespaces/$namespace/deployments', { accept: TABLE }).answers(200, {
      columnDefinitions: [
        'Name',
        'Ready',
        'Up-to-date',
        'Available',
        'Age',
        'Containers',
        'Images',
        'Selector',
      ].map((name) => ({ name })),
      rows: [{ cells: ['web', '0/0', 0, 0, /^\d+s$/, 'main', /pause/, 'app=web'] }],
    });
  }),
  table('A table can include whole objects', async (api) => {
    await api.made(configMaps, { ...named('a', { labels: { app: 'x' } }), data: { k: 'v' } });
    const query = { includeObject: 'Object', labelSelector: 'app=x' };
    await api
      .raw('GET', '/api/v1/namespaces/$namespace/configmaps', { accept: TABLE, query })
      .answers(200, { rows: [{ object: { kind: 'ConfigMap', data: { k: 'v' } } }] });
  }),
  negotiation('Metadata alone can be read', async (api) => {
    await api.made(configMaps, { ...named('a'), data: { k: 'v' } });
    await api.raw('GET', '/api/v1/namespaces/$namespace/configmaps/a', { accept: PARTIAL }).answers(200, {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { name: 'a' },
      data: absent,
    });
  }),
  negotiation('YAML is read and written', async (api) => {
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  k: v\n';
    const yaml = 'application/yaml';
    await api
      .raw('POST', '/api/v1/namespaces/$namespace/configmaps', { body, contentType: yaml })
      .answers(201, { data: { k: 'v' } });
    await api
      .raw('GET', '/api/v1/namespaces/$namespace/configmaps/a', { accept: yaml })
      .answers(200, /^apiVersion: v1\ndata:\n {2}k: v\nkind: ConfigMap\nmetadata:\n/);
  }),
  negotiation('An unknown media type is not acceptable', async (api) => {
    await api
      .raw('GET', '/api/v1/namespaces/$namespace/configmaps', { accept: 'text/html' })
      .refused(406, /^only the following media types are accepted: application\/json, /, {
        reason: 'NotAcceptable',
      });
  }),
  negotiation('A body of an unknown media type is rejected', async (api) => {
    await api
      .raw('POST', '/api/v1/namespaces/$namespace/configmaps', { body: 'x', contentType: 'text/plain' })
      .refused(
        415,
        /^the body of the request was in an unknown format - accepted media types include: application\/json, /,
      );
  }),
  installer('A method that a URL does not have is not allowed', async (api) => {
    await api
      .raw('PUT', '/api/v1/namespaces/$namespace/configmaps', { body: {} })
      .refused(405, 'the server does not allow this method on the requested resource', {
        reason: 'MethodNotAllowed',
      });
  }),
  installer('A resource that does not exist is not found', async (api) => {
    await api
      .raw('GET', '/api/v1/namespaces/$namespace/nothings')
      .refused(404, 'the server could not find the requested resource', { reason: 'NotFound' });
  }),
  installer('A resource without namespaces has no URL in a namespace', async (api) => {
    await api
      .raw('GET', '/api/v1/namespaces/$namespace/nodes')
      .refused(404, 'the server could not find the requested resource');
  }),
  installer('A list over all namespaces names the namespace of each item', async (api) => {
    await api.made(configMaps, named('a', { labels: { parity: api.namespace } }));
    await api
      .raw('GET', '/api/v1/configmaps', { query: { labelSelector: `parity=${api.namespace}` } })
      .answers(200, { items: [{ metadata: { name: 'a', namespace: api.namespace } }] });
  }),
);
