import { clusterRoleBindings } from '../api/plain-resources.ts';
import { ensure } from '../cluster/ensure.ts';
import type { Client } from '../contracts/client.ts';
import { ADMIN } from './cluster-pki.ts';

const RBAC = 'rbac.authorization.k8s.io';

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
  const [admins] = ADMIN.groups;
  await bind(client, { name: admins, role: 'cluster-admin', group: admins });
  await bind(client, {
    name: 'kubeadm:node-autoapprove-certificate-rotation',
    role: 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    group: 'system:nodes',
  });
}

async function bind(
  client: Client,
  { name, role, group }: { readonly name: string; readonly role: string; readonly group: string },
): Promise<void> {
  const binding = {
    metadata: { name },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: RBAC, kind: 'Group', name: group }],
  };
  await ensure(client, clusterRoleBindings, binding);
}
