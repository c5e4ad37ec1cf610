import { contains, parseIP, parsePrefix } from '#harness';
import { chainName } from './chain-names.ts';
import type { Configuration } from './configuration.ts';
import { endpointRules, policyRules } from './endpoint-rules.ts';
import { isExternallyAccessible, type ServicePort } from './service-port.ts';
import type { Choice } from './topology.ts';
import { comment, type OwnRules, rule, to } from './words.ts';

/** The rules of one service port. */
export interface ServiceRules {
  /** In chains that all services share; these are written whole each time. */
  readonly shared: { readonly filter: readonly string[]; readonly nat: readonly string[] };
  /** In chains of its own, all of the table `nat`; these are written only when they change. */
  readonly own: OwnRules;
}

/** What rules depend on besides the service and its endpoints. */
interface RulesOptions {
  readonly configuration: Configuration;
  /** Of this node. */
  readonly nodeIP: string;
  /** Whether rules of endpoints say what they are for: with many, that is nearly half of the text. */
  readonly hasComments: boolean;
}

/** A service port with what has been worked out for it. */
interface Plan extends RulesOptions {
  readonly port: ServicePort;
  readonly choice: Choice;
  /** The chains that it may have. */
  readonly chains: Readonly<Record<'cluster' | 'local' | 'external' | 'firewall', string>>;
  /** Those that have somewhere to go, if it comes to the cluster IP, or from outside. */
  readonly hasInternal: boolean;
  readonly hasExternal: boolean;
  readonly usesFirewall: boolean;
}

/**
 * Turns a service port and its endpoints into rules.
 *
 *     cluster IP     → SVC or SVL
 *     from outside   → (FW →) EXT → SVC or SVL
 *     SVC, SVL       → SEP, by chance or by affinity
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

/** By which addresses one comes to the chains of the service. */
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
 * What becomes of packets that have no endpoint to go to. If there is none at all, the client is told. If there is none on this node,
 * the packet is dropped: a load balancer that sent it here was about to learn that.
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

/** Whatever else is closed on this node, a load balancer may ask whether it has endpoints. */
function healthCheck({ port: { healthCheckNodePort, name } }: Plan): readonly string[] {
  if (healthCheckNodePort === undefined) return [];
  const asked = to({ protocol: 'tcp' }, healthCheckNodePort);
  return [rule('KUBE-NODEPORTS', comment(`${name} health check node port`), asked, '-j ACCEPT')];
}

/** What comes to the cluster IP from elsewhere than a pod would get its answer from a pod it has not asked: it is masqueraded. */
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
  // The chain itself comes with its endpoints.
  return { chains: [], rules: [masquerade] };
}

/** What comes by an address for the outside. */
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
        // Policies are for what comes from outside. Pods and this node go to any endpoint, as if through a load balancer.
        ...(clusterCIDR === ''
          ? []
          : [external('pod traffic for', `-s ${clusterCIDR} -j ${chains.cluster}`)]),
        external('masquerade LOCAL traffic for', '-m addrtype --src-type LOCAL -j KUBE-MARK-MASQ'),
        external('route LOCAL traffic for', `-m addrtype --src-type LOCAL -j ${chains.cluster}`),
      ]
    : // It may go on to another node, and has to come back by this one.
      [external('masquerade traffic for', '-j KUBE-MARK-MASQ')];
  return { chains: [chains.external], rules: [...first, ...rest] };
}

/** Only some may come by a load balancer. The others leave the chain as they came, and the filter drops them. */
function firewallRules({ port, chains, usesFirewall, nodeIP }: Plan): OwnRules {
  if (!usesFirewall) return NOTHING;
  const { loadBalancerSourceRanges: ranges, loadBalancerIPs } = port;
  const isNodeAllowed = ranges.some((range) => contains(parsePrefix(range), parseIP(nodeIP)));
  // A node may have the load balancer's address for its own: then that is where it comes from.
  const sources = [...ranges, ...(isNodeAllowed ? loadBalancerIPs : [])];
  const allow = (source: string): string =>
    rule(chains.firewall, comment(`${port.name} loadbalancer IP`), `-s ${source}`, `-j ${chains.external}`);
  const others = comment(`other traffic to ${port.name} will be dropped by KUBE-PROXY-FIREWALL`);
  return { chains: [chains.firewall], rules: [...sources.map(allow), rule(chains.firewall, others)] };
}
