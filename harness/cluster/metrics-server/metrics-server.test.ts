import { describe, expect, test } from 'vitest';
import type { New, Pod } from '../../api/objects.ts';
import { parseQuantity } from '../../api/quantity.ts';
import { pods } from '../../api/resource.ts';
import { createHandler } from '../../apiserver/handler/handler.ts';
import type { Components } from '../../contracts/component.ts';
import { createCluster } from '../cluster.ts';
import { kubeletServers } from '../nodes/kubelet-servers.ts';
import { runMetricsServer } from './metrics-server.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const METRICS = '/apis/metrics.k8s.io/v1beta1';

function pod(name: string, ...containers: readonly Pod['spec']['containers'][number][]): New<Pod> {
  return {
    metadata: { name, namespace: 'default', labels: { app: name } },
    spec: { nodeName: 'node-1', containers: [...containers] },
  };
}

const stress = (name: string, cpus: number, memory: string, limit?: string) => ({
  name,
  image: 'polinux/stress:1.0.4',
  command: ['stress', '--cpu', String(cpus), '--vm', '1', '--vm-bytes', memory],
  ...(limit === undefined ? {} : { resources: { limits: { cpu: limit } } }),
});

/** Creates a cluster with a node that runs these pods, a metrics-server, and a handler in front of both. */
async function measured(...created: readonly New<Pod>[]) {
  const cluster = await createCluster({ components });
  for (const node of ['node-1', 'node-2']) {
    cluster.addMachine(node, { preloaded: ['nginx:1.29', 'polinux/stress:1.0.4', 'busybox:1.37'] });
    cluster.runOnNode(node, 'kubelet');
  }
  const kubelets = kubeletServers(cluster);
  const { api, process } = runMetricsServer(cluster, kubelets);
  const handler = createHandler(cluster.admin, { kubelets, aggregated: [api] });
  for (const each of created) await cluster.admin.create(pods, each);
  const ask = async (path: string, accept = 'application/json') => {
    const request = new Request(`http://test${path}`, { headers: { Accept: accept } });
    const answer = await cluster.settle(handler(request));
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json');
    return { code: answer.status, text, body: isJson ? JSON.parse(text) : {} };
  };
  const table = (path: string) => ask(path, 'application/json;as=Table;v=v1;g=meta.k8s.io');
  return { cluster, process, ask, table };
}

