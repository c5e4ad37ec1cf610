import {
  type ClusterRole,
  type ClusterRoleBinding,
  changesOnlyCollectorFields,
  type GrantWrite,
  MASTERS,
  notHeld,
  type ObjectCache,
  type Role,
  type RoleBinding,
  type rbac,
  resourceAttributes,
  type User,
} from '#given/13-access';
import { errors, type StatusError } from '#harness';
import type { Authorizer } from './authorize.ts';
import { matchesPath, rulesFor, rulesOfRole } from './rules.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** Returns the rights of the second list that the first does not contain, each with a single verb. */
export function uncovered(
  held: readonly rbac.PolicyRule[],
  granted: readonly rbac.PolicyRule[],
): rbac.PolicyRule[] {
  return granted.flatMap(singleRights).filter((right) => !held.some((rule) => covers(rule, right)));
}

/** Splits a rule into rights with one verb, and one resource (of one group, with at most one name) or one path. */
function singleRights({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: rbac.PolicyRule) {
  const rights: rbac.PolicyRule[] = [];
  const names = resourceNames?.length ? resourceNames.map((name) => ({ resourceNames: [name] })) : [{}];
  for (const group of apiGroups ?? []) {
    for (const resource of resources ?? []) {
      for (const verb of verbs) {
        rights.push(
          ...names.map((name) => ({ apiGroups: [group], resources: [resource], verbs: [verb], ...name })),
        );
      }
    }
  }
  for (const url of nonResourceURLs ?? []) {
    rights.push(...verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] })));
  }
  return rights;
}

/** Returns whether a rule contains a single right. */
function covers(rule: rbac.PolicyRule, right: rbac.PolicyRule): boolean {
  const has = (list: readonly string[] | undefined, values: readonly string[] | undefined): boolean =>
    (values ?? []).every((value) => list?.includes('*') || list?.includes(value));
  const [subresource] = right.resources?.flatMap((resource) => resource.split('/').slice(1).join('/')) ?? [];
  const names = rule.resourceNames ?? [];
  return (
    has(rule.verbs, right.verbs) &&
    has(rule.apiGroups, right.apiGroups) &&
    (has(rule.resources, right.resources) ||
      (!!subresource && rule.resources?.includes(`*/${subresource}`) === true)) &&
    (right.nonResourceURLs ?? []).every((url) =>
      rule.nonResourceURLs?.some((own) => matchesPath(own, url)),
    ) &&
    (names.length === 0 || (right.resourceNames ?? []).some((name) => names.includes(name)))
  );
}

/** The dependencies of {@link checkGrant}. */
export interface GrantChecks {
  readonly authorize: Authorizer;
  readonly cache: ObjectCache;
}

/** Throws if a write of a role or a binding would grant rights that the user does not have. */
export function checkGrant(write: GrantWrite, checks: GrantChecks): void {
  if (write.user.groups.includes(MASTERS) || changesOnlyCollectorFields(write)) return;
  if ('roleRef' in write.object) checkBinding(write, write.object, checks);
  else checkRole(write, write.object, checks);
}

/** A role: the user has its rules, or may `escalate`. */
function checkRole(write: GrantWrite, role: Role | ClusterRole, { authorize, cache }: GrantChecks): void {
  const { user, resource, old } = write;
  const { name, namespace = '' } = role.metadata;
  // Like every create, it has no name yet.
  const asked = { apiGroup: RBAC, resource: resource.plural, namespace, name: old ? name : '' };
  if (authorize(resourceAttributes(user, { ...asked, verb: 'escalate' })).verdict === 'allow') return;
  confirmHeld(write, role.rules ?? [], cache);
  // Its rules will be those of any role that somebody labels. Whoever has all rights may escalate, too.
  if (isAggregate(role) || isAggregate(old)) {
    throw errors.forbidden(resource, name, 'must have cluster-admin privileges to use the aggregationRule');
  }
}

/** A binding: the user has the rules of its role, or may `bind` the role. */
function checkBinding(
  write: GrantWrite,
  { roleRef, metadata: { namespace = '' } }: RoleBinding | ClusterRoleBinding,
  { authorize, cache }: GrantChecks,
): void {
  const { kind, name, apiGroup = RBAC } = roleRef;
  if (kind === 'Role' || kind === 'ClusterRole') {
    const asked = { apiGroup, resource: kind === 'Role' ? 'roles' : 'clusterroles', namespace, name };
    if (authorize(resourceAttributes(write.user, { ...asked, verb: 'bind' })).verdict === 'allow') return;
  }
  const found = rulesOfRole(roleRef, namespace, cache);
  // The role may get any rules later.
  if ('error' in found) throw missingRole(roleRef, found.error);
  confirmHeld(write, found.rules, cache);
}

const missingRole = ({ kind, name }: rbac.RoleRef, problem: string): StatusError =>
  kind === 'Role' || kind === 'ClusterRole'
    ? errors.notFound({ group: RBAC, plural: kind.toLowerCase() }, name)
    : errors.internal(problem);

/** Throws if the user does not have all of the rules. */
function confirmHeld(
  { user, resource, object }: GrantWrite,
  rules: readonly rbac.PolicyRule[],
  cache: ObjectCache,
): void {
  const { name, namespace = '' } = object.metadata;
  const own = rightsOf(user, namespace, cache);
  const missing = uncovered(own.rules, rules);
  if (missing.length > 0) throw errors.forbidden(resource, name, notHeld(user, missing, own.problems));
}

function rightsOf(user: User, namespace: string, cache: ObjectCache) {
  const found = [...rulesFor(user, namespace, cache)];
  return {
    rules: found.flatMap((each) => ('rule' in each ? [each.rule] : [])),
    problems: found.flatMap((each) => ('error' in each ? [each.error] : [])),
  };
}

const isAggregate = (role: object | undefined): boolean =>
  role !== undefined && ((role as ClusterRole).aggregationRule?.clusterRoleSelectors ?? []).length > 0;
