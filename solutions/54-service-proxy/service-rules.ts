import { contains, parseIP, parsePrefix } from '#harness';
import { chainName } from './chain-names.ts';
import type { Configuration } from './configuration.ts';
import { endpointRules, policyRules } from './endpoint-rules.ts';
import { isExternallyAccessible, type ServicePort } from './service-port.ts';
import type { Choice } from './topology.ts';
import { comment, type OwnRules, rule, to } from './words.ts';

/** The rules of one service port. */
export interface ServiceRules {
  /** Rules in chains that all services share; every write includes them. */
  readonly shared: { readonly filter: readonly string[]; readonly nat: readonly string[] };
  /** The port's own chains, all in the table `nat`; written only when they have changed. */
  readonly own: OwnRules;
}

/** The inputs of rules besides the service and its endpoints. */
interface RulesOptions {
  readonly configuration: Configuration;
  /** The address of this node. */
  readonly nodeIP: string;
  /** Whether endpoint rules have comments: with many endpoints, comments are nearly half of the text. */
  readonly hasComments: boolean;
}

/** A service port with values derived from it. */
interface Plan extends RulesOptions {
  readonly port: ServicePort;
  readonly choice: Choice;
  /** The names of its possible chains. */
  readonly chains: Readonly<Record<'cluster' | 'local' | 'external' | 'firewall', string>>;
  /** Whether traffic to the cluster IP, and from outside the cluster, has a usable endpoint. */
  readonly hasInternal: boolean;
  readonly hasExternal: boolean;
  readonly usesFirewall: boolean;
}

/**
 * Turns a service port and its endpoints into rules.
 *
 *     cluster IP     → SVC or SVL
 *     from outside   → (FW →) EXT → SVC or SVL
 *     SVC, SVL       → SEP, at random or by session affinity
 *     SEP            → DNAT
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/iptables/proxier.go syncProxyRules
 */
export function rulesOf(port: ServicePort, choice: Choice, options: RulesOptions): ServiceRules {
  const plan = planOf(port, choice, options);
  const { chains, hasComments } = plan;
  const own = [
    externalRules(plan),
    firewallRules(plan),
    internalRules(plan),
    ...(['cluster', 'local'] as const).map((policy) =>
      policyRules(chains[policy], { port, endpoints: choice[policy], hasComments }),
    ),
    ...choice.reachable.map((endpoint) => endpointRules(endpoint, { port, hasComments })),
  ];
  return {
    shared: { filter: [...refusals(plan), ...healthCheck(plan)], nat: entrances(plan) },
    own: { chains: own.flatMap((each) => each.chains), rules: own.flatMap((each) => each.rules) },
  };
}

const NOTHING: OwnRules = { chains: [], rules: [] };

function planOf(port: ServicePort, choice: Choice, options: RulesOptions): Plan {
  const text = port.name + port.protocol;
  const hasLocal = choice.local.length > 0;
  return {
    ...options,
    port,
    choice,
    chains: {
      cluster: chainName('KUBE-SVC-', text),
      local: chainName('KUBE-SVL-', text),
      external: chainName('KUBE-EXT-', text),
      firewall: chainName('KUBE-FW-', text),
    },
    hasInternal: port.isInternalLocal ? hasLocal : choice.hasAny,
    hasExternal: port.isExternalLocal ? hasLocal : choice.hasAny,
    usesFirewall:
      choice.hasAny && port.loadBalancerIPs.length > 0 && port.loadBalancerSourceRanges.length > 0,
  };
}

/** Returns the rules that jump from each address to the chains of the service. */
function entrances({ port, choice, chains, hasInternal, usesFirewall }: Plan): readonly string[] {
  const enter = (what: string, ip: string, chain: string): string =>
    rule('KUBE-SERVICES', comment(`${port.name} ${what}`), to(port, port.port, ip), `-j ${chain}`);
  const balanced = usesFirewall ? chains.firewall : chains.external;
  const internal = port.isInternalLocal ? chains.local : chains.cluster;
  return [
    ...(hasInternal ? [enter('cluster IP', port.clusterIP, internal)] : []),
    ...(choice.hasAny
      ? [
          ...port.externalIPs.map((ip) => enter('external IP', ip, chains.external)),
          ...port.loadBalancerIPs.map((ip) => enter('loadbalancer IP', ip, balanced)),
          ...(port.nodePort === undefined
            ? []
            : [rule('KUBE-NODEPORTS', comment(port.name), to(port, port.nodePort), `-j ${chains.external}`)]),
        ]
      : []),
  ];
}

/**
 * Returns the rules for packets without a usable endpoint. If no node has one, the packet is rejected. If only this
 * node has none, the packet is dropped: the load balancer that sent it here has not noticed yet.
 */
