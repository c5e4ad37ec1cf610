/** Commands that are run on the kernel here and on a real one: what they print, and how they fail, has to be the same. */
export interface Script {
  readonly what: string;
  /** A line each. One that fails does not end the script. */
  readonly commands: readonly string[];
}

const pod = [
  'ip netns add a',
  'ip link add veth1 type veth peer name eth0 netns a',
  'ip link add cni0 type bridge',
  'ip link set cni0 up',
  'ip addr add 10.244.1.1/24 dev cni0',
  'ip link set veth1 master cni0',
  'ip link set veth1 up',
  'ip -n a addr add 10.244.1.2/24 dev eth0',
  'ip -n a link set eth0 up',
  'ip -n a link set lo up',
];

/** The scripts of `ip` and `bridge`. What a kernel does a moment later is not looked at: a namespace that goes, a bridge that loses its last port. */
export const linkScripts: readonly Script[] = [
  {
    what: 'makes and removes interfaces',
    commands: [
      'ip link add br0 type bridge',
      'ip link add br0 type bridge',
      'ip link add v0 type veth peer name v1',
      'ip link add v1 type bridge',
      'ip link add name d0 type bridge',
      'ip link add this-name-is-too-long type bridge',
      'ip link add x0 type nothing',
      'ip link set v0 master br0',
      'ip link set v1 master lo',
      'ip link set v0 master nope',
      'ip link set br0 up',
      'ip link set v0 up',
      'ip -j link show',
      'ip link set v1 up',
      'ip -j link show master br0',
      'ip -j link show dev v0',
      'ip link set v0 nomaster',
      'ip -j link show master br0',
      'ip link del v1',
      'ip -j link show dev v0',
      'ip link del v0',
      'ip link del lo',
      'ip link set nope up',
    ],
  },
  {
    what: 'moves an interface into another namespace, bare and down',
    commands: [
      'ip netns add a',
      'ip netns add a',
      'ip -j netns list',
      'ip link add d0 type bridge',
      'ip addr add 10.1.0.1/24 dev d0',
      'ip link set d0 up',
      'ip link set d0 netns a',
      'ip -j link show dev d0',
      'ip -n a -j addr show dev d0',
      'ip -j route show',
      'ip link set d0 netns nowhere',
      'ip -n nowhere link show',
      'ip link add lo2 type veth peer name lo3 netns a',
      'ip netns del a',
      'ip netns del a',
    ],
  },
  {
    what: 'gives addresses, and routes with them',
    commands: [
      'ip link add d0 type bridge',
      'ip addr add 10.1.0.1/24 dev d0',
      'ip -j route show',
      'ip link set d0 up',
      'ip -j route show',
      'ip addr add 10.1.0.1/24 dev d0',
      'ip addr add 10.1.0.2/24 dev d0',
      'ip addr add 10.2.0.1/32 dev d0',
      'ip addr add 10.3.0.999/24 dev d0',
      'ip addr add 10.3.0.1/24 dev nope',
      'ip -j addr show dev d0',
      'ip -j route show',
      'ip addr del 10.9.0.1/24 dev d0',
      'ip addr del 10.2.0.1/32 dev d0',
      'ip -j addr show dev d0',
      'ip link set d0 down',
      'ip -j route show',
      'ip link set d0 up',
      'ip addr del 10.1.0.1/24 dev d0',
      'ip -j addr show dev d0',
      'ip addr add 10.5.0.1/24 dev d0',
      'ip addr flush dev d0',
      'ip -j addr show dev d0',
      'ip addr add fd00::1/64 dev d0',
    ],
  },
  {
    what: 'makes, replaces and removes routes',
    commands: [
      'ip link add d0 type bridge',
      'ip addr add 192.168.0.1/24 dev d0',
      'ip route add 10.244.2.0/24 via 192.168.0.2',
      'ip link set d0 up',
      'ip route add 10.244.2.0/24 via 192.168.0.2',
      'ip route add 10.244.2.0/24 via 192.168.0.3',
      'ip route replace 10.244.2.0/24 via 192.168.0.3',
      'ip route replace 10.244.3.0/24 via 192.168.0.3 dev d0 proto 17',
      'ip route add 10.244.4.0/24 via 172.16.0.1',
      'ip route add 10.244.4.0/24 via 172.16.0.1 dev d0',
      'ip route add 10.244.4.0/24 via 172.16.0.1 dev d0 onlink',
      'ip route add 10.244.4.1/24 via 192.168.0.2',
      'ip route add 10.244.5.0/24 dev d0 src 10.1.1.1',
      'ip route add blackhole 10.250.0.0/16',
      'ip route add unreachable 10.251.0.0/16',
      'ip route add default via 192.168.0.254',
      'ip route add default via 192.168.0.253 metric 100',
      'ip -j route show',
      'ip -j route show 10.244.2.0/24',
      'ip -j route show default',
      'ip -j route get 10.244.2.7',
      'ip -j route get 192.168.0.9',
      'ip -j route get 192.168.0.1',
      'ip -j route get 10.251.3.4',
      'ip -j route get 8.8.8.8',
      'ip route del 10.244.2.0/24 via 192.168.0.2',
      'ip route del 10.244.2.0/24',
      'ip route del 10.244.2.0/24',
      'ip -j route show',
      'ip addr del 192.168.0.1/24 dev d0',
      'ip -j route show',
    ],
  },
  {
    what: 'sets the ports of a bridge, and says that a wire is cut',
    commands: [
      ...pod,
      'bridge link set dev veth1 hairpin on',
      'ip -j -d link show dev veth1',
      'bridge link set dev veth1 hairpin maybe',
      'bridge link set dev cni0 hairpin on',
      'ip -n a link set eth0 down',
      'ip -j link show dev veth1',
      'ip -j route show',
      'ip -n a -j route show',
      'ip -n a route add default via 10.244.1.1',
      'ip -n a link set eth0 up',
      'ip -n a route add default via 10.244.1.1',
      'ip -n a -j route show',
    ],
  },
];

