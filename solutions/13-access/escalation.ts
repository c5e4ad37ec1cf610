import {
  type AccessContext,
  type ClusterRole,
  type ClusterRoleBinding,
  changesOnlyCollectorFields,
  type GrantWrite,
  isAggregate,
  MASTERS,
  notHeld,
  type Role,
  type RoleBinding,
  type rbac,
  resourceAttributes,
  singleRights,
} from '#given/13-access';
import { errors, keyOf, type ObjectCache } from '#harness';
import type { Authorizer } from './authorize.ts';
import { matchesPath, rulesFor, rulesOfRole } from './rules.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** Returns the granted rights that the held rules do not contain, each with a single verb. */
export function uncovered(
  held: readonly rbac.PolicyRule[],
  granted: readonly rbac.PolicyRule[],
): rbac.PolicyRule[] {
  return granted.flatMap(singleRights).filter((right) => !held.some((rule) => contains(rule, right)));
}

/** Returns whether a rule contains a single right. */
function contains(rule: rbac.PolicyRule, right: rbac.PolicyRule): boolean {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const has = (values: readonly string[], value: string): boolean =>
    values.includes('*') || values.includes(value);
  const hasResource = (resource: string): boolean =>
    has(resources, resource) ||
    (resource.includes('/') && resources.includes(resource.replace(/^[^/]*/, '*')));
  return (
    right.verbs.every((verb) => has(verbs, verb)) &&
    (right.apiGroups ?? []).every((group) => has(apiGroups, group)) &&
    (right.resources ?? []).every(hasResource) &&
    (right.nonResourceURLs ?? []).every((path) => nonResourceURLs.some((url) => matchesPath(url, path))) &&
    (resourceNames.length === 0 || (right.resourceNames ?? []).some((name) => resourceNames.includes(name)))
  );
}

/** Returns the roles and bindings that decide about a grant: the cache may be old, and a grant stays. */
export function grantsOf({ cache, read }: Pick<AccessContext, 'cache' | 'read'>): ObjectCache {
  return {
    get: read,
    // A role can have got rights that the cache does not have, and a binding can be gone.
    list: (resource, namespace) =>
      cache.list(resource, namespace).flatMap((object) => read(resource, keyOf(object)) ?? []),
  };
}

/** The dependencies of {@link checkGrant}. */
export interface GrantChecks {
  readonly authorize: Authorizer;
  readonly cache: ObjectCache;
}

/** Throws if a write of a role or a binding grants rights that the user does not have. */
export function checkGrant(write: GrantWrite, checks: GrantChecks): void {
  if (write.user.groups.includes(MASTERS) || changesOnlyCollectorFields(write)) return;
  if ('roleRef' in write.object) checkBinding(write, write.object, checks);
  else checkRole(write, write.object, checks);
}

/** A role: the user has its rules, or may `escalate`. */
function checkRole(write: GrantWrite, role: Role | ClusterRole, { authorize, cache }: GrantChecks): void {
  const { user, resource, old } = write;
  const { name } = role.metadata;
  const namespace = placeOf(write);
  // A create has no name yet, so a rule with resourceNames does not allow it.
  const asked = { apiGroup: RBAC, resource: resource.plural, namespace, name: old ? name : '' };
  if (authorize(resourceAttributes(user, { ...asked, verb: 'escalate' })).verdict === 'allow') return;
  mustHold(write, role.rules ?? [], cache);
  // Its rules will be those of any role that somebody labels. Whoever has all rights may escalate, too.
  if (isAggregate(role) || isAggregate(old)) {
    throw errors.forbidden(resource, name, 'must have cluster-admin privileges to use the aggregationRule');
  }
}

/** A binding: the user has the rules of its role, or may `bind` this role. */
function checkBinding(
  write: GrantWrite,
  { roleRef }: RoleBinding | ClusterRoleBinding,
  { authorize, cache }: GrantChecks,
): void {
  const { kind, name } = roleRef;
  const namespace = placeOf(write);
  const asked = { apiGroup: RBAC, resource: kind === 'Role' ? 'roles' : 'clusterroles', namespace, name };
  if (authorize(resourceAttributes(write.user, { ...asked, verb: 'bind' })).verdict === 'allow') return;
  const found = rulesOfRole(roleRef, namespace, cache);
  // Somebody may create this role later, with any rules.
  if ('error' in found) throw errors.notFound({ group: RBAC, plural: asked.resource }, name);
  mustHold(write, found.rules, cache);
}

/** Returns the namespace where a write takes effect; empty for the whole cluster, whatever the object says. */
const placeOf = ({ resource, object }: GrantWrite): string =>
  resource.namespaced ? (object.metadata.namespace ?? '') : '';

/** Throws if the user does not have all of the rules where the write takes effect. */
function mustHold(write: GrantWrite, rules: readonly rbac.PolicyRule[], cache: ObjectCache): void {
  const { user, resource, object } = write;
  const { name } = object.metadata;
  const found = [...rulesFor(user, placeOf(write), cache)];
  const held = found.flatMap((each) => ('rule' in each ? [each.rule] : []));
  const problems = found.flatMap((each) => ('error' in each ? [each.error] : []));
  const missing = uncovered(held, rules);
  if (missing.length > 0) throw errors.forbidden(resource, name, notHeld(user, missing, problems));
}
