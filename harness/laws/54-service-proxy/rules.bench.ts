/** What rules cost, by how many services there are: written and restored all, or only those that changed; and walked by a packet. */
import { parseIP } from '../../api/ip-prefix.ts';
import { endpointSlices, nodes, services } from '../../api/resource.ts';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import { openConnection } from '../../node/network/stack/connection.ts';
import { sideBySide } from '../../testing/side-by-side.ts';
import { NODE, POD_PORT, ProxyNetwork } from './network.ts';

const { components } = await import('#components');

const ENDPOINTS = 3;
const NAMESPACE = 'default';

/** A node with a proxy, in a cluster with so many services. */
class Node {
  readonly #cluster: Cluster;
  readonly #network: ProxyNetwork;
  readonly #run: ProxyNetwork['machine']['network']['tools']['run'];
  #text = '';
  /** How often something has changed, for all and for one service. */
  readonly #turns = { all: 0, one: 0 };
  #last = '';

  private constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#network = new ProxyNetwork(cluster);
    const { tools } = this.#network.machine.network;
    this.#run = tools.run.bind(tools);
  }

  static async with(count: number): Promise<Node> {
    const cluster = await createCluster({ components });
    const node = new Node(cluster);
    await node.#fill(count);
    node.#listen(true);
    cluster.runOnNode(NODE, 'serviceProxy');
    await cluster.runFor(5_000);
    return node;
  }

  /** Something changes, and rules are written for it. @param isFull whether it is something on which all depend */
  async sync(isFull: boolean, { isRestored }: { readonly isRestored: boolean }): Promise<number> {
    this.#listen(isRestored);
    const { admin } = this.#cluster;
    if (isFull) {
      const node = await admin.get(nodes, { name: NODE });
      const labels = { 'topology.kubernetes.io/zone': `${++this.#turns.all}` };
      await admin.update(nodes, { ...node, metadata: { ...node.metadata, labels } });
    } else {
      const slice = await admin.get(endpointSlices, { namespace: NAMESPACE, name: 's0' });
      const endpoints = endpointsOf(++this.#turns.one);
      await admin.update(endpointSlices, { ...slice, endpoints });
    }
    this.#text = '';
    await this.#cluster.runFor(2_000);
    if (this.#text === '') throw new Error('Failed to sync: the proxy has written nothing.');
    return 1;
  }

  /** Restores what was written last. */
  async restore(): Promise<number> {
    await this.#run(['iptables-restore', '--noflush', '--counters'], this.#text);
    return 1;
  }

  /** A connection to the service that is asked about last. */
  connect(): number {
    const { connection } = openConnection(this.#network.from.pod, { ip: parseIP(this.#last), port: 80 });
    connection?.close();
    return connection ? 1 : 0;
  }

  #listen(isRestored: boolean): void {
    this.#network.machine.network.tools.run = (argv, stdin = '') => {
      if (argv[0] !== 'iptables-restore') return isRestored ? this.#run(argv, stdin) : Promise.resolve('');
      this.#text = stdin;
      return isRestored ? this.#run(argv, stdin) : Promise.resolve('');
    };
  }

  async #fill(count: number): Promise<void> {
    const { admin } = this.#cluster;
    await admin.create(nodes, { metadata: { name: NODE }, spec: {} });
    const names: [string, string][] = [];
    for (let i = 0; i < count; i++) {
      const name = `s${i}`;
      const ports = [{ port: 80, protocol: 'TCP', targetPort: POD_PORT }];
      const metadata = { name, namespace: NAMESPACE };
      const { spec } = await admin.create(services, { metadata, spec: { ports } });
      names.push([name, spec.clusterIP ?? '']);
      await admin.create(endpointSlices, {
        metadata: { ...metadata, labels: { 'kubernetes.io/service-name': name } },
        addressType: 'IPv4',
        endpoints: endpointsOf(0),
        ports: [{ name: '', port: POD_PORT, protocol: 'TCP' }],
      });
    }
    this.#last = names.sort(([a], [b]) => (a < b ? -1 : 1)).at(-1)?.[1] ?? '';
  }
}

/** All of them are there, so that whichever a packet is sent to answers. */
function endpointsOf(turn: number) {
  return ['10.244.1.101', '10.244.1.102', '10.244.2.101'].slice(0, ENDPOINTS - (turn % 2)).map((address) => ({
    addresses: [address],
    conditions: { ready: true, serving: true, terminating: false },
    nodeName: address.startsWith('10.244.1.') ? 'node-1' : 'node-2',
  }));
}

const sizes = [100, 1_000, 4_000] as const;
const nodesBySize = new Map(sizes.map((size) => [size, Node.with(size)]));

for (const size of sizes) {
  sideBySide(`Rules for ${size} services`, {
    unit: 'syncs',
    contenders: { 'all anew': () => true, 'what has changed': () => false },
    measures: {
      'written, and not restored': async (isFull: boolean) => {
        const node = (await nodesBySize.get(size)) as Node;
        return () => node.sync(isFull, { isRestored: false });
      },
      restored: async (isFull: boolean) => {
        const node = (await nodesBySize.get(size)) as Node;
        await node.sync(isFull, { isRestored: true });
        return () => node.restore();
      },
    },
  });
}

sideBySide('A connection through the last service', {
  unit: 'connections',
  contenders: Object.fromEntries(
    sizes.map((size) => [`${size}`, () => nodesBySize.get(size) as Promise<Node>]),
  ),
  measures: {
    connect: (node: Node) => () => {
      let done = 0;
      for (let i = 0; i < 200; i++) done += node.connect();
      return done;
    },
  },
});
