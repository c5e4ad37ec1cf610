/** The functions of the short way, as a first draft: a gateway that the bridge has already counts as set up. */
import {
  attachmentInterfaces,
  bridgeConfiguration,
  changeNat,
  checkNamespace,
  linkNamed,
  mtuWords,
  readResult,
} from '#given/52-pod-network';
import { type CniRequest, type CniResult, type IpAddresses, type IpLink, type Shell, shell } from '#harness';
import { addressingOf, configureInterface, delegate, isV4 } from './addresses.ts';
import { masqueradeRules, ownerOf, tearDownMasquerade } from './masquerade.ts';
import { hostVethName, setUpVeth } from './veth.ts';

export async function ensureBridge($: Shell, name: string, mtu?: number): Promise<IpLink> {
  // Two plugins can run at the same time and both find no bridge: if the second `add` fails, the existing link decides.
  const made = (await linkNamed($, name))
    ? undefined
    : await $`ip link add ${name} ${mtuWords(mtu)} type bridge`.catch((error: Error) => error);
  const link = await linkNamed($, name);
  if (!link) throw new Error(`failed to create bridge "${name}": could not add "${name}": ${reasonOf(made)}`);
  if (link.linkinfo?.info_kind !== 'bridge') {
    throw new Error(`failed to create bridge "${name}": "${name}" already exists but is not a bridge`);
  }
  // An explicitly set address is permanent, even if it equals the present one.
  await $`ip link set dev ${name} address ${link.address} up`;
  return link;
}

function reasonOf(made: unknown): string {
  return made instanceof Error ? made.message : 'it went away';
}

export async function ensureGateway($: Shell, bridge: string, gateway: string): Promise<void> {
  const before = await addressesOf($, bridge);
  if (before.includes(gateway)) return;
  if (isV4(gateway) && before.some(isV4)) {
    throw new Error(
      `failed to set bridge addr: "${bridge}" already has an IP address different from ${gateway}`,
    );
  }
  try {
    await $`ip addr add ${gateway} dev ${bridge}`;
  } catch (error) {
    // Another plugin may have added it at the same time.
    if (!(await addressesOf($, bridge)).includes(gateway)) throw error;
  }
  await $`sysctl -w ${isV4(gateway) ? 'net.ipv4.ip_forward=1' : 'net.ipv6.conf.all.forwarding=1'}`;
}

/** Returns the addresses of a link: `10.244.1.1/24`. */
async function addressesOf($: Shell, name: string): Promise<readonly string[]> {
  const links: readonly IpAddresses[] = JSON.parse(await $`ip -j addr show dev ${name}`);
  return links
    .flatMap(({ addr_info = [] }) => addr_info)
    .map(({ local, prefixlen }) => `${local}/${prefixlen}`);
}

export async function removeVeth($: Shell, host: string): Promise<void> {
  if (!(await linkNamed($, host))) return;
  try {
    await $`ip link del dev ${host}`;
  } catch (error) {
    // The kernel removes it together with its namespace, which may have happened just now.
    if (await linkNamed($, host)) throw error;
  }
}

export async function add(request: CniRequest): Promise<CniResult> {
  const { tools } = request.process;
  const $ = shell(tools);
  const config = bridgeConfiguration(request);
  const { cniVersion, bridge } = config;
  await checkNamespace($, request);
  // The remains of an earlier attempt would conflict: an interface, an address, rules.
  await del(request);
  await ensureBridge($, bridge, config.mtu);
  await setUpVeth($, request, config);
  try {
    const addressing = addressingOf(readResult(await delegate(request, 'ADD')), config);
    const { ips, routes, gateways } = addressing;
    if (ips.length === 0) throw new Error('IPAM plugin returned missing IP config');
    await configureInterface($, request, addressing);
    for (const gateway of gateways) await ensureGateway($, bridge, gateway);
    if (config.ipMasq) await changeNat(tools, masqueradeRules(ownerOf(request), addressing));
    const interfaces = await attachmentInterfaces($, request, { bridge, host: hostVethName(request) });
    return { cniVersion, interfaces, ips, routes };
  } catch (error) {
    await del(request).catch(() => {});
    throw error;
  }
}

export async function del(request: CniRequest): Promise<void> {
  const { tools } = request.process;
  await removeVeth(shell(tools), hostVethName(request));
  if (bridgeConfiguration(request).ipMasq) await tearDownMasquerade(tools, ownerOf(request));
  // The address is released last: it may be allocated to another pod at once, to which the interface and rules of this
  // one must not apply.
  await delegate(request, 'DEL');
}
