import type * as rbac from '#api/rbac/v1';

/** A subject that has a role: `Group system:masters`. Service accounts are in the namespace `kube-system`. */
export type Holder = `${'Group' | 'User' | 'ServiceAccount'} ${string}`;

/**
 * The subjects of the default cluster roles. Each controller's role belongs to its own account and is not listed.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go ClusterRoleBindings
 */
export const clusterRoleHolders: Readonly<Record<string, readonly Holder[]>> = {
  'cluster-admin': ['Group system:masters'],
  'system:basic-user': ['Group system:authenticated'],
  'system:discovery': ['Group system:authenticated'],
  'system:kube-controller-manager': ['User system:kube-controller-manager'],
  'system:kube-dns': ['ServiceAccount kube-dns'],
  'system:kube-scheduler': ['User system:kube-scheduler'],
  'system:monitoring': ['Group system:monitoring'],
  // Nodes have their own authorizer.
  'system:node': [],
  'system:node-proxier': ['User system:kube-proxy'],
  'system:public-info-viewer': ['Group system:authenticated', 'Group system:unauthenticated'],
  'system:service-account-issuer-discovery': ['Group system:serviceaccounts'],
  'system:volume-scheduler': ['User system:kube-scheduler'],
};

/** The API group of roles, users and groups. */
export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** Converts holders to the subjects of a binding. */
export function subjectsOf(holders: readonly Holder[]): rbac.Subject[] {
  return holders.map((holder) => {
    const at = holder.indexOf(' ');
    const [kind, name] = [holder.slice(0, at), holder.slice(at + 1)];
    return kind === 'ServiceAccount'
      ? { kind, name, namespace: 'kube-system' }
      : { apiGroup: RBAC_GROUP, kind, name };
  });
}
