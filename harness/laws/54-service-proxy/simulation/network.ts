import { parseIP, parsePrefix } from '../../../api/ip-prefix.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import type { Machine } from '../../../node/machine.ts';
import type { NetworkNamespace } from '../../../node/network/stack/namespace.ts';

/** The node of the proxy, and its process. */
export const NODE = 'node-1';
export const PROCESS = `kube-proxy-${NODE}`;
export const NODE_IP = '192.168.0.1';

/** The possible pods behind services: `here-…` on the proxy's node, `there-…` on another node. */
export const POD_NAMES = ['here-1', 'here-2', 'there-1', 'there-2'] as const;
export type PodName = (typeof POD_NAMES)[number];

/** The port of the pods, over both protocols. */
export const POD_PORT = 8_080;

/** The address of each pod. */
export const podIPs = {
  'here-1': '10.244.1.101',
  'here-2': '10.244.1.102',
  'there-1': '10.244.2.101',
  'there-2': '10.244.2.102',
} as const satisfies Record<PodName, string>;

const clients = { client: '10.244.1.110', stranger: '10.244.2.110' } as const;

/** The origins of connections. `self`, the pod `here-1`, can be its own endpoint. */
export const PLACES = ['pod', 'self', 'node', 'other', 'outside'] as const;
export type Place = (typeof PLACES)[number];

/** The address of an external host. */
export const OUTSIDE_IP = '203.0.113.1';

/** Address ranges of services. Without a rule, packets for them would loop between the node and the router. */
const FOR_SERVICES = ['10.96.0.0/12', '198.51.100.0/24'] as const;

/** Two machines with pods, and an external host. The proxy runs on the first machine; the second has none. */
export class ProxyNetwork {
  readonly machine: Machine;
  /** By place. */
  readonly from: Readonly<Record<Place, NetworkNamespace>>;

  constructor(cluster: Cluster) {
    this.machine = cluster.addMachine(NODE);
    const other = cluster.addMachine('node-2');
    for (const prefix of FOR_SERVICES) this.machine.network.do(`iptables -A FORWARD -d ${prefix} -j DROP`);
    this.machine.network.do('iptables -A FORWARD -d 10.244.0.0/16 -j ACCEPT');
    // Also prevents the loop after a proxy has deleted these rules.
    this.machine.network.do('iptables -P FORWARD DROP');
    for (const each of [this.machine, other]) {
      // The pod network adds this rule, independently of service rules.
      each.network.do('iptables -t nat -A POSTROUTING -s 10.244.0.0/16 ! -d 10.244.0.0/16 -j MASQUERADE');
      each.network.do('iptables -A FORWARD -s 10.244.0.0/16 -j ACCEPT');
    }
    const pods = new Map<string, NetworkNamespace>();
    for (const [name, ip] of Object.entries({ ...podIPs, ...clients })) {
      pods.set(name, addPod(ip.startsWith('10.244.1.') ? this.machine : other, name, ip));
    }
    const outside = cluster.network.outside('laptop').namespace;
    for (const name of POD_NAMES) {
      for (const protocol of ['tcp', 'udp'] as const) {
        pods.get(name)?.sockets.listen({ protocol, port: POD_PORT }, {});
      }
    }
    // External traffic for services is routed to the proxy's node, as from a load balancer.
    for (const prefix of FOR_SERVICES) {
      cluster.network.route(parsePrefix(prefix), parseIP(NODE_IP));
    }
    const podOf = (name: string): NetworkNamespace => pods.get(name) as NetworkNamespace;
    this.from = {
      pod: podOf('client'),
      self: podOf('here-1'),
      node: this.machine.network.host,
      other: podOf('stranger'),
      outside,
    };
  }

  /** The packet filter of the proxy's node. */
  get netfilter(): NetworkNamespace['netfilter'][4] {
    return this.machine.network.host.netfilter[4];
  }

  /** Increases with each write of rules, even if they do not change. */
  get revision(): number {
    const { nat, filter } = this.netfilter.tables;
    return nat.revision + filter.revision;
  }

  /** Everything that decides where the node sends a new client: equal values mean equal decisions. */
  get ruling(): string {
    const { sysctls } = this.machine.network.host;
    const dropping = Object.values(this.netfilter.tables).flatMap(({ name, chains }) =>
      [...chains].flatMap(([chain, { policy }]) => (policy === 'DROP' ? [`${name} ${chain}`] : [])),
    );
    return [...sysctls, ...dropping, ...this.rules].join('\n');
  }

  /** All current rules, table by table. */
  get rules(): readonly string[] {
    return Object.values(this.netfilter.tables).flatMap(({ name, chains }) =>
      [...chains].flatMap(([chain, { rules }]) => rules.map(({ text }) => `${name} ${chain} ${text}`)),
    );
  }
}

/** Adds a pod, connected by its own link. */
function addPod({ network }: Machine, name: string, ip: string): NetworkNamespace {
  const gateway = ip.replace(/\d+$/, '1');
  for (const command of [
    `ip netns add ${name}`,
    `ip link add ${name} type veth peer name eth0 netns ${name}`,
    `ip link set ${name} up`,
    `ip route add ${ip}/32 dev ${name}`,
    `ip -n ${name} addr add ${ip}/32 dev eth0`,
    `ip -n ${name} link set eth0 up`,
    `ip -n ${name} link set lo up`,
    `ip -n ${name} route add default via ${gateway} dev eth0 onlink`,
  ]) {
    network.do(command);
  }
  return network.called(name);
}
