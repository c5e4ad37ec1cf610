import type * as rbac from '#api/rbac/v1';

/** Who has a role: `Group system:masters`. An account is one of the namespace `kube-system`. */
export type Holder = `${'Group' | 'User' | 'ServiceAccount'} ${string}`;

/**
 * Who has the roles of the whole cluster, except for controllers, each of which has its own.
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
  // Nodes have an authorizer of their own.
  'system:node': [],
  'system:node-proxier': ['User system:kube-proxy'],
  'system:public-info-viewer': ['Group system:authenticated', 'Group system:unauthenticated'],
  'system:service-account-issuer-discovery': ['Group system:serviceaccounts'],
  'system:volume-scheduler': ['User system:kube-scheduler'],
};

/** The group of roles, and of users and groups. */
export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** As the subjects of a binding. */
export function subjectsOf(holders: readonly Holder[]): rbac.Subject[] {
  return holders.map((holder) => {
    const at = holder.indexOf(' ');
    const [kind, name] = [holder.slice(0, at), holder.slice(at + 1)];
    return kind === 'ServiceAccount'
      ? { kind, name, namespace: 'kube-system' }
      : { apiGroup: RBAC_GROUP, kind, name };
  });
}