const nat = (rule: string): string => `iptables -t nat ${rule}`;

/** The scripts of `iptables`. */
export const ruleScripts: readonly Script[] = [
  {
    what: 'makes and removes chains',
    commands: [
      nat('-N WEB'),
      nat('-N WEB'),
      nat('-A WEB -j RETURN'),
      nat('-X WEB'),
      nat('-F WEB'),
      nat('-A PREROUTING -j WEB'),
      nat('-X WEB'),
      nat('-D PREROUTING -j WEB'),
      nat('-D PREROUTING -j WEB'),
      nat('-X WEB'),
      nat('-X WEB'),
      nat('-A NOPE -j RETURN'),
      nat('-A PREROUTING -j NOPE'),
      nat('-P WEB DROP'),
      'iptables -P FORWARD DROP',
      'iptables -S',
      'iptables -t nowhere -S',
    ],
  },
  {
    what: 'prints rules as they are saved, however they were written',
    commands: [
      nat('-N KUBE-SVC-X'),
      nat('-N KUBE-MARK-MASQ'),
      nat('-A KUBE-MARK-MASQ -j MARK --or-mark 0x4000'),
      nat('-A KUBE-MARK-MASQ -j MARK --xor-mark 0x4000'),
      nat('-A KUBE-MARK-MASQ -j MARK --set-mark 7'),
      nat(
        '-A PREROUTING -m comment --comment "default/web cluster IP" -m tcp -p tcp -d 10.96.0.10/32 --dport 80 -j KUBE-SVC-X',
      ),
      nat(
        '-A PREROUTING --protocol udp --dport 53:54 --destination 10.96.0.10 --jump DNAT --to-destination 10.244.1.2:53',
      ),
      nat('-A POSTROUTING -s 10.244.1.7/24 ! -d 224.0.0.0/4 -j MASQUERADE'),
      nat('-A POSTROUTING ! -s 10.244.0.0/16 -o eth+ -j MASQUERADE --random-fully'),
      nat('-A POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN'),
      nat('-A POSTROUTING -s 10.244.1.2 -m comment --comment plain -j SNAT --to-source 192.168.0.1'),
      nat('-A POSTROUTING -s 10.244.1.3 -m comment --comment default/web:http -j RETURN'),
      nat('-A PREROUTING -m addrtype --dst-type LOCAL -j KUBE-SVC-X'),
      nat('-A KUBE-SVC-X -m statistic --mode random --probability 0.3333333333 -j RETURN'),
      nat('-A KUBE-SVC-X -m statistic --mode random --probability 0.5000000000 -j RETURN'),
      nat('-A KUBE-SVC-X -m recent --name KUBE-SEP-1 --rcheck --seconds 10800 --reap -j RETURN'),
      nat('-A KUBE-SVC-X -m recent --name KUBE-SEP-1 --set -p tcp -j DNAT --to-destination 10.244.1.2:80'),
      nat('-I KUBE-SVC-X 2 -m multiport -p tcp --dports 80,443 -g KUBE-MARK-MASQ'),
      'iptables -A FORWARD -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT',
      'iptables -A FORWARD -m conntrack --ctstate INVALID -j DROP',
      'iptables -A INPUT -i cni0 -p tcp -j REJECT',
      'iptables -A INPUT -p tcp -j REJECT --reject-with tcp-reset',
      'iptables-save -t nat',
      'iptables-save -t filter',
    ],
  },
  {
    what: 'finds, inserts and removes rules',
    commands: [
      'iptables -A INPUT -s 10.0.0.1 -j DROP',
      'iptables -A INPUT -s 10.0.0.2 -j DROP',
      'iptables -C INPUT -s 10.0.0.1/32 -j DROP',
      'iptables -C INPUT -s 10.0.0.3 -j DROP',
      'iptables -I INPUT -s 10.0.0.3 -j DROP',
      'iptables -I INPUT 9 -s 10.0.0.4 -j DROP',
      'iptables -D INPUT 2',
      'iptables -D INPUT 7',
      'iptables -S INPUT',
      'iptables -A INPUT -p tcp --dport web-port -j DROP',
      'iptables -A INPUT --dport 80 -j DROP',
      'iptables -A INPUT -m nothing -j DROP',
    ],
  },
];

