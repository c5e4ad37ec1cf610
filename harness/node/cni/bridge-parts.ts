import type { BridgeConfiguration } from '../../contracts/node/bridge-configuration.ts';
import type { IpAddresses, IpRoute } from '../../contracts/node/ip-json.ts';
import type { CniResult } from '../../contracts/node/network-plugin.ts';
import type { NetworkTools, Shell } from '../../contracts/node/network-tools.ts';
import { linkNamed } from './links.ts';
import { namespaceName } from './names.ts';
import type { CniRequest } from './skel.ts';

/** The configuration of a request to the plugin `bridge`, with the default for the bridge's name. */
export function bridgeConfiguration({ config }: Pick<CniRequest, 'config'>): BridgeConfiguration & {
  readonly bridge: string;
} {
  return { bridge: 'cni0', ...config };
}

/** What a pair is made for. */
export interface PairOptions {
  /** The name of the bridge. */
  readonly bridge: string;
  /** @defaultValue false */
  readonly hairpinMode?: boolean;
  /** Of both ends. @defaultValue the kernel's */
  readonly mtu?: number;
}

/** What a pod gets: its addresses, its routes, and the addresses that the bridge has to answer for. */
export interface Addressing extends Pick<CniResult, 'ips' | 'routes'> {
  /** With the length of their networks: `10.244.1.1/24`. */
  readonly gateways: readonly string[];
}

/** Whose rules they are. */
export interface RuleOwner {
  /** The name of the network. */
  readonly network: string;
  readonly containerID: string;
}

/** The words that give an interface its MTU; none for the kernel's own. */
export function mtuWords(mtu: BridgeConfiguration['mtu']): readonly string[] {
  return mtu === undefined || mtu === 0 ? [] : ['mtu', `${mtu}`];
}

/** @throws Error `failed to open netns …` when the namespace of a request is not there */
export async function checkNamespace($: Shell, request: Pick<CniRequest, 'netns'>): Promise<void> {
  await $`ip -n ${namespaceName(request)} -j link show`.catch((error: Error) => {
    throw new Error(`failed to open netns "${request.netns}": ${error.message}`);
  });
}

/**
 * The interfaces of a result, as they are now: the bridge, the end of the pair in the host, the end in the container. The order is a
 * promise: the addresses of a result refer to it.
 *
 * Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go cmdAdd
 *
 * @param host the name of the end in the host
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
 * Compares the addresses and routes of a container with those that it was given.
 *
 * Upstream: containernetworking/plugins@v1.9.1 pkg/ip/utils_linux.go ValidateExpectedInterfaceIPs, ValidateExpectedRoute
 *
 * Differs: routes of IPv6 are not compared.
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
 * Changes the table `nat`: all lines at once, or none of them. A line that begins with a colon makes a chain, or empties it.
 *
 * @param lines as `iptables-restore` reads them: `:CNI-1 - [0:0]`, `-A CNI-1 -j ACCEPT`, `-D …`, `-X CNI-1`
 * @throws ToolError when one of them is wrong: then nothing has changed
 */
export async function changeNat(tools: NetworkTools, lines: readonly string[]): Promise<void> {
  await tools.run(['iptables-restore', '--noflush', '-w'], ['*nat', ...lines, 'COMMIT', ''].join('\n'));
}

/** All that stands in the table `nat`, a line each, as `iptables-save` prints it: `-A POSTROUTING -s 10.244.1.2/32 … -j CNI-1`. */
export async function natLines(tools: NetworkTools): Promise<readonly string[]> {
  return (await tools.run(['iptables-save', '-t', 'nat'])).split('\n').filter(Boolean);
}

/** The containers of a network that have rules of their own in POSTROUTING, by their comments. */
export function masqueradedContainers(lines: readonly string[], network: string): readonly string[] {
  const owners = lines.flatMap((line) => {
    const [, name, id] = /^-A POSTROUTING .*--comment "name: \\"(.+?)\\" id: \\"(.+?)\\""/.exec(line) ?? [];
    return name === network && id !== undefined ? [id] : [];
  });
  return [...new Set(owners)];
}
