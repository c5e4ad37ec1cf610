/**
 * Measures rules by the number of services: writing and restoring all or only the changed rules, and the path of a
 * packet.
 */
import { parseIP } from '../../api/ip-prefix.ts';
import { endpointSlices, nodes, services } from '../../api/resource.ts';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import { openConnection } from '../../node/network/stack/connection.ts';
import { sideBySide } from '../../testing/side-by-side.ts';
import { NODE, POD_PORT, ProxyNetwork } from './simulation/network.ts';

const { components } = await import('#components');

const ENDPOINTS = 3;
const NAMESPACE = 'default';

/** A node with a proxy, in a cluster with this many services. */
class Node {
  readonly #cluster: Cluster;
  readonly #network: ProxyNetwork;
  readonly #run: ProxyNetwork['machine']['network']['tools']['run'];
  #text = '';
  /** The number of changes, of everything and of one service. */
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

  /** Changes something, and writes the rules for it. @param isFull whether the change affects all rules */
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

  /** Restores the last written rules. */
  async restore(): Promise<number> {
    await this.#run(['iptables-restore', '--noflush', '--counters'], this.#text);
    return 1;
  }

  /** Connects to the service that the rules reach last. */
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

/** Returns endpoints for all pods, so that any of them answers a packet. */
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
