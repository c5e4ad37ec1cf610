import { type IP, parseIP } from '../../../api/ip-prefix.ts';
import { openConnection } from '../../../node/network/stack/connection.ts';
import type { NetworkNamespace } from '../../../node/network/stack/namespace.ts';
import { formatPacketTrace, type PacketTrace } from '../../../node/network/stack/packet-trace.ts';
import type { LawName } from '../oracle/findings.ts';
import { type Attachment, addressOf, type SimNode } from './node.ts';

/** A connection attempt, and its expected result. */
export interface Probe {
  readonly law: LawName;
  readonly from: NetworkNamespace;
  /** Rendered source: `web-1 on node-1`. */
  readonly who: string;
  readonly whom: string;
  readonly to: IP;
  readonly port: number;
  /** The namespace of the destination, if that is a pod. */
  readonly into?: NetworkNamespace;
  /** The expected source address; undefined for any. */
  readonly seenFrom: string | undefined;
}

/** A probe with an unexpected result. */
export interface Failure {
  readonly law: LawName;
  readonly message: string;
  /** The path of the packet, hop by hop. */
  readonly way: readonly string[];
}

/**
 * Opens a connection from a fresh port.
 *
 * @returns undefined if the result is as expected
 */
export function tryProbe(probe: Probe, sport: number): Failure | undefined {
  const { law, from, who, whom, to, port, seenFrom } = probe;
  const { connection, fate, there, back } = openConnection(from, { ip: to, port }, { sport });
  const what = `${who} → ${whom} (${to.text}:${port})`;
  if (!connection) {
    const why = fate.kind === 'delivered' ? '' : fate.why;
    // The failed direction is enough: if the answer is lost, the path back.
    const way = back && there.fate.kind === 'delivered' ? said('back', back) : said('there', there);
    // The bridge has no port for the address that the sender has in its ARP table.
    const stale = / has no port for /.test(why)
      ? `. The sender's ARP entry for ${to.text} is still that of an earlier pod: a new pod must announce its address when its interface comes up (arp_notify)`
      : '';
    // Only the answer is lost: the external host has no route to the address of a pod.
    const unmasked =
      law === 'outside' && there.fate.kind === 'delivered'
        ? '. The packet left its node with the source address of the pod: masquerade it'
        : '';
    return {
      law,
      message: `${what} gets no answer: ${why}${stale}${describeDown(from, probe.into)}${unmasked}`,
      way,
    };
  }
  connection.close();
  const seen = connection.seenFrom.ip.text;
  if (seenFrom === undefined || seen === seenFrom) return undefined;
  return {
    law,
    message: `${what} arrives with the source address ${seen}; expected ${seenFrom}${describeRewritten(there, seenFrom)}`,
    way: said('there', there),
  };
}

