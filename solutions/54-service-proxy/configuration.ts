/**
 * What the one that runs a cluster sets for all its service proxies.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/apis/config/types.go KubeProxyConfiguration
 */
export interface Configuration {
  /** The addresses of all pods: what comes from elsewhere to a cluster IP is masqueraded. Empty: nothing is known to be a pod. */
  readonly clusterCIDR: string;
  /** Whether all that goes to a cluster IP is masqueraded, also from pods. */
  readonly masqueradeAll: boolean;
  /** Which bit of a packet's mark says that it is to be masqueraded. */
  readonly masqueradeBit: number;
  /** Whether a nodePort answers on 127.0.0.1, too. */
  readonly localhostNodePorts: boolean;
  /** After so long a failed sync is tried again, and the rules are looked at: has something thrown them away? */
  readonly syncPeriodMs: number;
  /** So much time is at least between two syncs. */
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
 * After so long all rules are written again, whatever has changed.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/util/utils.go FullSyncPeriod
 */
export const FULL_SYNC_PERIOD_MS = 3_600_000;

/**
 * With more endpoints than these, rules carry no comments, and old chains are looked for less often.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/iptables/proxier.go largeClusterEndpointsThreshold
 */
export const LARGE_CLUSTER_ENDPOINTS = 1_000;
