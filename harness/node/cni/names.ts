import { createHash } from 'node:crypto';
import type { CniRequest } from './skel.ts';

/** How long the name of a chain is. Upstream: containernetworking/plugins@v1.9.1 pkg/utils/utils.go maxChainLength */
const CHAIN_LENGTH = 28;

/** The SHA-512 of a text, in 128 hexadecimal digits: names that are short, and not taken twice. */
export function sha512(text: string): string {
  return createHash('sha512').update(text).digest('hex');
}

/**
 * The name of a chain that is one container's own: `CNI-`, and 24 digits that say whose.
 *
 * Upstream: containernetworking/plugins@v1.9.1 pkg/utils/utils.go MustFormatChainNameWithPrefix
 *
 * @param network its name: `cbr0`
 * @param prefix to tell chains of one container apart: `DN-`
 */
export function chainName(network: string, containerID: string, prefix = ''): string {
  return `CNI-${prefix}${sha512(network + containerID)}`.slice(0, CHAIN_LENGTH);
}

/**
 * What is written beside a rule, to say whose it is: `name: "cbr0" id: "4f5c"`.
 *
 * Upstream: containernetworking/plugins@v1.9.1 pkg/utils/utils.go FormatComment
 */
export function ruleComment(network: string, containerID: string): string {
  return `name: "${network}" id: "${containerID}"`;
}

/** The name of a namespace, as `ip -n` takes it: that of its file. `/var/run/netns/cni-1` is `cni-1`. */
export function namespaceName({ netns }: Pick<CniRequest, 'netns'>): string {
  return netns.slice(netns.lastIndexOf('/') + 1);
}
