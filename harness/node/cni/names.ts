import { createHash } from '#platform/hash';
import type { CniRequest } from './skel.ts';

/** The length of a chain name. Upstream: containernetworking/plugins@v1.9.1 pkg/utils/utils.go maxChainLength */
const CHAIN_LENGTH = 28;

/** Returns the SHA-512 of a text, as 128 hexadecimal digits. A prefix of it makes a short and unique name. */
export function sha512(text: string): string {
  return createHash('sha512').update(text).digest('hex');
}

/**
 * Returns the name of a container's own chain: `CNI-` and 24 digits that identify the container.
 *
 * Upstream: containernetworking/plugins@v1.9.1 pkg/utils/utils.go MustFormatChainNameWithPrefix
 *
 * @param network - its name, such as `cbr0`
 * @param prefix - distinguishes several chains of one container, such as `DN-`
 */
export function chainName(network: string, containerID: string, prefix = ''): string {
  return `CNI-${prefix}${sha512(network + containerID)}`.slice(0, CHAIN_LENGTH);
}

/**
 * Returns the comment of a rule, which names its owner: `name: "cbr0" id: "4f5c"`.
 *
 * Upstream: containernetworking/plugins@v1.9.1 pkg/utils/utils.go FormatComment
 */
export function ruleComment(network: string, containerID: string): string {
  return `name: "${network}" id: "${containerID}"`;
}

/** Returns the name of a namespace for `ip -n`, which is its file name: `cni-1` for `/var/run/netns/cni-1`. */
export function namespaceName({ netns }: Pick<CniRequest, 'netns'>): string {
  return netns.slice(netns.lastIndexOf('/') + 1);
}
