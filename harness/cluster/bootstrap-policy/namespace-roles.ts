import type { Holder } from './holders.ts';
import { EVENTS, READ, type RuleRow } from './rules.ts';

/** A role of one namespace, and its subjects. */
interface NamespaceRole {
  readonly namespace: string;
  readonly name: string;
  readonly rules: readonly RuleRow[];
  readonly holders: readonly Holder[];
  /** The name of its binding. @defaultValue the name of the role */
  readonly binding?: string;
}

const LEADER_ELECTION: readonly RuleRow[] = [
  ['create get list update watch', 'leases', 'coordination.k8s.io'],
  ['create get list update watch', 'leasecandidates', 'coordination.k8s.io'],
];

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/auth/authorizer/rbac/bootstrappolicy/namespace_policy.go NamespaceRoles,
 * NamespaceRoleBindings
 */
export const namespaceRoles: readonly NamespaceRole[] = [
  {
    namespace: 'kube-public',
    name: 'system:controller:bootstrap-signer',
    rules: [[READ, 'configmaps'], ['update', 'configmaps', 'core', 'cluster-info'], EVENTS],
    holders: ['ServiceAccount bootstrap-signer'],
  },
  {
    namespace: 'kube-system',
    name: 'extension-apiserver-authentication-reader',
    binding: 'system::extension-apiserver-authentication-reader',
    rules: [[READ, 'configmaps', 'core', 'extension-apiserver-authentication']],
    holders: ['User system:kube-controller-manager', 'User system:kube-scheduler'],
  },
  {
    namespace: 'kube-system',
    name: 'system::leader-locking-kube-controller-manager',
    rules: LEADER_ELECTION,
    holders: [
      'User system:kube-controller-manager',
      'ServiceAccount kube-controller-manager',
      'ServiceAccount leader-election-controller',
    ],
  },
  {
    namespace: 'kube-system',
    name: 'system::leader-locking-kube-scheduler',
    rules: LEADER_ELECTION,
    holders: ['User system:kube-scheduler', 'ServiceAccount kube-scheduler'],
  },
  {
    namespace: 'kube-system',
    name: 'system:controller:bootstrap-signer',
    rules: [[READ, 'secrets']],
    holders: ['ServiceAccount bootstrap-signer'],
  },
  {
    namespace: 'kube-system',
    name: 'system:controller:cloud-provider',
    rules: [['create get list watch', 'configmaps']],
    holders: ['ServiceAccount cloud-provider'],
  },
  {
    namespace: 'kube-system',
    name: 'system:controller:token-cleaner',
    rules: [['delete get list watch', 'secrets'], EVENTS],
    holders: ['ServiceAccount token-cleaner'],
  },
];
