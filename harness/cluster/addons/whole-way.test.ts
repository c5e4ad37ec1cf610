import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { New, Pod } from '../../api/objects.ts';
import { pods, services } from '../../api/resource.ts';
import { createHandler } from '../../apiserver/handler/handler.ts';
import type { Components } from '../../contracts/component.ts';
import { portmap } from '../../node/cni/portmap.ts';
import { createCluster } from '../cluster.ts';
import { podNetwork } from '../nodes/pod-network.ts';
import { nodeNames } from '../nodes/scripted-nodes.ts';
import { installCoreDns, kubeletWithNames } from './coredns.ts';
import { serveNames, useNameServer } from './outside-names.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const preloaded = ['nginx:1.29', 'registry.k8s.io/coredns/coredns:v1.14.2'];

/** Creates a cluster without scripted components, with CoreDNS and three web servers behind the Service `web`. */
async function wholeCluster() {
  const cluster = await createCluster({ components, kubeletConfiguration: kubeletWithNames });
  const outside = cluster.network.outside('dns');
  serveNames(outside, { 'example.com.': outside.ip });
  cluster.runComponents('deploymentController', 'replicaSetController', 'scheduler');
  cluster.runComponents('endpointSliceController', 'nodeIpamController');
  const { ipam, podNetwork } = components;
  for (const node of nodeNames(3)) {
    const plugins = { 'host-local': ipam, bridge: podNetwork, portmap };
    await useNameServer(cluster.addMachine(node, { preloaded, plugins }), outside.ip);
    cluster.runOnNode(node, 'kubelet', 'routeController', 'serviceProxy');
  }
  await installCoreDns(cluster.admin);
  const ports = [{ name: 'http', port: 80 }];
  await cluster.admin.create(services, { metadata: meta('web'), spec: { selector: { app: 'web' }, ports } });
  for (const name of ['web-0', 'web-1', 'web-2']) {
    await cluster.admin.create(pods, nginx(name, { metadata: { ...meta(name), labels: { app: 'web' } } }));
  }
  await cluster.runFor(60_000);
  /** Runs a script in a pod, and returns its output. */
  const shell = async (script: string): Promise<readonly string[]> => {
    const name = `client-${cluster.sim.elapsedMs}`;
    await cluster.admin.create(pods, nginx(name, { command: ['sh', '-c', script] }));
    await cluster.runFor(60_000);
    const { metadata, spec } = await cluster.admin.get(pods, meta(name));
    const path = `/var/log/pods/default_${name}_${metadata.uid}/main/0.log`;
    const text = await cluster.settle((cluster.machine(spec.nodeName ?? '') as Machine).files.readFile(path));
    return text.split('\n').flatMap((line) => line.split(' ').slice(3).join(' ') || []);
  };
  return Object.assign(cluster, { outside, shell });
}

type Machine = NonNullable<ReturnType<Awaited<ReturnType<typeof createCluster>>['machine']>>;

function meta(name: string) {
  return { namespace: 'default', name };
}

function nginx(
  name: string,
  {
    metadata = meta(name),
    command,
  }: { readonly metadata?: Pod['metadata'] | object; readonly command?: string[] },
): New<Pod> {
  const main = { name: 'main', image: 'nginx:1.29', ...(command && { command }) };
  return { metadata, spec: { restartPolicy: command ? 'Never' : 'Always', containers: [main] } };
}

describe('curl in a pod', () => {
  // The last test destroys this cluster.
  let cluster: Awaited<ReturnType<typeof wholeCluster>>;
  beforeAll(async () => {
    cluster = await wholeCluster();
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  test('reaches a Service by name, although the name server is behind a Service, too', async () => {
    const { spec } = await cluster.admin.get(services, meta('web'));
    const format = "-s -o /dev/null -w '%{http_code} %{remote_ip}\\n'";
    expect(await cluster.shell(`curl ${format} http://web; curl ${format} http://web.default`)).toEqual([
      `200 ${spec.clusterIP}`,
      `200 ${spec.clusterIP}`,
    ]);
  });

  test('reaches an external host by name, with the address of its node', async () => {
    const [seenFrom] = await cluster.shell('curl -s http://example.com');
    expect(nodeNames(3).map((node) => cluster.machine(node)?.host.ip)).toContain(seenFrom);
  });

  test('is not the only way to a pod: the apiserver has a proxy', async () => {
    const handler = createHandler(cluster.admin, { podNetwork: podNetwork(cluster) });
    const ask = async (path: string): Promise<[number, string]> => {
      const url = `http://apiserver.test/api/v1/namespaces/default/${path}`;
      const response = await cluster.settle(handler(new Request(url)));
      return [response.status, await response.text()];
    };
    for (const name of ['web-0', 'web-1', 'web-2']) {
      expect(await ask(`pods/${name}/proxy/`)).toEqual([200, expect.stringContaining('Welcome to nginx!')]);
    }
    const { status } = await cluster.admin.get(pods, meta('web-0'));
    const refused = `error trying to reach service: dial tcp ${status.podIP}:81: connect: connection refused`;
    expect(await ask('pods/web-0:81/proxy/')).toEqual([503, expect.stringContaining(refused)]);
  });

  test('resolves no name once the name server is deleted', async () => {
    const all = (await cluster.admin.list(pods)).items;
    await cluster.admin.delete(services, { namespace: 'kube-system', name: 'kube-dns' });
    expect(all.filter(({ metadata }) => metadata.name.startsWith('coredns'))).toHaveLength(2);
    await cluster.runFor(10_000);
    expect(await cluster.shell('curl http://web; echo $?')).toEqual([
      'curl: (6) Could not resolve host: web',
      '6',
    ]);
  });
});
