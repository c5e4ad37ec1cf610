import { sha256Base32 } from '#harness';

/**
 * Chains of services, by what they begin with. `SVC`: any endpoint; `SVL`: those on this node; `EXT`: what comes from outside;
 * `FW`: only from some addresses; `SEP`: one endpoint.
 */
const prefixes = ['KUBE-SVC-', 'KUBE-SVL-', 'KUBE-EXT-', 'KUBE-FW-', 'KUBE-SEP-'] as const;

/** What the name of a service's chain begins with. */
export type ChainPrefix = (typeof prefixes)[number];

/**
 * The name of a service's chain. Names of chains may have 28 characters; those of services may have more, and become a digest.
 *
 * @param text `ns/name:port`, the protocol, and for an endpoint `address:port`, one behind the other
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/iptables/proxier.go portProtoHash, servicePortEndpointChainName
 */
export function chainName(prefix: ChainPrefix, text: string): string {
  return prefix + sha256Base32(text).slice(0, 16);
}

/** Whether a chain is of a service. */
export function isServiceChain(name: string): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix));
}
