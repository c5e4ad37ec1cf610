import type * as rbac from '#api/rbac/v1';
import { quote } from '../../api/names.ts';
import type { ClusterRole, ClusterRoleBinding, RbacObject, RoleBinding } from '../../api/objects.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { GrantWrite, User } from '../../contracts/access/index.ts';

/**
 * Returns the reason of an allow: the binding that grants the right, and its subject.
 *
 * @example
 * `RBAC: allowed by RoleBinding "readers/default" of Role "reader" to User "jane"`
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/rbac/validation/rule.go roleBindingDescriber.String
 */
export function allowedBy(
  { kind, metadata: { namespace = '', name }, roleRef }: RoleBinding | ClusterRoleBinding,
  subject: rbac.Subject,
): string {
  const binding = `${kind} ${quote(namespace ? `${name}/${namespace}` : name)}`;
  const account = `${subject.name}/${subject.namespace || namespace}`;
  const holder = subject.kind === 'ServiceAccount' ? account : subject.name;
  const role = `${roleRef.kind} ${quote(roleRef.name)}`;
  return `RBAC: allowed by ${binding} of ${role} to ${subject.kind} ${quote(holder)}`;
}

/**
 * Joins errors as Go does: each text once, several in brackets.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/errors/errors.go aggregate.Error
 */
export function aggregated(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length > 1 ? `[${distinct.join(', ')}]` : (distinct[0] ?? '');
}

/**
 * Returns the message for a user who would grant rights that the user does not have.
 *
 * @param missing - the rights, as {@link rbac.PolicyRule} with a single verb each
 * @param problems - problems while resolving the user's own rules
 *
 * @example
 * user "jane" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:
 * {APIGroups:[""], Resources:["secrets"], Verbs:["get"]}
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/rbac/validation/rule.go ConfirmNoEscalation
 */
export function notHeld(
  user: User,
  missing: readonly rbac.PolicyRule[],
  problems: readonly string[] = [],
): string {
  const lines = [...new Set(compacted(missing).map(inGo))].sort();
  const who = `user ${quote(user.name)} (groups=${inGoList(user.groups)})`;
  // For this check the roles come from the storage. Its errors name them in the plural.
  const inPlural = problems.map((problem) => problem.replace(/^(cluster)?role\./, '$1roles.'));
  const errors = problems.length > 0 ? `; resolution errors: [${aggregated(inPlural)}]` : '';
  return `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${errors}`;
}

/** Joins the verbs of rules that differ only by verb. Upstream: pkg/registry/rbac/validation/policy_compact.go CompactRules */
function compacted(rules: readonly rbac.PolicyRule[]): rbac.PolicyRule[] {
  const simple = new Map<string, rbac.PolicyRule>();
  const others: rbac.PolicyRule[] = [];
  for (const rule of rules) {
    const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
    if (
      apiGroups.length !== 1 ||
      resources.length !== 1 ||
      resourceNames.length > 1 ||
      nonResourceURLs.length > 0
    ) {
      others.push(rule);
      continue;
    }
    const key = JSON.stringify([apiGroups, resources, resourceNames]);
    const known = simple.get(key);
    simple.set(key, known ? { ...known, verbs: [...known.verbs, ...rule.verbs] } : rule);
  }
  return [...others, ...simple.values()];
}

/** Upstream: pkg/apis/rbac/v1/evaluation_helpers.go CompactString */
function inGo({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: rbac.PolicyRule): string {
  const parts = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceURLs],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs],
  ] as const;
  const shown = parts.flatMap(([name, values]) => (values?.length ? [`${name}:${inGoList(values)}`] : []));
  return `{${shown.join(', ')}}`;
}

/** Prints a list as Go's `%q`: `["a" "b"]`. */
const inGoList = (values: readonly string[]): string => `[${values.map(quote).join(' ')}]`;

/**
 * Returns whether an update changes only the fields that the garbage collector changes: it needs no rights for them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/rbac/helpers.go IsOnlyMutatingGCFields
 */
export function changesOnlyCollectorFields({ object, old }: Pick<GrantWrite, 'object' | 'old'>): boolean {
  return old !== undefined && semanticEqual(withoutCollectorFields(object), withoutCollectorFields(old));
}

function withoutCollectorFields({ metadata, ...object }: RbacObject): object {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _managed, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/**
 * Splits a rule into single rights: each has one verb, and one resource of one group with at most one name, or one path.
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 auth/rbac/validation/policy_comparator.go BreakdownRule
 */
export function singleRights(rule: rbac.PolicyRule): rbac.PolicyRule[] {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const names = resourceNames.length > 0 ? resourceNames.map((name) => ({ resourceNames: [name] })) : [{}];
  const places = apiGroups.flatMap((group) =>
    resources.map((resource) => ({ apiGroups: [group], resources: [resource] })),
  );
  return [
    ...places.flatMap((place) =>
      rule.verbs.flatMap((verb) => names.map((name) => ({ ...place, verbs: [verb], ...name }))),
    ),
    ...nonResourceURLs.flatMap((url) =>
      rule.verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] })),
    ),
  ];
}

/** Returns whether a role gathers the rules of others. Upstream: pkg/registry/rbac/clusterrole/policybased/storage.go hasAggregationRule */
export function isAggregate(role: RbacObject | undefined): boolean {
  const { aggregationRule } = (role ?? {}) as Partial<ClusterRole>;
  return (aggregationRule?.clusterRoleSelectors ?? []).length > 0;
}