/** Names the step that rewrote the expected source address; empty if no step did. */
function describeRewritten({ hops }: PacketTrace, expected: string): string {
  const at = hops.findIndex(
    ({ packet }, i) => i > 0 && hops[i - 1]?.packet.src.text === expected && packet.src.text !== expected,
  );
  const hop = hops[at];
  if (!hop) return '';
  const step = hop.what.replace(/ \(.*$/, '');
  return `. "${step}" rewrote it, but packets to ${hop.packet.dst.text} must not be masqueraded`;
}

/** Names the first link between a pod and its node that is down. */
function describeDown(...namespaces: readonly (NetworkNamespace | undefined)[]): string {
  for (const namespace of namespaces) {
    const eth0 = namespace?.links.get('eth0');
    const end = eth0?.peer;
    if (!namespace || !eth0 || !end) continue;
    const { label } = namespace;
    if (!eth0.up) return `. eth0 of ${label} is down`;
    if (!end.up) return `. ${end.name}, the host end of ${label}, is down`;
    if (!end.master) return `. ${end.name}, the host end of ${label}, is in no bridge`;
    if (!end.master.up) return `. The bridge ${end.master.name} is down`;
  }
  return '';
}

function said(direction: string, packetTrace: PacketTrace): readonly string[] {
  return formatPacketTrace(packetTrace).map((line) => `${direction}: ${line}`);
}

/** Returns a probe of a pod, which listens on port 80. */
function podProbe(
  law: LawName,
  from: {
    readonly namespace: NetworkNamespace;
    readonly who: string;
    readonly seenFrom?: string | undefined;
  },
  { pod, namespace: into }: Attachment,
  address: string,
): Probe {
  const { namespace, who, seenFrom } = from;
  return { law, from: namespace, who, whom: pod, into, to: parseIP(address), port: 80, seenFrom };
}

/** Returns the connections that must work on one node right after a successful ADD. */
export function localProbes(node: SimNode): readonly Probe[] {
  const pods = node.there.filter(({ isSpoiled }) => !isSpoiled);
  return [
    ...pods.flatMap((from) => pods.flatMap((to) => between(from, to))),
    ...pods.flatMap((to) => fromNode(node, to)),
    ...pods.flatMap((from) => toNode(from, node)),
  ];
}

/** Returns the connections that must work at quiescence, when each pod has a Service. */
export function allProbes(nodes: readonly SimNode[], outside: NetworkNamespace): readonly Probe[] {
  const pods = nodes.flatMap(({ there }) => there).filter(({ isSpoiled }) => !isSpoiled);
  return [...podProbes(nodes, outside), ...pods.flatMap((pod, i) => serviceProbes(pod, { i, pods }))];
}

/** Returns the connections that must work at quiescence without any Service. */
export function podProbes(nodes: readonly SimNode[], outside: NetworkNamespace): readonly Probe[] {
  const pods = nodes.flatMap(({ there }) => there).filter(({ isSpoiled }) => !isSpoiled);
  const onNodes = nodes.flatMap((node) =>
    node.there.filter(({ isSpoiled }) => !isSpoiled).map((pod) => ({ pod, node })),
  );
  return [
    ...pods.flatMap((from) => pods.flatMap((to) => between(from, to))),
    ...nodes.flatMap((node) => pods.flatMap((to) => fromNode(node, to))),
    ...pods.flatMap((from) => nodes.flatMap((node) => toNode(from, node))),
    ...onNodes.map(({ pod, node }) =>
      toOutside(pod, node, outside.links.get('eth0')?.addresses[0]?.ip as IP),
    ),
    ...onNodes.flatMap(({ pod, node }) => hostPortProbes(pod, { node, nodes, outside })),
  ];
}

function between(from: Attachment, to: Attachment): readonly Probe[] {
  const [source, address] = [addressOf(from), addressOf(to)];
  if (source === undefined || address === undefined) return [];
  const law = from === to ? 'reachesItself' : 'connects';
  return [podProbe(law, { namespace: from.namespace, who: from.pod, seenFrom: source }, to, address)];
}

function fromNode({ machine, name }: SimNode, to: Attachment): readonly Probe[] {
  const address = addressOf(to);
  return address === undefined
    ? []
    : [podProbe('nodes', { namespace: machine.host, who: name }, to, address)];
}

function toNode(from: Attachment, { name, address }: SimNode): readonly Probe[] {
  return [
    {
      law: 'nodes',
      from: from.namespace,
      who: from.pod,
      whom: name,
      to: parseIP(address),
      port: 10250,
      seenFrom: undefined,
    },
  ];
}

function toOutside({ namespace, pod }: Attachment, { address }: SimNode, to: IP): Probe {
  return {
    law: 'outside',
    from: namespace,
    who: pod,
    whom: 'an external host',
    to,
    port: 80,
    seenFrom: address,
  };
}

function hostPortProbes(
  one: Attachment,
  {
    node,
    nodes,
    outside,
  }: {
    readonly node: SimNode;
    readonly nodes: readonly SimNode[];
    readonly outside: NetworkNamespace;
  },
): readonly Probe[] {
  const { hostPort, pod } = one;
  if (hostPort === undefined) return [];
  const others = nodes.flatMap(({ there }) => there).filter(({ isSpoiled }) => !isSpoiled);
  const sources = [
    { who: 'an external host', from: outside },
    ...nodes.map(({ name, machine }) => ({ who: name, from: machine.host })),
    ...others.map((other) => ({ who: other.pod, from: other.namespace })),
  ];
  return sources.map(({ who, from }) => ({
    law: 'hostPort' as const,
    from,
    who,
    whom: `hostPort of ${pod} on ${node.name}`,
    to: parseIP(node.address),
    port: hostPort,
    seenFrom: undefined,
  }));
}

/** Returns the address of a Service with only this pod. */
export function serviceAddress(i: number): string {
  return `10.96.0.${100 + i}`;
}

/** Returns probes of a pod's Service, from the pod itself and from the other pods. */
function serviceProbes(
  one: Attachment,
  { i, pods }: { readonly i: number; readonly pods: readonly Attachment[] },
): readonly Probe[] {
  if (addressOf(one) === undefined) return [];
  return pods.map((from) => ({
    law: from === one ? ('reachesItself' as const) : ('connects' as const),
    from: from.namespace,
    who: from.pod,
    whom: `the Service of ${one.pod}`,
    to: parseIP(serviceAddress(i)),
    port: 80,
    seenFrom: from === one ? undefined : addressOf(from),
  }));
}

/** Returns the rules that kube-proxy would create for one Service per pod. */
export function serviceRules(nodes: readonly SimNode[]): readonly string[] {
  const pods = nodes.flatMap(({ there }) => there).filter(({ isSpoiled }) => !isSpoiled);
  const rules = pods.flatMap((one, i) => {
    const address = addressOf(one);
    if (address === undefined) return [];
    const match = `-d ${serviceAddress(i)}/32 -p tcp --dport 80`;
    return [
      `-A KATA-SERVICES -s ${address}/32 ${match} -j MARK --set-xmark 0x4000/0x4000`,
      `-A KATA-SERVICES ${match} -j DNAT --to-destination ${address}:80`,
    ];
  });
  return [
    ':KATA-SERVICES - [0:0]',
    ':KATA-POSTROUTING - [0:0]',
    '-A PREROUTING -j KATA-SERVICES',
    // First in the chain, as kube-proxy does.
    '-I POSTROUTING -j KATA-POSTROUTING',
    ...rules,
    '-A KATA-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN',
    '-A KATA-POSTROUTING -j MASQUERADE',
  ];
}
