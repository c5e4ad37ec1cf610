import type { CniConfiguration } from './cni-plugin.ts';

/**
 * The configuration of the plugin `bridge`.
 *
 * Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go NetConf
 *
 * Differs: no VLANs, no isolated ports, no promiscuous mode, no other backend than iptables, no address by `CNI_ARGS`.
 */
export interface BridgeConfiguration extends CniConfiguration {
  /** The name of the bridge. @defaultValue cni0 */
  readonly bridge?: string;
  /** Whether the bridge gets an address, so that pods reach the node by it. @defaultValue false */
  readonly isGateway?: boolean;
  /** Whether pods send by it what is for elsewhere. It makes it a gateway, too. @defaultValue false */
  readonly isDefaultGateway?: boolean;
  /** Whether what a pod sends beyond its subnet goes out under the address of the node. @defaultValue false */
  readonly ipMasq?: boolean;
  /** Whether the bridge sends back by a port what came in by it. @defaultValue false */
  readonly hairpinMode?: boolean;
  /** Of the bridge, and of both ends of the pair. @defaultValue the kernel's, 1500 */
  readonly mtu?: number;
}
