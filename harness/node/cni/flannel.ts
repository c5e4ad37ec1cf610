import type { CniConfigurationList } from '../../contracts/node/cni-plugin.ts';
import type { FileSystem } from '../../contracts/node/host.ts';
import type { NetworkTools } from '../../contracts/node/network-tools.ts';
import { changeNat, natLines } from './bridge-parts.ts';

/**
 * The address range of all pods of a cluster. Upstream: flannel-io/flannel@v0.28.9 Documentation/kube-flannel.yml
 * net-conf.json
 */
export const POD_NETWORK = '10.244.0.0/16';

/** Routes to the pods of other nodes: the node's address by its pod network. */
export type PodRoutes = ReadonlyMap<string, string>;

/** The path of the network configuration for the container runtime. */
const CONFLIST_PATH = '/etc/cni/net.d/10-flannel.conflist';

/**
 * The protocol number that marks the agent's routes: `ip route add … proto 17`. Other programs use other numbers; a
 * route that a person adds has `boot`.
 *
 * Differs: flannel sets no protocol. It recognizes its routes by a list in its memory, which a crash empties.
 */
export const ROUTE_PROTOCOL = '17';

/**
 * Returns the network configuration of one node.
 *
 * Upstream: flannel-io/flannel@v0.28.9 Documentation/kube-flannel.yml cni-conf.json
 *
 * Differs: the plugin `flannel` reads the subnet from a file and delegates to `bridge`; here the configuration names
 * `bridge` directly. The CNI version is 1.1.0, which has CHECK and GC.
 *
 * @param podCIDR - the address range of this node's pods
 */
function flannelConflist(podCIDR: string): CniConfigurationList {
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

/**
 * Writes the network configuration of a node, unless it is up to date. The write is atomic, so a runtime never reads a
 * partial file.
 */
export async function writeConflist(files: FileSystem, podCIDR: string): Promise<void> {
  const content = `${JSON.stringify(flannelConflist(podCIDR), undefined, 2)}\n`;
  const there = await files.readFile(CONFLIST_PATH).catch(() => '');
  if (there === content) return;
  await files.mkdirAll('/etc/cni/net.d');
  await files.writeFile(`${CONFLIST_PATH}.tmp`, content);
  await files.rename(`${CONFLIST_PATH}.tmp`, CONFLIST_PATH);
}

/**
 * The chain with the agent's masquerade rules. Upstream: flannel-io/flannel@v0.28.9
 * pkg/trafficmngr/iptables/iptables.go masqRules
 */
const MASQUERADE_CHAIN = 'FLANNEL-POSTRTG';

/**
 * Ensures that the chain {@link MASQUERADE_CHAIN} contains exactly these rules, and that POSTROUTING jumps to it once.
 * Changes nothing if this is already the case.
 *
 * Upstream: flannel-io/flannel@v0.28.9 pkg/trafficmngr/iptables/iptables.go ensureIPTables
 *
 * @param rules - rules as `iptables-save` prints them, without `-A` and the chain: `-s 10.244.0.0/16 -j RETURN`
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
