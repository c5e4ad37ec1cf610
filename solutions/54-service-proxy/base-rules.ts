import type { Configuration } from './configuration.ts';
import { chainLine, comment, rule } from './words.ts';

/** A table of iptables. */
export type Table = 'nat' | 'filter';

/** A jump from one of the kernel's chains to one of ours. */
export interface Jump {
  readonly table: Table;
  readonly from: string;
  readonly to: string;
  readonly comment: string;
  /** Whether the jump applies only to the first packet of a connection. */
  readonly onlyNew: boolean;
}

const PORTALS = 'kubernetes service portals';
const EXTERNAL = 'kubernetes externally-visible service portals';
const FIREWALL = 'kubernetes load balancer firewall';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/iptables/proxier.go iptablesJumpChains, iptablesKubeletJumpChains */
export const jumps: readonly Jump[] = [
  jump('filter', 'INPUT', 'KUBE-EXTERNAL-SERVICES', EXTERNAL, true),
  jump('filter', 'FORWARD', 'KUBE-EXTERNAL-SERVICES', EXTERNAL, true),
  jump('filter', 'INPUT', 'KUBE-NODEPORTS', 'kubernetes health check service ports', false),
  jump('filter', 'FORWARD', 'KUBE-SERVICES', PORTALS, true),
  jump('filter', 'OUTPUT', 'KUBE-SERVICES', PORTALS, true),
  jump('filter', 'FORWARD', 'KUBE-FORWARD', 'kubernetes forwarding rules', false),
  jump('filter', 'INPUT', 'KUBE-PROXY-FIREWALL', FIREWALL, true),
  jump('filter', 'OUTPUT', 'KUBE-PROXY-FIREWALL', FIREWALL, true),
  jump('filter', 'FORWARD', 'KUBE-PROXY-FIREWALL', FIREWALL, true),
  jump('nat', 'OUTPUT', 'KUBE-SERVICES', PORTALS, false),
  jump('nat', 'PREROUTING', 'KUBE-SERVICES', PORTALS, false),
  jump('nat', 'POSTROUTING', 'KUBE-POSTROUTING', 'kubernetes postrouting rules', false),
  jump('filter', 'INPUT', 'KUBE-FIREWALL', '', false),
  jump('filter', 'OUTPUT', 'KUBE-FIREWALL', '', false),
];

function jump(table: Table, from: string, target: string, why: string, onlyNew: boolean): Jump {
  return { table, from, to: target, comment: why, onlyNew };
}

/**
 * A chain that exists in each table as a sentinel: if it disappears, some program has flushed all rules.
 *
 * Differs: upstream has another canary in the table `mangle`, and checks that one.
 */
export const CANARY = 'KUBE-PROXY-CANARY';

/** Returns the mark and its mask: `0x4000/0x4000`. */
function markOf({ masqueradeBit }: Configuration): string {
  const mark = `0x${(1 << masqueradeBit).toString(16)}`;
  return `${mark}/${mark}`;
}

/** Returns the head of the table `nat`: the chains that all services share, and the masquerading rules. */
export function natHead(configuration: Configuration): {
  readonly chains: readonly string[];
  readonly rules: readonly string[];
} {
  const mark = markOf(configuration);
  const [bit = ''] = mark.split('/');
  return {
    chains: ['KUBE-SERVICES', 'KUBE-NODEPORTS', 'KUBE-POSTROUTING', 'KUBE-MARK-MASQ'].map(chainLine),
    rules: [
      rule('KUBE-POSTROUTING', `-m mark ! --mark ${mark} -j RETURN`),
      // Clears the mark, so that a packet that passes again is not masqueraded twice.
      rule('KUBE-POSTROUTING', `-j MARK --xor-mark ${bit}`),
      rule(
        'KUBE-POSTROUTING',
        comment('kubernetes service traffic requiring SNAT'),
        '-j MASQUERADE --random-fully',
      ),
      rule('KUBE-MARK-MASQ', `-j MARK --or-mark ${bit}`),
    ],
  };
}

/**
 * Returns the last rule of the table `nat`: traffic to this node that matched no service address may be for a nodePort.
 */
export function natTail({ localhostNodePorts }: Configuration): string {
  return rule(
    'KUBE-SERVICES',
    comment('kubernetes service nodeports; NOTE: this must be the last rule in this chain'),
    '-m addrtype --dst-type LOCAL',
    localhostNodePorts ? '' : '! -d 127.0.0.0/8',
    '-j KUBE-NODEPORTS',
  );
}

/**
 * Returns the rules of the table `filter` that are independent of services: they apply to traffic that this node
 * forwards to endpoints.
 */
export function filterBase(configuration: Configuration): {
  readonly chains: readonly string[];
  readonly rules: readonly string[];
} {
  const firewall = configuration.localhostNodePorts;
  const names = [
    'KUBE-SERVICES',
    'KUBE-EXTERNAL-SERVICES',
    'KUBE-FORWARD',
    'KUBE-NODEPORTS',
    'KUBE-PROXY-FIREWALL',
  ];
  return {
    chains: [...names, ...(firewall ? ['KUBE-FIREWALL'] : [])].map(chainLine),
    rules: [
      // With `route_localnet` for nodePorts, packets from other machines could reach 127.0.0.1; this rule drops them.
      ...(firewall
        ? [
            rule(
              'KUBE-FIREWALL',
              comment('block incoming localnet connections'),
              '-d 127.0.0.0/8 ! -s 127.0.0.0/8',
              '-m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT -j DROP',
            ),
          ]
        : []),
      // Packets without a connection would reach the client untranslated, and the client would reset its connection.
      rule('KUBE-FORWARD', '-m conntrack --ctstate INVALID -j DROP'),
      rule(
        'KUBE-FORWARD',
        comment('kubernetes forwarding rules'),
        `-m mark --mark ${markOf(configuration)} -j ACCEPT`,
      ),
      rule(
        'KUBE-FORWARD',
        comment('kubernetes forwarding conntrack rule'),
        '-m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT',
      ),
    ],
  };
}