const inNamespace = (name: string, command: string): string => `nsenter --net=/run/netns/${name} ${command}`;

/** A namespace that plays a node, with a bridge and two pods on it; the nodes are on one wire. */
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

/** From where to where a connection is tried. */
export interface Probe {
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

/** Networks that are set up, and what can be reached in them. In each namespace something listens on port 80. */
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

/** What is reached, and from which address that is seen. */
export const reaches: readonly Reach[] = [
  {
    what: 'pods and nodes reach each other as they are',
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
    what: 'a service leads to another node, and back',
    commands: [...lan, ...routes, dnat('10.244.2.2')],
    probes: [toService, { from: 'b', to: '10.96.0.10', port: 80 }, { from: 'c', to: '10.96.0.10', port: 80 }],
  },
  {
    what: 'the answer of a neighbour on the bridge is understood if rules see what is bridged',
    commands: [...lan, bridged(1), dnat('10.244.1.3')],
    probes: [toService],
  },
  {
    what: 'else it comes from an address that was never asked',
    commands: [...lan, bridged(0), dnat('10.244.1.3')],
    probes: [toService],
  },
  {
    what: 'what leads to the pod itself comes in from itself, unless it is masqueraded',
    commands: [...lan, dnat('10.244.1.2')],
    probes: [toService],
  },
  ...[0, 1].flatMap((isSeen) =>
    ['on', 'off'].map((hairpin) => ({
      what: `a pod reaches itself through its service: rules see what is bridged ${isSeen}, hairpin ${hairpin}`,
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
    what: 'masquerade shows the address of the interface by which it leaves',
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
    what: 'the filter drops, rejects and lets answers through',
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
    what: 'a refusal comes home through the filter if it is let through as related',
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
