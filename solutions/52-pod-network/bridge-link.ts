import { linkNamed, mtuWords } from '#given/52-pod-network';
import type { IpLink, Shell } from '#harness';

// Level 1 · The bridge

/** Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go setupBridge, ensureBridge */
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
  // An explicitly set address is permanent, even if it equals the present one. Differs: upstream sets it after the
  // first port.
  await $`ip link set dev ${name} address ${link.address} up`;
  return link;
}

function reasonOf(made: unknown): string {
  return made instanceof Error ? made.message : 'it went away';
}
