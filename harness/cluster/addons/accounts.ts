import type { ClusterRole, New } from '../../api/objects.ts';
import { clusterRoleBindings, clusterRoles, roleBindings } from '../../api/plain-resources.ts';
import { namespaces, serviceAccounts } from '../../api/resource.ts';
import type { Client } from '../../contracts/client.ts';
import { RBAC_GROUP } from '../bootstrap-policy/holders.ts';
import { policyRules, type RuleRow } from '../bootstrap-policy/rules.ts';
import { ensure } from '../ensure.ts';
import { bindClusterAdmins } from './cluster-admins.ts';

/** A service account of an add-on, and the cluster roles that it has. */
interface Account {
  readonly namespace: string;
  readonly name: string;
  /** The labels of the add-on's own objects. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The cluster roles that the add-on brings along. */
  readonly roles?: Readonly<Record<string, readonly RuleRow[]>>;
  /** The name of each role, by the name of its binding. */
  readonly bindings: Readonly<Record<string, string>>;
}

const METRICS_SERVER = { 'k8s-app': 'metrics-server' };

/**
 * @see Upstream: kubernetes/kubernetes@v1.36.3 cmd/kubeadm/app/phases/addons/proxy/proxy.go printOrCreateKubeProxyObjects,
 * cmd/kubeadm/app/phases/addons/dns/manifests.go
 * @see Upstream: flannel-io/flannel@v0.28.9 Documentation/kube-flannel.yml
 * @see Upstream: kubernetes-sigs/metrics-server@v0.8.1 manifests/base/rbac.yaml
 * @see Upstream: rancher/local-path-provisioner@v0.0.37 deploy/local-path-storage.yaml
 */
const accounts: readonly Account[] = [
  {
    namespace: 'kube-system',
    name: 'kube-proxy',
    bindings: { 'kubeadm:node-proxier': 'system:node-proxier' },
  },
  {
    namespace: 'kube-system',
    name: 'coredns',
    roles: {
      'system:coredns': [
        ['list watch', 'endpoints services pods namespaces'],
        ['list watch', 'endpointslices', 'discovery.k8s.io'],
      ],
    },
    bindings: { 'system:coredns': 'system:coredns' },
  },
  {
    namespace: 'kube-flannel',
    name: 'flannel',
    labels: { 'k8s-app': 'flannel' },
    roles: {
      flannel: [
        ['get', 'pods'],
        ['get list watch', 'nodes'],
        ['patch', 'nodes/status'],
      ],
    },
    bindings: { flannel: 'flannel' },
  },
  {
    namespace: 'local-path-storage',
    name: 'local-path-provisioner-service-account',
    roles: {
      'local-path-provisioner-role': [
        ['get list watch', 'nodes persistentvolumeclaims configmaps pods pods/log'],
        // Differs: upstream's role lacks this right, so the provisioner cannot return a claim whose node is gone.
        ['update', 'persistentvolumeclaims'],
        ['get list watch create patch update delete', 'persistentvolumes'],
        ['create patch', 'events'],
        ['get list watch', 'storageclasses', 'storage.k8s.io'],
      ],
    },
    bindings: { 'local-path-provisioner-bind': 'local-path-provisioner-role' },
  },
  {
    namespace: 'kube-system',
    name: 'metrics-server',
    labels: METRICS_SERVER,
    roles: {
      'system:metrics-server': [
        ['get', 'nodes/metrics'],
        ['get list watch', 'pods nodes'],
      ],
    },
    bindings: {
      'metrics-server:system:auth-delegator': 'system:auth-delegator',
      'system:metrics-server': 'system:metrics-server',
    },
  },
];

/** Lets everybody who may view a namespace also view its metrics. */
const METRICS_READER: New<ClusterRole> = {
  metadata: {
    name: 'system:aggregated-metrics-reader',
    labels: {
      ...METRICS_SERVER,
      ...Object.fromEntries(
        ['admin', 'edit', 'view'].map((role) => [`${RBAC_GROUP}/aggregate-to-${role}`, 'true']),
      ),
    },
  },
  rules: policyRules([['get list watch', 'pods nodes', 'metrics.k8s.io']]),
};

/**
 * Gives rights to the administrators of a cluster and to its add-ons: the objects that kubeadm and the manifests of the
 * add-ons create.
 *
 * Differs: without the objects for joining nodes, such as the ConfigMap `cluster-info`, because no node joins.
 */
export async function installAccounts(client: Client): Promise<void> {
  await bindClusterAdmins(client);
  // Its agents change the network of their nodes, which no stricter level allows.
  const privileged = { 'pod-security.kubernetes.io/enforce': 'privileged' };
  await ensure(client, namespaces, {
    metadata: { name: 'kube-flannel', labels: { 'k8s-app': 'flannel', ...privileged } },
    spec: {},
  });
  await ensure(client, namespaces, { metadata: { name: 'local-path-storage' }, spec: {} });
  for (const each of accounts) await installAccount(client, each);
  await ensure(client, clusterRoles, METRICS_READER);
  await ensure(client, roleBindings, {
    metadata: { name: 'metrics-server-auth-reader', namespace: 'kube-system', labels: METRICS_SERVER },
    roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name: 'extension-apiserver-authentication-reader' },
    subjects: [{ kind: 'ServiceAccount', name: 'metrics-server', namespace: 'kube-system' }],
  });
}

async function installAccount(
  client: Client,
  { namespace, name, labels, roles = {}, bindings }: Account,
): Promise<void> {
  const labelled = labels && { labels };
  await ensure(client, serviceAccounts, { metadata: { name, namespace, ...labelled } });
  for (const [role, rows] of Object.entries(roles)) {
    await ensure(client, clusterRoles, { metadata: { name: role, ...labelled }, rules: policyRules(rows) });
  }
  for (const [binding, role] of Object.entries(bindings)) {
    await ensure(client, clusterRoleBindings, {
      metadata: { name: binding, ...labelled },
      roleRef: roleRef(role),
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    });
  }
}

const roleRef = (name: string) => ({ apiGroup: RBAC_GROUP, kind: 'ClusterRole', name });
