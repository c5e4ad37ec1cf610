import type { ClusterRole, ClusterRoleBinding, New, Role, RoleBinding } from '../../api/objects.ts';
import { clusterRoleRules } from './cluster-roles.ts';
import { controllerRoleRules } from './controller-roles.ts';
import { clusterRoleHolders, type Holder, RBAC_GROUP, subjectsOf } from './holders.ts';
import { namespaceRoles } from './namespace-roles.ts';
import { policyRules } from './rules.ts';

/** The default roles of every cluster, and their bindings. */
interface BootstrapPolicy {
  readonly clusterRoles: readonly New<ClusterRole>[];
  readonly clusterRoleBindings: readonly New<ClusterRoleBinding>[];
  readonly roles: readonly New<Role>[];
  readonly roleBindings: readonly New<RoleBinding>[];
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/rbac/rest/storage_rbac.go PolicyData */
export function bootstrapPolicy(): BootstrapPolicy {
  const controllers = Object.keys(controllerRoleRules);
  return {
    clusterRoles: [
      {
        metadata: metadata('cluster-admin'),
        rules: [...policyRules([['*', '*', '*']]), { nonResourceURLs: ['*'], verbs: ['*'] }],
      },
      ...AGGREGATES.map((name) => ({
        metadata: metadata(name),
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregateTo(name)]: 'true' } }] },
        rules: [],
      })),
      ...Object.entries(clusterRoleRules).map(([name, rows]) => ({
        metadata: metadata(name),
        rules: policyRules(rows),
      })),
      ...Object.entries(controllerRoleRules).map(([account, rows]) => ({
        metadata: metadata(ofController(account)),
        rules: policyRules(rows),
      })),
    ],
    clusterRoleBindings: [
      ...Object.entries(clusterRoleHolders).map(([name, holders]) => clusterBinding(name, holders)),
      ...controllers.map((account) => clusterBinding(ofController(account), [`ServiceAccount ${account}`])),
    ],
    roles: namespaceRoles.map(({ namespace, name, rules }) => ({
      metadata: { ...metadata(name), namespace },
      rules: policyRules(rules),
    })),
    roleBindings: namespaceRoles.map(({ namespace, name, binding = name, holders }) => ({
      metadata: { ...metadata(binding), namespace },
      roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name },
      subjects: subjectsOf(holders),
    })),
  };
}

/** The roles whose rules are aggregated from other roles. */
const AGGREGATES = ['admin', 'edit', 'view'];

/** Returns the label of the roles that an aggregate selects. */
const aggregateTo = (name: string): string => `${RBAC_GROUP}/aggregate-to-${name}`;

/** The aggregate that each role is a part of. */
const PART_OF: Readonly<Record<string, string>> = {
  edit: 'admin',
  view: 'edit',
  'system:aggregate-to-admin': 'admin',
  'system:aggregate-to-edit': 'edit',
  'system:aggregate-to-view': 'view',
};

/** Upstream: controller_policy.go saRolePrefix */
const ofController = (account: string): string => `system:controller:${account}`;

/** Upstream: policy.go addDefaultMetadata */
function metadata(name: string): New<ClusterRole>['metadata'] {
  const whole = PART_OF[name];
  return {
    name,
    labels: {
      'kubernetes.io/bootstrapping': 'rbac-defaults',
      ...(whole === undefined ? {} : { [aggregateTo(whole)]: 'true' }),
    },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  };
}

function clusterBinding(name: string, holders: readonly Holder[]): New<ClusterRoleBinding> {
  const subjects = subjectsOf(holders);
  return {
    metadata: metadata(name),
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name },
    ...(subjects.length > 0 ? { subjects } : {}),
  };
}
