import type { CniConfigurationList } from '../../contracts/node/cni-plugin.ts';
import type { FileSystem } from '../../contracts/node/host.ts';
import type { NetworkTools } from '../../contracts/node/network-tools.ts';
import { changeNat, natLines } from './bridge-parts.ts';

/** The addresses of all pods of a cluster. Upstream: flannel-io/flannel@v0.28.9 Documentation/kube-flannel.yml net-conf.json */
export const POD_NETWORK = '10.244.0.0/16';

/** Where packets for the pods of a node go: by the network of its pods, the address of the node. */
export type PodRoutes = ReadonlyMap<string, string>;

/** Where the container runtime finds the configuration of the network. */
export const CONFLIST_PATH = '/etc/cni/net.d/10-flannel.conflist';

/**
 * By this number a route says that the agent has made it: `ip route add … proto 17`. Other programs have others, and what a person
 * makes has `boot`.
 */
export const ROUTE_PROTOCOL = '17';

/**
 * The configuration of the network of one node.
 *
 * Upstream: flannel-io/flannel@v0.28.9 Documentation/kube-flannel.yml cni-conf.json
 *
 * Differs: the plugin `flannel` reads the subnet from a file and calls `bridge` with it; here it is written down for `bridge` itself. The
 * version of the specification is 1.1.0, so that there is a CHECK and a GC.
 *
 * @param podCIDR the addresses of the pods of this node
 */
export function flannelConflist(podCIDR: string): CniConfigurationList {
  return {
    cniVersion: '1.1.0',
    name: 'cbr0',
    plugins: [
      {
        type: 'bridge',
        bridge: 'cni0',
        isDefaultGateway: true,
        hairpinMode: true,
        ipMasq: false,
        ipam: { type: 'host-local', ranges: [[{ subnet: podCIDR }]], routes: [{ dst: POD_NETWORK }] },
      } as CniConfigurationList['plugins'][number],
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  };
}

/** Writes the configuration of a node's network, if it is not there already. A runtime that reads it at any moment finds none, or all of it. */
export async function writeConflist(files: FileSystem, podCIDR: string): Promise<void> {
  const content = `${JSON.stringify(flannelConflist(podCIDR), undefined, 2)}\n`;
  const there = await files.readFile(CONFLIST_PATH).catch(() => '');
  if (there === content) return;
  await files.mkdirAll('/etc/cni/net.d');
  await files.writeFile(`${CONFLIST_PATH}.tmp`, content);
  await files.rename(`${CONFLIST_PATH}.tmp`, CONFLIST_PATH);
}

/** The chain in which the agent says what is masqueraded. Upstream: flannel-io/flannel@v0.28.9 pkg/trafficmngr/iptables/iptables.go masqRules */
export const MASQUERADE_CHAIN = 'FLANNEL-POSTRTG';

/**
 * Sees to it that the chain {@link MASQUERADE_CHAIN} has these rules and no others, and that POSTROUTING jumps to it once. If it is so, it
 * changes nothing.
 *
 * Upstream: flannel-io/flannel@v0.28.9 pkg/trafficmngr/iptables/iptables.go ensureIPTables
 *
 * @param rules as `iptables-save` prints them, without `-A` and the chain: `-s 10.244.0.0/16 -j RETURN`
 */
export async function ensureMasqueradeChain(tools: NetworkTools, rules: readonly string[]): Promise<void> {
  const jump = `-A POSTROUTING -m comment --comment "flanneld masq" -j ${MASQUERADE_CHAIN}`;
  const wanted = rules.map((rule) => `-A ${MASQUERADE_CHAIN} ${rule}`);
  const lines = await natLines(tools);
  const there = lines.filter((line) => line.startsWith(`-A ${MASQUERADE_CHAIN} `));
  const hasJump = lines.includes(jump);
  if (hasJump && there.join('\n') === wanted.join('\n')) return;
  await changeNat(tools, [`:${MASQUERADE_CHAIN} - [0:0]`, ...wanted, ...(hasJump ? [] : [jump])]);
}
