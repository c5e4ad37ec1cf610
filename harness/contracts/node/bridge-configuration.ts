import type { CniConfiguration } from './cni-plugin.ts';

/**
 * The configuration of the plugin `bridge`.
 *
 * Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge/bridge.go NetConf
 *
 * Differs: without VLANs, isolated ports, promiscuous mode, backends other than iptables, and addresses in `CNI_ARGS`.
 */
export interface BridgeConfiguration extends CniConfiguration {
  /** The name of the bridge. @defaultValue cni0 */
  readonly bridge?: string;
  /** Whether the bridge gets an IP address, so that pods can reach the node through it. @defaultValue false */
  readonly isGateway?: boolean;
  /** Whether the bridge is the default route of the pods. Implies `isGateway`. @defaultValue false */
  readonly isDefaultGateway?: boolean;
  /**
   * Whether traffic from pods to addresses outside their subnet gets the node's address as its source. @defaultValue
   * false
   */
  readonly ipMasq?: boolean;
  /** Whether the bridge may send a packet back through the port on which it arrived. @defaultValue false */
  readonly hairpinMode?: boolean;
  /** The MTU of the bridge and of both ends of the veth pair. @defaultValue the kernel's, 1500 */
  readonly mtu?: number;
}
