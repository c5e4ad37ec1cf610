import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import { deployments, endpointSlices, pods, services } from '../../api/resource.ts';
import type { Components } from '../../contracts/component.ts';
import { createCluster } from '../cluster.ts';
import { runNodes } from '../nodes/run-nodes.ts';
import { installCoreDns, kubeletWithNames } from './coredns.ts';
import { serveNames, useNameServer } from './outside-names.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const meta = { namespace: 'default', name: 'web' };
const ports = [{ name: 'http', port: 80 }];

/**
 * Creates a cluster with two nodes, CoreDNS on one of them, a web server `web` behind a headless service, and an
 * external name server.
 */
async function clusterWithNames() {
  const cluster = await createCluster({ components, kubeletConfiguration: kubeletWithNames });
  const { admin } = cluster;
  const outside = cluster.network.outside('dns');
  serveNames(outside, { 'example.com.': outside.ip });
  cluster.runComponents('deploymentController', 'replicaSetController');
  const preloaded = ['nginx:1.29', 'busybox:1.37', 'registry.k8s.io/coredns/coredns:v1.14.2'];
  const machines = runNodes(cluster, { count: 2, preloaded });
  for (const machine of machines) await useNameServer(machine, outside.ip);
  await installCoreDns(admin, { replicas: 1 });
  await admin.create(pods, { metadata: meta, spec: { containers: [{ name: 'main', image: 'nginx:1.29' }] } });
  await admin.create(services, { metadata: meta, spec: { clusterIP: 'None', ports } });
  await cluster.runFor(30_000);
  const list = async () => (await admin.list(pods)).items;
  const [dns] = (await list()).filter(({ metadata }) => metadata.name.startsWith('coredns'));
  const web = await admin.get(pods, meta);
  await admin.create(endpointSlices, {
    metadata: { ...meta, labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [ipOf(web)] }],
    ports,
  });
  const dnsConfig = {
    nameservers: [ipOf(dns)],
    searches: ['default.svc.cluster.local', 'svc.cluster.local', 'cluster.local'],
    options: [{ name: 'ndots', value: '5' }],
  };
  /** Runs a script in a pod, and returns its log. */
  const shell = async (
    script: string,
    { image = 'busybox:1.37', more = {} as Partial<core.PodSpec> } = {},
  ) => {
    const name = `client-${cluster.sim.elapsedMs}`;
    await admin.create(pods, {
      metadata: { namespace: 'default', name },
      spec: {
        restartPolicy: 'Never',
        dnsPolicy: 'None',
        dnsConfig,
        containers: [{ name: 'main', image, command: ['sh', '-c', script] }],
        ...more,
      },
    });
    await cluster.runFor(60_000);
    const pod = await admin.get(pods, { namespace: 'default', name });
    const machine = cluster.machine(pod.spec.nodeName ?? '');
    const directory = `/var/log/pods/default_${name}_${pod.metadata.uid}/main/0.log`;
    const log = await cluster.settle(machine?.files.readFile(directory) ?? Promise.resolve(''));
    return log
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ').slice(3).join(' '));
  };
  return Object.assign(cluster, { dns: dns as Pod, web, shell });
}

function ipOf(pod: Pod | undefined): string {
  return pod?.status?.podIP ?? '';
}

describe('CoreDNS in a cluster', () => {
  test('is ready once it has synced with the cluster', async () => {
    await using cluster = await clusterWithNames();
    const { status } = await cluster.admin.get(deployments, { namespace: 'kube-system', name: 'coredns' });
    expect(status?.readyReplicas).toBe(1);
    expect(cluster.dns.status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
  });

  test('resolves the short names of services to their addresses in pods', async () => {
    await using cluster = await clusterWithNames();
    expect(await cluster.shell('nslookup web; wget -qO- http://web.default')).toEqual(
      expect.arrayContaining([
        `Name:\tweb.default.svc.cluster.local`,
        `Address: ${ipOf(cluster.web)}`,
        "** server can't find web.svc.cluster.local: NXDOMAIN",
        '<head><title>Welcome to nginx!</title></head>',
      ]),
    );
  });

  test('forwards names outside the cluster', async () => {
    await using cluster = await clusterWithNames();
    const log = await cluster.shell('nslookup example.com');
    expect(log).toEqual(
      expect.arrayContaining(['Non-authoritative answer:', `Address: ${cluster.network.outside('dns').ip}`]),
    );
  });

  test('works with curl, which reports what went wrong', async () => {
    await using cluster = await clusterWithNames();
    const script =
      "curl -s -o /dev/null -w '%{http_code} %{remote_ip}\\n' http://web; curl http://none; curl http://web:81";
    expect(await cluster.shell(script, { image: 'nginx:1.29' })).toEqual([
      `200 ${ipOf(cluster.web)}`,
      'curl: (6) Could not resolve host: none',
      'curl: (7) Failed to connect to web port 81 after 0 ms: Could not connect to server',
    ]);
  });

  test('is announced in each pod by environment variables and resolv.conf', async () => {
    await using cluster = await clusterWithNames();
    const script = 'echo $KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT; cat /etc/resolv.conf';
    expect(await cluster.shell(script, { more: { dnsPolicy: 'ClusterFirst', dnsConfig: {} } })).toEqual([
      '10.96.0.1:443',
      'search default.svc.cluster.local svc.cluster.local cluster.local',
      'nameserver 10.96.0.10',
      'options ndots:5',
    ]);
    const { ip } = cluster.network.outside('dns');
    expect(
      await cluster.shell('cat /etc/resolv.conf', { more: { dnsPolicy: 'Default', dnsConfig: {} } }),
    ).toEqual([`nameserver ${ip}`]);
  });

  test('is a process of the cluster while its container runs', async () => {
    await using cluster = await clusterWithNames();
    const { name, namespace } = cluster.dns.metadata;
    const acts = () => cluster.trace.entries.filter(({ actor }) => actor === name).map(({ verb }) => verb);
    expect(acts()).toContain('watch');
    await cluster.admin.delete(pods, { namespace: namespace ?? '', name });
    await cluster.runFor(30_000);
    expect(acts().at(-1)).toBe('crash');
    const [next] = (await cluster.admin.list(pods)).items.filter(({ metadata }) =>
      metadata.name.startsWith('coredns'),
    );
    expect(next?.metadata.name).not.toBe(name);
  });
});