describe('A metrics-server', () => {
  test('responds with 503 until it has scraped the nodes twice', async () => {
    const { cluster, ask } = await measured();
    await cluster.runFor(16_000);
    expect(await ask(`${METRICS}/nodes`)).toMatchObject({ code: 503, text: 'service unavailable\n' });
    await cluster.runFor(20_000);
    expect((await ask(`${METRICS}/nodes`)).code).toBe(200);
  });

  test('reports the usage of nodes, averaged over the last fifteen seconds', async () => {
    const { cluster, ask } = await measured(pod('hog', stress('main', 1, '100M', '500m')));
    await cluster.runFor(60_000);
    const { body } = await ask(`${METRICS}/nodes`);
    expect(body).toMatchObject({
      kind: 'NodeMetricsList',
      apiVersion: 'metrics.k8s.io/v1beta1',
      metadata: {},
      items: [
        {
          metadata: { name: 'node-1', labels: { 'kubernetes.io/hostname': 'node-1' } },
          window: '15s',
          // Half a CPU, the limit of the container, plus the usage of the machine itself.
          usage: { cpu: '550m', memory: '612Mi' },
        },
        { metadata: { name: 'node-2' }, usage: { cpu: '50m', memory: '512Mi' } },
      ],
    });
    const [{ timestamp, metadata }] = body.items;
    expect(Date.parse(metadata.creationTimestamp) - Date.parse(timestamp)).toBeGreaterThanOrEqual(0);
    expect(Date.parse(metadata.creationTimestamp) - Date.parse(timestamp)).toBeLessThan(16_000);
    expect((await ask(`${METRICS}/nodes/node-2`)).body).toMatchObject({
      kind: 'NodeMetrics',
      metadata: { name: 'node-2' },
    });
  });

  test('reports the usage of pods, container by container', async () => {
    const { cluster, ask, table } = await measured(
      pod('hog', stress('big', 1, '100M'), stress('small', 0, '20M', '100m')),
      pod('web', { name: 'nginx', image: 'nginx:1.29' }),
    );
    await cluster.runFor(60_000);
    const path = `${METRICS}/namespaces/default/pods`;
    expect((await ask(`${path}/hog`)).body).toMatchObject({
      kind: 'PodMetrics',
      metadata: { name: 'hog', namespace: 'default', labels: { app: 'hog' } },
      containers: [
        { name: 'big', usage: { cpu: '2', memory: '100Mi' } },
        { name: 'small', usage: { cpu: '100m', memory: '20Mi' } },
      ],
    });
    const columns = [
      { name: 'Name', type: 'string', format: 'name' },
      { name: 'cpu', type: 'string', format: 'quantity' },
      { name: 'memory', type: 'string', format: 'quantity' },
      { name: 'Window', type: 'string', format: 'duration' },
    ];
    const { body } = await table(path);
    expect(body).toMatchObject({ kind: 'Table', columnDefinitions: columns });
    expect(body.rows.map(({ cells }: { cells: unknown }) => cells)).toEqual([
      ['hog', '2100m', '120Mi', '15s'],
      ['web', '0', '8Mi', '15s'],
    ]);
  });

  test('reports the usage of a new pod since its start', async () => {
    const { cluster, ask } = await measured();
    // The nodes are scraped every fifteen seconds: the next scrape is in 13 s.
    await cluster.runFor(62_000);
    await cluster.admin.create(pods, pod('young', stress('main', 1, '1M')));
    await cluster.runFor(15_000);
    const [{ window, containers }] = (await ask(`${METRICS}/pods`)).body.items;
    expect(Number.parseFloat(window)).toBeGreaterThan(10);
    expect(Number.parseFloat(window)).toBeLessThan(15);
    expect(parseQuantity(containers[0].usage.cpu).milliValue()).toBeGreaterThan(1_900);
    expect(parseQuantity(containers[0].usage.cpu).milliValue()).toBeLessThan(2_001);
  });

  test('applies selectors as the API does', async () => {
    const nginx = { name: 'nginx', image: 'nginx:1.29' };
    const { cluster, ask, table } = await measured(pod('a', nginx), pod('b', nginx));
    await cluster.runFor(60_000);
    const names = async (query: string, path = `${METRICS}/pods`) =>
      (await ask(`${path}?${query}`)).body.items.map(
        ({ metadata }: { metadata: { name: string } }) => metadata.name,
      );
    expect(await names('')).toEqual(['a', 'b']);
    expect(await names('labelSelector=app=b')).toEqual(['b']);
    expect(await names('fieldSelector=metadata.name!=b')).toEqual(['a']);
    expect(await names('fieldSelector=metadata.namespace=other')).toEqual([]);
    expect(await names('', `${METRICS}/namespaces/kube-system/pods`)).toEqual([]);
    expect(await names('labelSelector=kubernetes.io/hostname=node-2', `${METRICS}/nodes`)).toEqual([
      'node-2',
    ]);
    expect((await ask(`${METRICS}/pods?fieldSelector=spec.nodeName=node-1`)).body).toMatchObject({
      code: 400,
      message: '"spec.nodeName" is not a known field selector: only "metadata.name", "metadata.namespace"',
    });
    const empty = await table(`${METRICS}/namespaces/kube-system/pods`);
    expect(empty.body).toMatchObject({ columnDefinitions: null, rows: null });
  });

  test('responds with 404 for a pod that does not run or is too new', async () => {
    const { cluster, ask } = await measured(pod('ill', { name: 'main', image: 'registry.k8s.io/none:1' }));
    await cluster.runFor(60_000);
    await cluster.admin.create(pods, pod('young', { name: 'main', image: 'nginx:1.29' }));
    await cluster.runFor(5_000);
    const path = `${METRICS}/namespaces/default/pods`;
    for (const [name, message] of [
      ['ill', 'pods "ill" not found'],
      ['none', 'pods "none" not found'],
      ['young', 'podmetrics.metrics.k8s.io "default/young" not found'],
    ]) {
      expect((await ask(`${path}/${name}`)).body).toMatchObject({ code: 404, message });
    }
    expect((await ask(`${METRICS}/nodes/none`)).body).toMatchObject({ message: 'nodes "none" not found' });
  });

  test('forgets a node that does not respond, and everything after a restart', async () => {
    const { cluster, process, ask } = await measured();
    await cluster.runFor(60_000);
    cluster.machine('node-1')?.powerOff();
    await cluster.runFor(30_000);
    expect((await ask(`${METRICS}/nodes/node-1`)).body).toMatchObject({
      message: 'nodemetrics.metrics.k8s.io "node-1" not found',
    });
    expect((await ask(`${METRICS}/nodes/node-2`)).code).toBe(200);
    process.crash();
    process.start();
    await cluster.runFor(5_000);
    expect((await ask(`${METRICS}/nodes`)).code).toBe(503);
  });

  test('appears in discovery and OpenAPI, is read-only, and is absent if it is not installed', async () => {
    const { cluster, ask } = await measured();
    await cluster.runFor(60_000);
    expect((await ask(METRICS)).body.resources).toEqual([
      { name: 'nodes', singularName: '', namespaced: false, kind: 'NodeMetrics', verbs: ['get', 'list'] },
      { name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] },
    ]);
    expect((await ask('/apis')).body.groups.at(-1).name).toBe('metrics.k8s.io');
    const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    expect((await ask('/apis', aggregated)).body.items.at(-1)).toMatchObject({
      metadata: { name: 'metrics.k8s.io' },
      versions: [{ version: 'v1beta1', resources: [{ resource: 'nodes' }, { resource: 'pods' }] }],
    });
    const document = (await ask('/openapi/v3/apis/metrics.k8s.io/v1beta1')).body;
    expect(Object.keys(document.components.schemas)).toContain(
      'io.k8s.metrics.pkg.apis.metrics.v1beta1.PodMetrics',
    );
    expect((await ask(`${METRICS}/pods?watch=true`)).code).toBe(405);
    const alone = createHandler(cluster.admin);
    const answer = await alone(new Request(`http://test${METRICS}/pods`));
    expect([answer.status, await answer.text()]).toEqual([404, '404 page not found\n']);
  });
});
