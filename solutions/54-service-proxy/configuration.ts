/**
 * The cluster-wide configuration of all service proxies.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/apis/config/types.go KubeProxyConfiguration
 */
export interface Configuration {
  /**
   * The address range of all pods: traffic from other sources to a cluster IP is masqueraded. Empty: the pods'
   * addresses are unknown.
   */
  readonly clusterCIDR: string;
  /** Whether all traffic to cluster IPs is masqueraded, including traffic from pods. */
  readonly masqueradeAll: boolean;
  /** The bit of a packet's mark that requests masquerading. */
  readonly masqueradeBit: number;
  /** Whether nodePorts also accept connections on 127.0.0.1. */
  readonly localhostNodePorts: boolean;
  /**
   * The interval after which a failed sync is retried, and after which the proxy checks whether its rules were flushed.
   */
  readonly syncPeriodMs: number;
  /** The minimum time between two syncs. */
  readonly minSyncPeriodMs: number;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/apis/config/v1alpha1/defaults.go SetDefaults_KubeProxyConfiguration */
export const defaultConfiguration: Configuration = {
  clusterCIDR: '10.244.0.0/16',
  masqueradeAll: false,
  masqueradeBit: 14,
  localhostNodePorts: true,
  syncPeriodMs: 30_000,
  minSyncPeriodMs: 1_000,
};

/**
 * The interval between two syncs that write all rules again, even without a change.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/util/utils.go FullSyncPeriod
 */
export const FULL_SYNC_PERIOD_MS = 3_600_000;

/**
 * If more endpoints exist, the proxy writes no comments into rules, and cleans up stale chains less often.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/iptables/proxier.go largeClusterEndpointsThreshold
 */
export const LARGE_CLUSTER_ENDPOINTS = 1_000;
