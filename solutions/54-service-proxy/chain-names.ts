import { sha256Base32 } from '#harness';

/**
 * The prefixes of a service's chains. `SVC`: all endpoints; `SVL`: endpoints on this node; `EXT`: traffic from outside
 * the cluster; `FW`: allowed source ranges; `SEP`: one endpoint.
 */
const prefixes = ['KUBE-SVC-', 'KUBE-SVL-', 'KUBE-EXT-', 'KUBE-FW-', 'KUBE-SEP-'] as const;

/** A prefix of a service's chain. */
export type ChainPrefix = (typeof prefixes)[number];

/**
 * Returns the name of a service's chain. It contains a digest, because chain names are limited to 28 characters, and
 * names of services can be longer.
 *
 * @param text - the concatenation of `ns/name:port`, the protocol, and for an endpoint `address:port`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/iptables/proxier.go portProtoHash, servicePortEndpointChainName
 */
export function chainName(prefix: ChainPrefix, text: string): string {
  return prefix + sha256Base32(text).slice(0, 16);
}

/** Reports whether a chain belongs to a service. */
export function isServiceChain(name: string): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix));
}
