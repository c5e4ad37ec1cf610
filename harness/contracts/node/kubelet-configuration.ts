/** How a kubelet is set up. Upstream: kubernetes/kubelet@v0.36.3 config/v1beta1/types.go KubeletConfiguration */
export interface KubeletConfiguration {
  /** @defaultValue 10.96.0.10 */
  readonly clusterDNS?: readonly string[];
  /** @defaultValue cluster.local */
  readonly clusterDomain?: string;
  /**
   * The file with the node's own name servers, `/etc/resolv.conf`. Empty: the node has none.
   *
   * Differs: upstream takes `/etc/resolv.conf` if nothing is said.
   *
   * @defaultValue empty
   */
  readonly resolvConf?: string;
  /**
   * Containers get variables that name the services of their namespace, and the apiserver: the kubelet watches services.
   *
   * Differs: upstream's kubelet always does so.
   *
   * @defaultValue false
   */
  readonly serviceEnvironment?: boolean;
  /** Where the manifests of static pods are. @defaultValue /etc/kubernetes/manifests */
  readonly staticPodPath?: string;
}
