import type { Script } from './scripts.ts';

const inNamespace = (name: string, command: string): string => `nsenter --net=/run/netns/${name} ${command}`;

/** Returns the commands for a namespace that plays a node, with a bridge and its pods. All nodes share one LAN. */
function node(n: number, pods: readonly string[]): readonly string[] {
  const name = `n${n}`;
  return [
    `ip netns add ${name}`,
    `ip link add to-${name} type veth peer name eth0 netns ${name}`,
    `ip link set to-${name} master lan`,
    `ip link set to-${name} up`,
    `ip -n ${name} link set lo up`,
    `ip -n ${name} link set eth0 up`,
    `ip -n ${name} addr add 192.168.0.${n}/24 dev eth0`,
    inNamespace(name, 'sysctl -w net.ipv4.ip_forward=1'),
    `ip -n ${name} link add cni0 type bridge`,
    `ip -n ${name} link set cni0 up`,
    `ip -n ${name} addr add 10.244.${n}.1/24 dev cni0`,
    ...pods.flatMap((pod, i) => [
      `ip netns add ${pod}`,
      `ip -n ${name} link add veth${i} type veth peer name eth0 netns ${pod}`,
      `ip -n ${name} link set veth${i} master cni0`,
      `ip -n ${name} link set veth${i} up`,
      `ip -n ${pod} link set lo up`,
      `ip -n ${pod} addr add 10.244.${n}.${i + 2}/24 dev eth0`,
      `ip -n ${pod} link set eth0 up`,
      `ip -n ${pod} route add default via 10.244.${n}.1`,
    ]),
  ];
}

/** A connection attempt. */
interface Probe {
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

/** Commands that set up a network, and the connections to try in it. Each namespace listens on port 80. */
export interface Reach extends Script {
  readonly probes: readonly Probe[];
}

const lan = ['ip link add lan type bridge', 'ip link set lan up', ...node(1, ['a', 'b']), ...node(2, ['c'])];
const routes = [
  'ip -n n1 route add 10.244.2.0/24 via 192.168.0.2',
  'ip -n n2 route add 10.244.1.0/24 via 192.168.0.1',
];
const service = (rule: string): string => inNamespace('n1', `iptables -t nat ${rule}`);
const dnat = (to: string): string =>
  service(`-A PREROUTING -d 10.96.0.10 -p tcp --dport 80 -j DNAT --to-destination ${to}:80`);
const bridged = (isSeen: number): string =>
  inNamespace('n1', `sysctl -w net.bridge.bridge-nf-call-iptables=${isSeen}`);
const toService: Probe = { from: 'a', to: '10.96.0.10', port: 80 };

/** Networks and probes. A test compares the outcomes here and on a real kernel. */
export const reaches: readonly Reach[] = [
  {
    what: 'pods and nodes reach each other with their own addresses',
    commands: [...lan, ...routes],
    probes: [
      { from: 'a', to: '10.244.1.3', port: 80 },
      { from: 'a', to: '10.244.2.2', port: 80 },
      { from: 'c', to: '10.244.1.3', port: 80 },
      { from: 'n2', to: '10.244.1.2', port: 80 },
      { from: 'a', to: '192.168.0.2', port: 80 },
      { from: 'a', to: '10.244.1.1', port: 80 },
      { from: 'a', to: '10.244.1.2', port: 80 },
      { from: 'a', to: '127.0.0.1', port: 80 },
      { from: 'a', to: '10.244.2.2', port: 81 },
      { from: 'a', to: '10.250.0.1', port: 80 },
    ],
  },
  {
    what: 'a node without a route back loses the answer',
    commands: [...lan, ...routes.slice(0, 1), 'ip -n n2 route add blackhole 10.244.1.0/24'],
    probes: [{ from: 'a', to: '10.244.2.2', port: 80 }],
  },
  {
    what: 'a service forwards to another node, and the answer comes back',
    commands: [...lan, ...routes, dnat('10.244.2.2')],
    probes: [toService, { from: 'b', to: '10.96.0.10', port: 80 }, { from: 'c', to: '10.96.0.10', port: 80 }],
  },
  {
    what: 'the answer of a pod on the same bridge is translated back if iptables sees bridged packets',
    commands: [...lan, bridged(1), dnat('10.244.1.3')],
    probes: [toService],
  },
  {
    what: 'the answer comes from the wrong address if iptables does not see bridged packets',
    commands: [...lan, bridged(0), dnat('10.244.1.3')],
    probes: [toService],
  },
  {
    what: 'a packet that a service sends back to its sender has that pod as its source, unless it is masqueraded',
    commands: [...lan, dnat('10.244.1.2')],
    probes: [toService],
  },
  ...[0, 1].flatMap((isSeen) =>
    ['on', 'off'].map((hairpin) => ({
      what: `a pod reaches itself through its service: bridge-nf-call-iptables ${isSeen}, hairpin ${hairpin}`,
      commands: [
        ...lan,
        bridged(isSeen),
        dnat('10.244.1.2'),
        `bridge -n n1 link set dev veth0 hairpin ${hairpin}`,
        service('-A POSTROUTING -s 10.244.1.2 -d 10.244.1.2 -j MASQUERADE'),
      ],
      probes: [toService],
    })),
  ),
  {
    what: 'masquerade sets the source to the address of the outgoing interface',
    commands: [...lan, ...routes, service('-A POSTROUTING -s 10.244.1.0/24 -j MASQUERADE')],
    probes: [
      { from: 'a', to: '10.244.2.2', port: 80 },
      { from: 'a', to: '192.168.0.2', port: 80 },
    ],
  },
  {
    what: 'a process of the node reaches a service',
    commands: [
      ...lan,
      ...routes,
      service('-A OUTPUT -d 10.96.0.10 -p tcp --dport 80 -j DNAT --to-destination 10.244.2.2:80'),
      'ip -n n1 route add default via 192.168.0.2',
    ],
    probes: [{ from: 'n1', to: '10.96.0.10', port: 80 }],
  },
  {
    what: 'the filter drops, rejects, and accepts answers',
    commands: [
      ...lan,
      ...routes,
      ...[
        '-P FORWARD DROP',
        '-A FORWARD -s 10.244.1.2 -j ACCEPT',
        '-A FORWARD -m conntrack --ctstate ESTABLISHED -j ACCEPT',
      ].map((rule) => inNamespace('n1', `iptables ${rule}`)),
      inNamespace('n2', 'iptables -A FORWARD -d 10.244.2.2 -p tcp --dport 81 -j REJECT'),
    ],
    probes: [
      { from: 'a', to: '10.244.2.2', port: 80 },
      { from: 'a', to: '10.244.2.2', port: 81 },
      { from: 'b', to: '10.244.2.2', port: 80 },
    ],
  },
  {
    what: 'an ICMP error passes the filter if a rule accepts RELATED packets',
    commands: [
      ...lan,
      ...routes,
      ...[
        '-P FORWARD DROP',
        '-A FORWARD -s 10.244.1.0/24 -j ACCEPT',
        '-A FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT',
      ].map((rule) => inNamespace('n1', `iptables ${rule}`)),
      inNamespace('n2', 'iptables -A FORWARD -d 10.244.2.2 -p tcp --dport 81 -j REJECT'),
      dnat('10.244.2.2').replace('--dport 80', '--dport 81').replace(':80', ':81'),
    ],
    probes: [
      { from: 'a', to: '10.244.2.2', port: 81 },
      { from: 'b', to: '10.96.0.10', port: 81 },
      { from: 'a', to: '10.244.2.2', port: 82 },
    ],
  },
];
