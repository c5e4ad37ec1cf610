/** The configuration of a kubelet. Upstream: kubernetes/kubelet@v0.36.3 config/v1beta1/types.go KubeletConfiguration */
export interface KubeletConfiguration {
  /** @defaultValue 10.96.0.10 */
  readonly clusterDNS?: readonly string[];
  /** @defaultValue cluster.local */
  readonly clusterDomain?: string;
  /**
   * The file with the node's own name servers, `/etc/resolv.conf`. Empty: the node has no name servers.
   *
   * Differs: upstream's default is `/etc/resolv.conf`.
   *
   * @defaultValue empty
   */
  readonly resolvConf?: string;
  /**
   * Whether containers get environment variables for the Services of their namespace and for the apiserver. Then the
   * kubelet watches Services.
   *
   * Differs: upstream's kubelet always sets them.
   *
   * @defaultValue false
   */
  readonly serviceEnvironment?: boolean;
  /** The directory with the manifests of static pods. @defaultValue /etc/kubernetes/manifests */
  readonly staticPodPath?: string;
}
