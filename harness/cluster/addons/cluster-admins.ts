import { clusterRoleBindings } from '../../api/plain-resources.ts';
import type { Client } from '../../contracts/client.ts';
import { RBAC_GROUP } from '../bootstrap-policy/holders.ts';
import { ensure } from '../ensure.ts';
import { CLUSTER_ADMINS } from '../identities.ts';

/**
 * Gives the administrators of a cluster their rights, and lets nodes renew their certificates, if a binding does not
 * already.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go
 * EnsureAdminClusterRoleBinding, cmd/kubeadm/app/phases/bootstraptoken/node/tlsbootstrap.go
 * AutoApproveNodeCertificateRotation
 *
 * Differs: there are no bootstrap tokens, so no binding for them.
 */
export async function bindClusterAdmins(client: Client): Promise<void> {
  await bind(client, { name: CLUSTER_ADMINS, role: 'cluster-admin', group: CLUSTER_ADMINS });
  await bind(client, {
    name: 'kubeadm:node-autoapprove-certificate-rotation',
    role: 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    group: 'system:nodes',
  });
}

function bind(
  client: Client,
  { name, role, group }: { readonly name: string; readonly role: string; readonly group: string },
): Promise<void> {
  return ensure(client, clusterRoleBindings, {
    metadata: { name },
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: RBAC_GROUP, kind: 'Group', name: group }],
  });
}
