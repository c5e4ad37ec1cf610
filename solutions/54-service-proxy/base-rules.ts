import type { Configuration } from './configuration.ts';
import { chainLine, comment, rule } from './words.ts';

/** A table of iptables. */
export type Table = 'nat' | 'filter';

/** How one of the kernel's chains comes to one of ours. */
export interface Jump {
  readonly table: Table;
  readonly from: string;
  readonly to: string;
  readonly comment: string;
  /** Whether it is for the first packet of a connection alone. */
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
 * The chain that is in each table for one reason: when it is gone, something has thrown all rules away.
 *
 * Differs: upstream has one in the table `mangle`, too, and looks at that one.
 */
export const CANARY = 'KUBE-PROXY-CANARY';

/** `0x4000/0x4000`. */
function markOf({ masqueradeBit }: Configuration): string {
  const mark = `0x${(1 << masqueradeBit).toString(16)}`;
  return `${mark}/${mark}`;
}

/** The first lines of the table `nat`: chains that all services share, and what masquerades. */
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
      // Should the packet come by again, it is not masqueraded a second time.
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

/** The last rule of the table `nat`: what comes to this node, and to none of the services' addresses, may be for a nodePort. */
export function natTail({ localhostNodePorts }: Configuration): string {
  return rule(
    'KUBE-SERVICES',
    comment('kubernetes service nodeports; NOTE: this must be the last rule in this chain'),
    '-m addrtype --dst-type LOCAL',
    localhostNodePorts ? '' : '! -d 127.0.0.0/8',
    '-j KUBE-NODEPORTS',
  );
}

/** The table `filter`, apart from services: what passes this node on its way to an endpoint. */
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
      // Where 127.0.0.1 is let out for nodePorts, nothing else may come to it from other machines.
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
      // Packets that no connection knows would reach the client untranslated, and it would break its connection off.
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
