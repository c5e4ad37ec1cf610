import { expect, test } from 'vitest';
import type { Pod, Service } from '../api/objects.ts';
import { pods, services } from '../api/resource.ts';
import type { Components } from '../contracts/index.ts';
import { kubeletServers } from './nodes/kubelet-servers.ts';
import { createWholeCluster } from './whole-cluster.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const NAMESPACE = 'default';

/** The lesson of many tutorials: `externalTrafficPolicy: Local` keeps the address of the client. */
test('The log of nginx shows the address of a node with SNAT, and the address of the client without it', async () => {
  const { cluster: whole } = await createWholeCluster({ components, nodes: 3, names: false });
  await using cluster = whole;
  await cluster.runFor(10_000);
  const key = { namespace: NAMESPACE, name: 'web' };
  const labels = { app: 'web' };
  await cluster.admin.create(pods, {
    metadata: { ...key, labels },
    spec: { nodeName: 'node-1', containers: [{ name: 'nginx', image: 'nginx:1.27' }] },
  } as never);
  const service = async (name: string, externalTrafficPolicy: string): Promise<number> => {
    const spec = { type: 'NodePort', externalTrafficPolicy, selector: labels, ports: [{ port: 80 }] };
    const metadata = { namespace: NAMESPACE, name };
    const stored: Service = await cluster.admin.create(services, { metadata, spec } as never);
    return stored.spec.ports?.[0]?.nodePort ?? 0;
  };
  const [anywhere, local] = [await service('anywhere', 'Cluster'), await service('local', 'Local')];
  await cluster.runFor(10_000);

  const ask = (host: string, port: number, path: string) => {
    const client = cluster.machine('node-3')?.host.network;
    const to = { scheme: 'http', method: 'GET', host, port, path, headers: {}, timeoutMs: 3_000 } as const;
    return cluster.settle(client?.request(to) ?? Promise.reject(new Error('no machine')));
  };
  await ask('192.168.0.2', anywhere, '/?through=node-2');
  await ask('192.168.0.1', local, '/?through=node-1');
  await expect(ask('192.168.0.2', local, '/')).rejects.toThrow('i/o timeout');

  const pod: Pod = await cluster.admin.get(pods, key);
  const { signal } = new AbortController();
  let log = '';
  const read = async (): Promise<void> => {
    const chunks = await kubeletServers(cluster)('node-1')?.containerLogs(
      { pod, container: 'nginx' },
      {},
      signal,
    );
    for await (const chunk of chunks ?? []) log += chunk;
  };
  await cluster.settle(read());
  const requests = log
    .split('\n')
    .flatMap((line) => /^(\S+) - - .*through=(\S+)/.exec(line)?.slice(1, 3).join(' for ') ?? []);
  expect(requests).toEqual(['192.168.0.2 for node-2', '192.168.0.3 for node-1']);
});
