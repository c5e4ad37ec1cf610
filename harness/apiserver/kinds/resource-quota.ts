import type * as core from '#api/core/v1';
import type { ResourceQuota } from '../../api/objects.ts';
import { resourceQuotas } from '../../api/plain-resources.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { fields, type Rule } from '../declare/rules.ts';
import { invalid, required } from '../validation/field-error.ts';
import { type GoStruct, inGoNames } from './pod/go-names.ts';
import { canonicalResourceList, quantityOf, type ResourceList } from './pod/quantities.ts';
import { validateResourceQuantity } from './pod/resources.ts';
import { isOfPods, isStandardQuotaResource, validateQuotaResourceName } from './quota-resources.ts';

const amounts: Rule<ResourceList> = (list = {}, path) =>
  Object.entries(list).flatMap(([name, amount]) => [
    ...validateQuotaResourceName(name, `${path}[${name}]`),
    ...validateResourceQuantity(name, amount, `${path}[${name}]`),
  ]);

/** The resources that a quota with the scope can limit. Upstream: IsResourceQuotaScopeValidForResource */
const SCOPES: Readonly<Record<string, (resource: string) => boolean>> = {
  Terminating: isOfPods,
  NotTerminating: isOfPods,
  BestEffort: (resource) => resource === 'pods',
  NotBestEffort: isOfPods,
  PriorityClass: isOfPods,
  CrossNamespacePodAffinity: isOfPods,
  VolumeAttributesClass: (resource) =>
    resource === 'persistentvolumeclaims' || resource === 'requests.storage',
};

/** Returns the standard resources that the scope does not apply to. */
function unfit(scope: string, hard: ResourceList): readonly string[] {
  const isValid = Object.hasOwn(SCOPES, scope) ? SCOPES[scope] : undefined;
  return Object.keys(hard).filter((name) => isStandardQuotaResource(name) && isValid?.(name) === false);
}

/** Counts pairs of scopes that exclude each other. */
function conflicts(scopes: readonly string[]): number {
  const pairs = [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ];
  return pairs.filter((pair) => pair.every((scope) => scopes.includes(scope))).length;
}

/** Upstream: validateResourceQuotaScopes */
function validateScopes({ scopes = [], hard = {} }: core.ResourceQuotaSpec): Cause[] {
  const refuse = (detail: string) => invalid('spec.scopes', scopes, detail);
  return [
    ...scopes.flatMap((scope) => [
      ...(Object.hasOwn(SCOPES, scope) ? [] : [refuse('unsupported scope')]),
      ...unfit(scope, hard).map(() => refuse('unsupported scope applied to resource')),
    ]),
    ...Array.from({ length: conflicts(scopes) }, () => refuse('conflicting scopes')),
  ];
}

const SELECTOR: GoStruct = {
  MatchExpressions: [
    'matchExpressions',
    null,
    { ScopeName: ['scopeName', ''], Operator: ['operator', ''], Values: ['values', null] },
  ],
};

/** Upstream: validateScopedResourceSelectorRequirement. Its errors have the path of the list. */
function validateScopeSelector({ scopeSelector, scopes, hard = {} }: core.ResourceQuotaSpec): Cause[] {
  const path = 'spec.scopeSelector.matchExpressions';
  const requirements = scopeSelector?.matchExpressions ?? [];
  const causes = requirements.flatMap(({ scopeName, operator, values = [] }) => {
    const found: Cause[] = [];
    if (!Object.hasOwn(SCOPES, scopeName))
      found.push(invalid(`${path}.scopeName`, scopeName, 'unsupported scope'));
    for (const _ of unfit(scopeName, hard)) {
      const shown = inGoNames(scopeSelector, SELECTOR);
      found.push(invalid(path, shown, 'unsupported scope applied to resource'));
    }
    if (WITHOUT_VALUES.has(scopeName) && operator !== 'Exists') {
      const detail =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      found.push(invalid(`${path}.operator`, operator, detail));
    }
    if (operator === 'In' || operator === 'NotIn') {
      const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      if (values.length === 0) found.push(required(`${path}.values`, detail));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      if (values.length > 0) found.push(invalid(`${path}.values`, values, detail));
    } else {
      found.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
    }
    return found;
  });
  const names = requirements.map(({ scopeName }) => scopeName);
  const conflicting = Array.from({ length: conflicts(names) }, () =>
    invalid(path, scopes, 'conflicting scopes'),
  );
  return [...causes, ...conflicting];
}

const WITHOUT_VALUES = new Set([
  ...['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'],
]);

/**
 * The kind ResourceQuota. An admission plugin enforces it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/resourcequota/strategy.go,
 * pkg/apis/core/validation/validation.go ValidateResourceQuota
 */
export const resourceQuota = declareKind<ResourceQuota>({
  resource: resourceQuotas,
  setDefaults: (object) =>
    withChanged(
      withChanged(object, 'spec', (spec) => withChanged(spec, 'hard', canonicalResourceList)),
      'status',
      (status) =>
        withChanged(withChanged(status, 'hard', canonicalResourceList), 'used', canonicalResourceList),
    ),
  warningsOnCreate: warnings,
  rules: [
    fields<ResourceQuota>({ spec: fields<core.ResourceQuotaSpec>({ hard: amounts }) }),
    ({ spec }) => validateScopes(spec),
    ({ spec }) => validateScopeSelector(spec),
  ],
  updateRules({ spec: { scopes = [] } }, { spec: old }) {
    const asSet = (list: readonly string[] = []) => [...new Set(list)].toSorted();
    return semanticEqual(asSet(scopes), asSet(old.scopes))
      ? []
      : [invalid('spec.scopes', scopes, 'field is immutable')];
  },
  statusRules: [
    fields<ResourceQuota>({
      status: fields<core.ResourceQuotaStatus>({ hard: amounts, used: amounts }),
    }),
  ],
});

/** Warns about requests above limits: all such pods are rejected. */
function warnings({ spec: { hard = {} } }: ResourceQuota): readonly string[] {
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((name) => {
    const isBare = name === 'cpu' || name === 'memory';
    const requested = [`requests.${name}`, ...(isBare ? [name] : [])].find((key) => hard[key] !== undefined);
    const request = requested && quantityOf(hard[requested]);
    const limit = hard[`limits.${name}`] === undefined ? undefined : quantityOf(hard[`limits.${name}`]);
    if (!request || !limit || request.cmp(limit) <= 0) return [];
    return [`ResourceQuota ${requested} (${request}) should be less than limits.${name} (${limit})`];
  });
}
