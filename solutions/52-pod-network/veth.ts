import { linkNamed, mtuWords, namespaceName, type PairOptions, sha512 } from '#given/52-pod-network';
import type { CniAttachment, Shell } from '#harness';

// Level 2 · The pair

/**
 * Upstream: containernetworking/plugins@v1.9.1 pkg/ip/link_linux.go RandomVethName
 *
 * Differs: upstream draws the eight digits at random. Digits that follow from the owner need no list, and are found
 * again after a crash.
 */
export function hostVethName({ containerID, ifname }: Pick<CniAttachment, 'containerID' | 'ifname'>): string {
  return `veth${sha512(`${containerID} ${ifname}`).slice(0, 8)}`;
}

/** Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go setupVeth; pkg/ip/link_linux.go SetupVeth */
export async function setUpVeth(
  $: Shell,
  request: Pick<CniAttachment, 'containerID' | 'netns' | 'ifname'>,
  { bridge, hairpinMode = false, mtu }: PairOptions,
): Promise<void> {
  const host = hostVethName(request);
  const netns = namespaceName(request);
  const { ifname } = request;
  if (await linkNamed($, ifname, netns)) {
    throw new Error(`container veth name ("${ifname}") peer provided ("${host}") already exists`);
  }
  // One command creates both ends in their final namespaces, so that neither is ever in a wrong one.
  const sized = mtuWords(mtu);
  await $`ip link add ${host} ${sized} master ${bridge} type veth peer name ${ifname} ${sized} netns ${netns}`;
  await $`bridge link set dev ${host} hairpin ${hairpinMode ? 'on' : 'off'}`;
  await $`ip link set dev ${host} up`;
}

/** Upstream: containernetworking/plugins@v1.9.1 pkg/ip/link_linux.go DelLinkByNameAddr */
export async function removeVeth($: Shell, host: string): Promise<void> {
  if (!(await linkNamed($, host))) return;
  try {
    await $`ip link del dev ${host}`;
  } catch (error) {
    // The kernel removes it together with its namespace, which may have happened just now.
    if (await linkNamed($, host)) throw error;
  }
}
