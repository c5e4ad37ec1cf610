import type { MatchResources } from '#api/admissionregistration/v1';
import { withChanged, withDefaults } from '../../copy-on-write.ts';
import { all, each, fields, labelSelector, oneOf, type Rule } from '../../declare/rules.ts';
import { required as missing } from '../../validation/field-error.ts';
import { namedOperationRule, withScopes } from './operation-rules.ts';

const selector: Rule<NonNullable<MatchResources['objectSelector']>> = (value, path) =>
  value === undefined ? [missing(path)] : labelSelector(value, path);

/**
 * The objects that a policy applies to.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/admissionregistration/validation/validation.go validateMatchResources
 */
export const matchResources: Rule<MatchResources> = fields<MatchResources>({
  matchPolicy: all(
    (value, path) => (value === undefined ? [missing(path)] : []),
    oneOf('Equivalent', 'Exact'),
  ),
  namespaceSelector: selector,
  objectSelector: selector,
  resourceRules: each(namedOperationRule),
  excludeResourceRules: each(namedOperationRule),
});

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/admissionregistration/v1/defaults.go SetDefaults_MatchResources */
export function withMatchDefaults(resources: MatchResources): MatchResources {
  const selecting = withDefaults(resources, {
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
  });
  return withChanged(withChanged(selecting, 'resourceRules', withScopes), 'excludeResourceRules', withScopes);
}
