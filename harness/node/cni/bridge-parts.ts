import type { BridgeConfiguration } from '../../contracts/node/bridge-configuration.ts';
import type { IpAddresses, IpRoute } from '../../contracts/node/ip-json.ts';
import type { CniResult } from '../../contracts/node/network-plugin.ts';
import type { NetworkTools, Shell } from '../../contracts/node/network-tools.ts';
import { linkNamed } from './links.ts';
import { namespaceName } from './names.ts';
import type { CniRequest } from './skel.ts';

/** Returns the configuration of the plugin `bridge` in a request, with a default name for the bridge. */
export function bridgeConfiguration({ config }: Pick<CniRequest, 'config'>): BridgeConfiguration & {
  readonly bridge: string;
} {
  return { bridge: 'cni0', ...config };
}

/** Options for a veth pair. */
export interface PairOptions {
  /** The name of the bridge. */
  readonly bridge: string;
  /** @defaultValue false */
  readonly hairpinMode?: boolean;
  /** The MTU of both ends. @defaultValue the kernel's */
  readonly mtu?: number;
}

/** The addresses and routes of a pod, and the gateway addresses of the bridge. */
export interface Addressing extends Pick<CniResult, 'ips' | 'routes'> {
  /** With the prefix lengths of their networks: `10.244.1.1/24`. */
  readonly gateways: readonly string[];
}

/** The owner of rules. */
export interface RuleOwner {
  /** The name of the network. */
  readonly network: string;
  readonly containerID: string;
}

/** Returns the arguments that set an MTU; none for the kernel's default. */
export function mtuWords(mtu: BridgeConfiguration['mtu']): readonly string[] {
  return mtu === undefined || mtu === 0 ? [] : ['mtu', `${mtu}`];
}

/** @throws Error `failed to open netns …` when the namespace of a request does not exist */
export async function checkNamespace($: Shell, request: Pick<CniRequest, 'netns'>): Promise<void> {
  await $`ip -n ${namespaceName(request)} -j link show`.catch((error: Error) => {
    throw new Error(`failed to open netns "${request.netns}": ${error.message}`);
  });
}

/**
 * Returns the current interfaces of a result: the bridge, the host end of the pair, the container end. The order is
 * part of the contract, because the addresses of a result refer to it by index.
 *
 * Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go cmdAdd
 *
 * @param host - the name of the host end
 */
export async function attachmentInterfaces(
  $: Shell,
  { netns, ifname }: Pick<CniRequest, 'netns' | 'ifname'>,
  { bridge, host }: { readonly bridge: string; readonly host: string },
): Promise<CniResult['interfaces']> {
  const mac = async (name: string, at?: string): Promise<string> =>
    (await linkNamed($, name, at))?.address ?? '';
  return [
    { name: bridge, mac: await mac(bridge) },
    { name: host, mac: await mac(host) },
    { name: ifname, mac: await mac(ifname, namespaceName({ netns })), sandbox: netns },
  ];
}

/**
 * Checks that a container still has its addresses and routes.
 *
 * Upstream: containernetworking/plugins@v1.9.1 pkg/ip/utils_linux.go ValidateExpectedInterfaceIPs, ValidateExpectedRoute
 *
 * Differs: it does not check IPv6 routes.
 *
 * @throws Error when one is missing
 */
export async function checkAddresses(
  $: Shell,
  request: Pick<CniRequest, 'netns' | 'ifname'>,
  { ips, routes }: Pick<CniResult, 'ips' | 'routes'>,
): Promise<void> {
  const { ifname } = request;
  const at = namespaceName(request);
  const links: readonly IpAddresses[] = JSON.parse(await $`ip -n ${at} -j addr show dev ${ifname}`);
  const found = links.flatMap(({ addr_info = [] }) => addr_info);
  for (const { address } of ips) {
    if (found.some(({ local, prefixlen }) => `${local}/${prefixlen}` === address)) continue;
    throw new Error(`Failed to match addr ${address} on interface ${ifname}`);
  }
  const there: readonly IpRoute[] = JSON.parse(await $`ip -n ${at} -j route show`);
  for (const { dst, gw } of routes.filter((route) => !route.dst.includes(':'))) {
    const named = dst === '0.0.0.0/0' ? 'default' : dst;
    if (there.some((route) => route.dst === named && (gw === undefined || route.gateway === gw))) continue;
    throw new Error(`Expected Route ${dst} not found in routing table`);
  }
}

/**
 * Changes the table `nat` atomically. A line that starts with a colon creates or flushes a chain.
 *
 * @param lines - lines for `iptables-restore`: `:CNI-1 - [0:0]`, `-A CNI-1 -j ACCEPT`, `-D …`, `-X CNI-1`
 * @throws ToolError when a line is wrong; then nothing has changed
 */
export async function changeNat(tools: NetworkTools, lines: readonly string[]): Promise<void> {
  await tools.run(['iptables-restore', '--noflush', '-w'], ['*nat', ...lines, 'COMMIT', ''].join('\n'));
}

/**
 * Returns all lines of the table `nat`, as `iptables-save` prints them: `-A POSTROUTING -s 10.244.1.2/32 … -j CNI-1`.
 */
export async function natLines(tools: NetworkTools): Promise<readonly string[]> {
  return (await tools.run(['iptables-save', '-t', 'nat'])).split('\n').filter(Boolean);
}

/** Returns the containers of a network that own rules in POSTROUTING, according to the rules' comments. */
export function masqueradedContainers(lines: readonly string[], network: string): readonly string[] {
  const owners = lines.flatMap((line) => {
    const [, name, id] = /^-A POSTROUTING .*--comment "name: \\"(.+?)\\" id: \\"(.+?)\\""/.exec(line) ?? [];
    return name === network && id !== undefined ? [id] : [];
  });
  return [...new Set(owners)];
}
