import type { Cluster } from '../../cluster/cluster.ts';
import { runTool } from '../../node/network/tools/index.ts';
import type { HopDetails } from '../protocol/details.ts';

/** `PREROUTING DNAT by KUBE-SERVICES > KUBE-SVC-A > KUBE-SEP-B (default/web)`, `POSTROUTING back from DNAT` */
const STEP = /^[A-Z]+ (back from )?([DS]NAT)(?: by ([^(]+?))?(?: \(|$)/;

/**
 * Explains a step of a packet that translates an address, and names the rules that did it. Empty for other steps.
 *
 * Differs: it reads the present rules of the node, which may be newer than the packet.
 */
export function translationOf(
  { node, what }: { readonly node: string; readonly what: string },
  cluster: Pick<Cluster, 'machine'>,
): Pick<HopDetails, 'why' | 'rules'> {
  const [, back, kind, by = ''] = STEP.exec(what) ?? [];
  if (kind === undefined) return {};
  if (back !== undefined) return { why: BACK[kind] ?? '' };
  const chains = by.split(' > ').filter((each) => /^KUBE-(?:SVC|SVL|EXT|SEP|FW|POSTROUTING)/.test(each));
  const rules = chains.join(' ');
  const machine = cluster.machine(node);
  const saved = machine?.powered ? runTool(machine.network, ['iptables-save']).split('\n') : [];
  return {
    why: kind === 'DNAT' ? choiceOf(chains, saved) : FORTH,
    ...(rules !== '' && { rules: { kind: 'node', name: node, rules } }),
  };
}

const FORTH = 'The source becomes an address of this node, so that the answer comes back through it.';
const BACK: Readonly<Record<string, string>> = {
  DNAT: 'The source of the answer is the called address again, such as that of the Service.',
  SNAT: 'The destination of the answer is the address of the sender again.',
};

/**
 * Explains the choice of an endpoint. The rules of a Service are tried in their order, each with a probability.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/iptables/proxier.go writeServiceToEndpointRules
 */
function choiceOf(chains: readonly string[], saved: readonly string[]): string {
  const [service, endpoint] = [chains.at(-2), chains.at(-1)];
  const rules = saved.filter((line) => line.startsWith(`-A ${service} `) && / -j KUBE-SEP-/.test(line));
  const rule = rules.find((line) => line.includes(` -j ${endpoint}`));
  if (!rule) return 'A rule changes the destination.';
  if (rules.length === 1) return `${service} has one endpoint.`;
  const [, probability] = /--probability ([\d.]+)/.exec(rule) ?? [];
  const which =
    probability === undefined
      ? 'This last rule takes each connection that the rules before it leave.'
      : `This rule takes a connection that reaches it with probability ${Number(probability).toFixed(2)}.`;
  return `${service} chooses one of ${rules.length} endpoints at random. ${which}`;
}
