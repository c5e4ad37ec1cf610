import type { Event, Pod } from '../../../api/objects.ts';
import { events, pods } from '../../../api/resource.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import { runNodes } from '../../../cluster/nodes/run-nodes.ts';
import type { Components } from '../../../contracts/component.ts';
import type { CniPlugin } from '../../../contracts/node/cni-plugin.ts';
import { CniError } from '../../../contracts/node/network-plugin.ts';
import { readResult } from '../../../node/cni/result.ts';
import { type CniRequest, pluginMain } from '../../../node/cni/skel.ts';
import type { Machine } from '../../../node/machine.ts';
import { createCluster } from '../../../testing/noted-cluster.ts';

/** Calls the IPAM plugin, as plugins without address management do. */
async function delegate({ process }: CniRequest, command: string): Promise<string> {
  const { env, stdin } = process;
  const { code, stdout } = await process.run('host-local', { env: { ...env, CNI_COMMAND: command }, stdin });
  if (code === 0) return stdout;
  const said = JSON.parse(stdout) as { readonly code: number; readonly msg: string };
  throw new CniError(said.code, said.msg);
}

/**
 * A minimal pod network: an interface with the allocated address, and nothing at its other end.
 *
 * Upstream: containernetworking/plugins@v1.9.1 plugins/main/dummy
 */
const dummy: CniPlugin = pluginMain({
  async add(request) {
    const result = readResult(await delegate(request, 'ADD'));
    const { netns, ifname, process } = request;
    const ip = ['ip', '-n', netns.split('/').at(-1) ?? ''];
    try {
      await process.tools.run([
        ...ip,
        'link',
        'add',
        ifname,
        'type',
        'veth',
        'peer',
        'name',
        `${ifname}-end`,
      ]);
      for (const { address } of result.ips)
        await process.tools.run([...ip, 'addr', 'add', address, 'dev', ifname]);
      await process.tools.run([...ip, 'link', 'set', ifname, 'up']);
    } catch (error) {
      await delegate(request, 'DEL');
      throw error;
    }
    const interfaces = [{ name: ifname, sandbox: netns }];
    return { ...result, interfaces, ips: result.ips.map((each) => ({ ...each, interface: 0 })), routes: [] };
  },
  async del(request) {
    await delegate(request, 'DEL');
  },
  async gc(request) {
    await delegate(request, 'GC');
  },
});

/** A cluster of one node for five pods, whose runtime calls the plugin for addresses. */
export interface AddressCluster extends Cluster {
  readonly machine1: Machine;
  /** Creates a pod that is bound to the node. */
  createPod(name: string): Promise<void>;
  /** Returns the addresses of the running pods, by name. */
  addresses(): Readonly<Record<string, string>>;
  /** Returns the events of a pod. */
  eventsOf(name: string): readonly string[];
}

/** Creates the cluster. Its network is 10.244.1.0/29; a power cut loses data that was not synced. */
export async function clusterOfAddresses(components: Components, ipam: CniPlugin): Promise<AddressCluster> {
  const cluster = await createCluster({ seed: 51, components: { ...components, ipam } });
  const [machine1] = runNodes(cluster, {
    count: 1,
    scheduler: 'none',
    plugins: { dummy, 'host-local': ipam },
    losesUnsynced: true,
  }) as [Machine];
  const conflist = {
    cniVersion: '1.1.0',
    name: 'cbr0',
    plugins: [{ type: 'dummy', ipam: { type: 'host-local', subnet: '10.244.1.0/29' } }],
  };
  const { files } = machine1;
  await cluster.settle(files.mkdirAll('/etc/cni/net.d'));
  const path = '/etc/cni/net.d/10-cbr0.conflist';
  await cluster.settle(files.writeFile(path, JSON.stringify(conflist)));
  await cluster.settle(files.fsync(path));
  return Object.assign(cluster, {
    machine1,
    createPod: async (name: string): Promise<void> => {
      const spec = { nodeName: 'node-1', containers: [{ name: 'main', image: 'nginx:1.27' }] };
      await cluster.admin.create(pods, { metadata: { namespace: 'default', name }, spec } as never);
    },
    addresses: (): Readonly<Record<string, string>> =>
      Object.fromEntries(
        (cluster.storage.list(pods, { namespace: 'default' }) as Pod[]).flatMap(({ metadata, status }) =>
          status.phase === 'Running' && status.podIP ? [[metadata.name, status.podIP]] : [],
        ),
      ),
    eventsOf: (name: string): readonly string[] =>
      (cluster.storage.list(events, { namespace: 'default' }) as Event[])
        .filter(({ involvedObject }) => involvedObject?.name === name)
        .map(({ reason, message }) => `${reason}: ${message}`),
  });
}
