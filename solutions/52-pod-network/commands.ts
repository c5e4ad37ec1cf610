import {
  attachmentInterfaces,
  bridgeConfiguration,
  changeNat,
  checkAddresses,
  checkNamespace,
  linkNamed,
  masqueradedContainers,
  namespaceName,
  natLines,
  readResult,
} from '#given/52-pod-network';
import { type CniRequest, type CniResult, type IpLink, shell } from '#harness';
import { addressingOf, configureInterface, delegate, ensureGateway } from './addresses.ts';
import { ensureBridge } from './bridge-link.ts';
import { masqueradeRules, ownerOf, tearDownMasquerade } from './masquerade.ts';
import { hostVethName, removeVeth, setUpVeth } from './veth.ts';

// Level 4 · The commands

/** Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go cmdAdd */
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
    // Differs: upstream releases only the address, while the interface still has it.
    await del(request).catch(() => {});
    throw error;
  }
}

/**
 * Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go cmdDel
 *
 * Differs: upstream releases the address before it removes the rules, and leaves the rules if the namespace does not
 * exist.
 */
export async function del(request: CniRequest): Promise<void> {
  const { tools } = request.process;
  await removeVeth(shell(tools), hostVethName(request));
  if (bridgeConfiguration(request).ipMasq) await tearDownMasquerade(tools, ownerOf(request));
  // The address is released last: it may be allocated to another pod at once, to which the interface and rules of this
  // one must not apply.
  await delegate(request, 'DEL');
}

/** Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go cmdCheck */
export async function check(request: CniRequest): Promise<void> {
  const $ = shell(request.process.tools);
  const { bridge, prevResult } = bridgeConfiguration(request);
  const { ifname, netns } = request;
  await checkNamespace($, request);
  await delegate(request, 'CHECK');
  if (!prevResult) throw new Error('Required prevResult missing');
  if ((await linkNamed($, bridge))?.linkinfo?.info_kind !== 'bridge')
    throw new Error(`CNI created bridge ${bridge} in host namespace was not found`);
  const container = await linkNamed($, ifname, namespaceName(request));
  if (!container) throw new Error(`CNI created interface in container ${ifname} not found`);
  const host = await linkNamed($, hostVethName(request));
  if (host?.master !== bridge || ![host, container].every(isUp))
    throw new Error(`CNI veth created for bridge ${bridge} was not found`);
  const given = prevResult.interfaces.find(({ name, sandbox }) => name === ifname && sandbox === netns);
  if (given?.mac !== undefined && given.mac !== container.address)
    throw new Error(`Interface ${ifname} Mac ${given.mac} doesn't match container Mac: ${container.address}`);
  await checkAddresses($, request, prevResult);
}

/**
 * Upstream: containernetworking/cni@v1.3.0 SPEC.md section 2, GC
 *
 * Differs: upstream's bridge plugin removes nothing.
 */
export async function gc(request: CniRequest): Promise<void> {
  const { tools } = request.process;
  const $ = shell(tools);
  const { bridge, name: network, 'cni.dev/valid-attachments': valid = [] } = bridgeConfiguration(request);
  const names = new Set(valid.map(hostVethName));
  const ids = new Set(valid.map(({ containerID }) => containerID));
  const links: readonly IpLink[] = JSON.parse(await $`ip -d -j link show`);
  // A veth that is in no bridge and down: a plugin crashed between two commands. A veth that is up belongs to another
  // program, and is in use.
  const isOurs = (link: IpLink): boolean =>
    link.master === bridge ||
    (link.master === undefined && link.linkinfo?.info_kind === 'veth' && !isUp(link));
  const ports = links.filter((link) => /^veth[0-9a-f]{8}$/.test(link.ifname) && isOurs(link));
  const owners = masqueradedContainers(await natLines(tools), network);
  const failures: string[] = [];
  const attempt = (step: Promise<unknown>): Promise<unknown> =>
    step.catch((error: Error) => failures.push(error.message));
  for (const { ifname } of ports) if (!names.has(ifname)) await attempt(removeVeth($, ifname));
  for (const containerID of owners)
    if (!ids.has(containerID)) await attempt(tearDownMasquerade(tools, { network, containerID }));
  await attempt(delegate(request, 'GC'));
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

function isUp({ flags }: IpLink): boolean {
  return flags.includes('UP');
}
