import type * as rbac from '#api/rbac/v1';
import { clusterRoleRules } from './cluster-roles.ts';
import { policyRules } from './rules.ts';

/**
 * The rules of the ClusterRole `system:node`. The node authorizer uses them for the requests that it does not limit.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go NodeRules
 */
export const nodeRules: readonly rbac.PolicyRule[] = policyRules(clusterRoleRules['system:node'] ?? []);
