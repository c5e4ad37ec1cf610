import { chainName, changeNat, natLines, type RuleOwner, ruleComment } from '#given/52-pod-network';
import {
  type CniRequest,
  type CniResult,
  firstOf,
  formatPrefix,
  type NetworkTools,
  parsePrefix,
} from '#harness';

// Level 5 · To the outside

/** Upstream: containernetworking/plugins@v1.9.1 pkg/ip/ipmasq_iptables_linux.go SetupIPMasq */
export function masqueradeRules(
  { network, containerID }: RuleOwner,
  { ips }: Pick<CniResult, 'ips'>,
): readonly string[] {
  const chain = chainName(network, containerID);
  const comment = `-m comment --comment ${JSON.stringify(ruleComment(network, containerID))}`;
  const addresses = ips.map(({ address }) => parsePrefix(address)).filter(({ ip }) => ip.family === 4);
  return [
    `:${chain} - [0:0]`,
    ...addresses.flatMap((prefix) => {
      const subnet = formatPrefix({ ...prefix, ip: firstOf(prefix) });
      return [
        `-A ${chain} -d ${subnet} ${comment} -j ACCEPT`,
        `-A ${chain} ! -d 224.0.0.0/4 ${comment} -j MASQUERADE`,
        `-A POSTROUTING -s ${prefix.ip.text}/32 ${comment} -j ${chain}`,
      ];
    }),
  ];
}

/**
 * Upstream: containernetworking/plugins@v1.9.1 pkg/ip/ipmasq_iptables_linux.go TeardownIPMasq
 *
 * Differs: upstream looks for the rules of the interface's addresses, and finds none if the interface was deleted.
 */
export function masqueradeRemoval(
  lines: readonly string[],
  { network, containerID }: RuleOwner,
): readonly string[] {
  const chain = chainName(network, containerID);
  const jumps = lines.filter((line) => line.startsWith('-A ') && line.endsWith(` -j ${chain}`));
  const isThere = lines.some((line) => line.startsWith(`:${chain} `));
  if (!isThere) return [];
  return [`:${chain} - [0:0]`, ...jumps.map((line) => line.replace('-A', '-D')), `-X ${chain}`];
}

/** Removes the rules of one container, in one step. */
export async function tearDownMasquerade(tools: NetworkTools, owner: RuleOwner): Promise<void> {
  const removal = masqueradeRemoval(await natLines(tools), owner);
  if (removal.length > 0) await changeNat(tools, removal);
}

/** Returns the owner of a request's rules. */
export function ownerOf({ config, containerID }: Pick<CniRequest, 'config' | 'containerID'>): RuleOwner {
  return { network: config.name, containerID };
}
