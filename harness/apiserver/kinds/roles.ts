import type * as rbac from '#api/rbac/v1';
import { isValidPathSegmentName } from '../../api/names.ts';
import type { ClusterRole, Role } from '../../api/objects.ts';
import { clusterRoles, roles } from '../../api/plain-resources.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { each, fields, labelSelector, optional, type Rule, required } from '../declare/rules.ts';
import { invalid, required as missing } from '../validation/field-error.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/rbac/validation/validation.go ValidatePolicyRule */
const policyRule =
  (isNamespaced: boolean): Rule<rbac.PolicyRule> =>
  (rule, path) => {
    const {
      verbs = [],
      nonResourceURLs = [],
      apiGroups = [],
      resources = [],
      resourceNames = [],
    } = rule ?? {};
    const causes = (verbs ?? []).length
      ? []
      : [missing(`${path}.verbs`, 'verbs must contain at least one value')];
    if (nonResourceURLs.length > 0) {
      const refuse = (detail: string) =>
        causes.push(invalid(`${path}.nonResourceURLs`, nonResourceURLs, detail));
      if (isNamespaced) refuse('namespaced rules cannot apply to non-resource URLs');
      if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0) {
        refuse('rules cannot apply to both regular resources and non-resource URLs');
      }
      return causes;
    }
    if (apiGroups.length === 0) {
      causes.push(missing(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
    }
    if (resources.length === 0) {
      causes.push(missing(`${path}.resources`, 'resource rules must supply at least one resource'));
    }
    return causes;
  };

/**
 * The kind Role.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/rbac/role/strategy.go, pkg/apis/rbac/validation/validation.go
 * ValidateRole
 */
export const role = declareKind<Role>({
  resource: roles,
  validateName: isValidPathSegmentName,
  allowCreateOnUpdate: true,
  rules: [fields<Role>({ rules: each(policyRule(true)) })],
});

/**
 * The kind ClusterRole.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/rbac/clusterrole/strategy.go, pkg/apis/rbac/validation/validation.go
 * ValidateClusterRole
 */
export const clusterRole = declareKind<ClusterRole>({
  resource: clusterRoles,
  validateName: isValidPathSegmentName,
  allowCreateOnUpdate: true,
  rules: [
    fields<ClusterRole>({
      rules: each(policyRule(false)),
      aggregationRule: optional(
        fields<rbac.AggregationRule>({
          clusterRoleSelectors: required(
            each(labelSelector),
            'at least one clusterRoleSelector required if aggregationRule is non-nil',
          ),
        }),
      ),
    }),
  ],
});
