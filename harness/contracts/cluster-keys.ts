import type { LegacyTokenClaims } from './access/index.ts';

/** The keys and certificates of a cluster, as far as its controllers use them. */
export interface ClusterKeys {
  /**
   * The certificate of the authority that has signed the apiserver's certificate, in PEM. In a simulation it has signed
   * nothing.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 cmd/kube-controller-manager --root-ca-file
   */
  readonly rootCA: string;
  /**
   * Returns a token of a service account that never expires. Its Secret holds it.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 cmd/kube-controller-manager --service-account-private-key-file
   */
  signLegacyToken(claims: LegacyTokenClaims): string;
}