function refusals({ port, choice, chains, hasInternal, hasExternal, usesFirewall }: Plan): readonly string[] {
  const [target, why] = choice.hasAny ? ['DROP', 'has no local endpoints'] : ['REJECT', 'has no endpoints'];
  const refuse = (chain: string, match: string): string =>
    rule(chain, comment(`${port.name} ${why}`), match, `-j ${target}`);
  const outside = [...port.externalIPs, ...port.loadBalancerIPs];
  return [
    ...(hasInternal ? [] : [refuse('KUBE-SERVICES', to(port, port.port, port.clusterIP))]),
    ...(hasExternal
      ? []
      : [
          ...outside.map((ip) => refuse('KUBE-EXTERNAL-SERVICES', to(port, port.port, ip))),
          ...(port.nodePort === undefined
            ? []
            : [refuse('KUBE-EXTERNAL-SERVICES', `-m addrtype --dst-type LOCAL ${to(port, port.nodePort)}`)]),
        ]),
    ...(usesFirewall
      ? port.loadBalancerIPs.map((ip) =>
          rule(
            'KUBE-PROXY-FIREWALL',
            comment(`${port.name} traffic not accepted by ${chains.firewall}`),
            to(port, port.port, ip),
            '-j DROP',
          ),
        )
      : []),
  ];
}

/** Returns the rule that accepts health checks of load balancers, even if this node filters other traffic. */
function healthCheck({ port: { healthCheckNodePort, name } }: Plan): readonly string[] {
  if (healthCheckNodePort === undefined) return [];
  const asked = to({ protocol: 'tcp' }, healthCheckNodePort);
  return [rule('KUBE-NODEPORTS', comment(`${name} health check node port`), asked, '-j ACCEPT')];
}

/**
 * Returns the rule that masquerades traffic to the cluster IP from sources other than pods. Without it, the client would
 * get the reply from an address that it did not contact.
 */
function internalRules({ port, chains, hasInternal, configuration }: Plan): OwnRules {
  const { masqueradeAll, clusterCIDR } = configuration;
  if (!hasInternal || (!masqueradeAll && clusterCIDR === '')) return NOTHING;
  const masquerade = rule(
    port.isInternalLocal ? chains.local : chains.cluster,
    comment(`${port.name} cluster IP`),
    to(port, port.port, port.clusterIP),
    masqueradeAll ? '' : `! -s ${clusterCIDR}`,
    '-j KUBE-MARK-MASQ',
  );
  // `policyRules` creates the chain, together with its endpoints.
  return { chains: [], rules: [masquerade] };
}

/** Returns the rules for traffic to external addresses. */
function externalRules({ port, choice, chains, hasExternal, configuration }: Plan): OwnRules {
  if (!choice.hasAny || !isExternallyAccessible(port)) return NOTHING;
  const { clusterCIDR } = configuration;
  const external = (what: string, ...words: readonly string[]): string =>
    rule(chains.external, comment(`${what} ${port.name} external destinations`), ...words);
  const rest = hasExternal
    ? [rule(chains.external, `-j ${port.isExternalLocal ? chains.local : chains.cluster}`)]
    : [];
  const first = port.isExternalLocal
    ? [
        // The policy applies to traffic from outside the cluster. Pods and this node can use any endpoint, as if
        // through a load balancer.
        ...(clusterCIDR === ''
          ? []
          : [external('pod traffic for', `-s ${clusterCIDR} -j ${chains.cluster}`)]),
        external('masquerade LOCAL traffic for', '-m addrtype --src-type LOCAL -j KUBE-MARK-MASQ'),
        external('route LOCAL traffic for', `-m addrtype --src-type LOCAL -j ${chains.cluster}`),
      ]
    : // The endpoint may be on another node, and its replies must come back through this one.
      [external('masquerade traffic for', '-j KUBE-MARK-MASQ')];
  return { chains: [chains.external], rules: [...first, ...rest] };
}

/**
 * Returns the rules that accept traffic to a load balancer address only from allowed sources. Other packets return from
 * the chain unchanged, and the filter drops them.
 */
function firewallRules({ port, chains, usesFirewall, nodeIP }: Plan): OwnRules {
  if (!usesFirewall) return NOTHING;
  const { loadBalancerSourceRanges: ranges, loadBalancerIPs } = port;
  const isNodeAllowed = ranges.some((range) => contains(parsePrefix(range), parseIP(nodeIP)));
  // A node can have the load balancer's address as its own: then its packets have it as their source.
  const sources = [...ranges, ...(isNodeAllowed ? loadBalancerIPs : [])];
  const allow = (source: string): string =>
    rule(chains.firewall, comment(`${port.name} loadbalancer IP`), `-s ${source}`, `-j ${chains.external}`);
  const others = comment(`other traffic to ${port.name} will be dropped by KUBE-PROXY-FIREWALL`);
  return { chains: [chains.firewall], rules: [...sources.map(allow), rule(chains.firewall, others)] };
}
