import { type Addressing, errorOf, namespaceName } from '#given/52-pod-network';
import {
  type BridgeConfiguration,
  type CniRequest,
  type CniResult,
  contains,
  firstOf,
  type IpAddresses,
  parseIP,
  parsePrefix,
  plus,
  type Shell,
} from '#harness';

// Level 3 · Addresses

/** Upstream: containernetworking/plugins@v1.9.1 pkg/ipam/ipam.go ExecAdd, ExecDel; containernetworking/cni@v1.3.0 SPEC.md section 4 */
export async function delegate(
  { process, config }: Pick<CniRequest, 'process' | 'config'>,
  command: 'ADD' | 'DEL' | 'CHECK' | 'GC' | 'STATUS',
): Promise<string> {
  const { env, stdin } = process;
  const exit = await process.run(config.ipam?.type ?? '', { env: { ...env, CNI_COMMAND: command }, stdin });
  if (exit.code !== 0) throw errorOf(exit);
  return exit.stdout;
}

/**
 * Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go calcGateways
 *
 * Differs: upstream adds a second default route next to one without a gateway, and ADD fails, because both are the same
 * route.
 */
export function addressingOf(
  { ips, routes }: Pick<CniResult, 'ips' | 'routes'>,
  { isGateway = false, isDefaultGateway = false }: BridgeConfiguration,
): Addressing {
  const isRouter = isGateway || isDefaultGateway;
  const all = ips.map(({ address, gateway }) => {
    const way = gateway ?? (isRouter ? plus(firstOf(parsePrefix(address)), 1).text : undefined);
    return { address, ...(way !== undefined && { gateway: way }), interface: 2 };
  });
  const found = [...routes];
  for (const { address, gateway } of isDefaultGateway ? all : []) {
    const dst = isV4(address) ? '0.0.0.0/0' : '::/0';
    if (!found.some((route) => route.dst === dst) && gateway !== undefined) found.push({ dst, gw: gateway });
  }
  const gateways = isRouter ? all.map(({ address, gateway }) => `${gateway}/${lengthOf(address)}`) : [];
  return { ips: all, routes: found, gateways };
}

/** Upstream: containernetworking/plugins@v1.9.1 pkg/ipam/ipam_linux.go ConfigureIface */
export async function configureInterface(
  $: Shell,
  request: Pick<CniRequest, 'netns' | 'ifname'>,
  { ips, routes }: Pick<CniResult, 'ips' | 'routes'>,
): Promise<void> {
  const { netns, ifname } = request;
  const at = namespaceName(request);
  // When the interface comes up, it announces its address to neighbours that still know it as another pod's.
  await $`nsenter --net=${netns} sysctl -w net.ipv4.conf.${ifname}.arp_notify=1`;
  for (const { address } of ips) await $`ip -n ${at} addr add ${address} dev ${ifname}`;
  await $`ip -n ${at} link set dev ${ifname} up`;
  for (const { dst, gw } of routes) {
    const via = gw ?? ips.find(({ address }) => isV4(address) === isV4(dst))?.gateway;
    await $`ip -n ${at} ${isV4(dst) ? [] : ['-6']} route add ${dst} ${via ? ['via', via] : []} dev ${ifname}`;
  }
}

/** Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go ensureAddr, enableIPForward */
export async function ensureGateway($: Shell, bridge: string, gateway: string): Promise<void> {
  if (!(await hasAddress($, bridge, gateway))) {
    // Another plugin may have added it at the same time.
    await $`ip addr add ${gateway} dev ${bridge}`.catch(async (error: Error) => {
      if (!(await hasAddress($, bridge, gateway))) throw error;
    });
  }
  await $`sysctl -w ${isV4(gateway) ? 'net.ipv4.ip_forward=1' : 'net.ipv6.conf.all.forwarding=1'}`;
}

/** @throws Error when the bridge has an address that conflicts with this one */
async function hasAddress($: Shell, bridge: string, gateway: string): Promise<boolean> {
  const wanted = parsePrefix(gateway);
  const links: readonly IpAddresses[] = JSON.parse(await $`ip -j addr show dev ${bridge}`);
  const found = links
    .flatMap(({ addr_info = [] }) => addr_info)
    .map(({ local, prefixlen }) => parsePrefix(`${local}/${prefixlen}`));
  const has = found.some(({ ip, bits }) => ip.text === wanted.ip.text && bits === wanted.bits);
  const clashes = found.some((own) =>
    wanted.ip.family === 4 ? own.ip.family === 4 : contains(own, wanted.ip) || contains(wanted, own.ip),
  );
  if (has || !clashes) return has;
  throw new Error(
    `failed to set bridge addr: "${bridge}" already has an IP address different from ${gateway}`,
  );
}

/** Reports whether an address or a network is IPv4. */
export function isV4(text: string): boolean {
  return parseIP(text.split('/')[0] as string).family === 4;
}

function lengthOf(address: string): number {
  return parsePrefix(address).bits;
}
