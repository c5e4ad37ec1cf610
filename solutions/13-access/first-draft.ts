/** The functions of the short way, as a first draft: an update of a binding passes, because its role never changes. */
import {
  type ClusterRole,
  type ClusterRoleBinding,
  changesOnlyCollectorFields,
  clusterRoleBindings,
  type GrantWrite,
  isAggregate,
  MASTERS,
  notHeld,
  type Role,
  type RoleBinding,
  type rbac,
  resourceAttributes,
  roleBindings,
  singleRights,
  type User,
} from '#given/13-access';
import { errors, type ObjectCache } from '#harness';
import { appliesTo, type Found, type GrantChecks, matchesPath, rulesOfRole } from './access.ts';

export function rulesFor(user: User, namespace: string, cache: ObjectCache): Found[] {
  const bindings = [
    ...cache.list(clusterRoleBindings),
    ...(namespace ? cache.list(roleBindings, namespace) : []),
  ];
  return bindings.flatMap((binding): Found[] => {
    const home = binding.metadata.namespace ?? '';
    const subject = binding.subjects?.find((each) => appliesTo(each, user, home));
    if (!subject) return [];
    const found = rulesOfRole(binding.roleRef, home, cache);
    if ('error' in found) return [found];
    return found.rules.map((rule) => ({ rule, binding, subject }));
  });
}

export function uncovered(
  held: readonly rbac.PolicyRule[],
  granted: readonly rbac.PolicyRule[],
): rbac.PolicyRule[] {
  return granted.flatMap(singleRights).filter((right) => !held.some((rule) => hasRight(rule, right)));
}

function hasRight(rule: rbac.PolicyRule, right: rbac.PolicyRule): boolean {
  const { resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const all = (own: readonly string[] = [], asked: readonly string[] = []): boolean =>
    own.includes('*') || asked.every((each) => own.includes(each));
  const [resource = ''] = right.resources ?? [];
  const [path] = right.nonResourceURLs ?? [];
  const [name] = right.resourceNames ?? [];
  if (!all(rule.verbs, right.verbs) || !all(rule.apiGroups, right.apiGroups)) return false;
  if (resourceNames.length > 0 && (name === undefined || !resourceNames.includes(name))) return false;
  if (path !== undefined) return nonResourceURLs.some((url) => matchesPath(url, path));
  const slash = resource.indexOf('/');
  return all(resources, [resource]) || (slash > 0 && resources.includes(`*${resource.slice(slash)}`));
}

export function checkGrant(write: GrantWrite, checks: GrantChecks): void {
  const { user, object, old } = write;
  if (user.groups.includes(MASTERS) || changesOnlyCollectorFields(write)) return;
  if (!('roleRef' in object)) checkRole(write, object, checks);
  else if (!old) checkBinding(write, object, checks);
}

const GROUP = 'rbac.authorization.k8s.io';

function checkRole(write: GrantWrite, role: Role | ClusterRole, { authorize, cache }: GrantChecks): void {
  const { user, resource, old } = write;
  const { name } = role.metadata;
  const namespace = homeOf(write);
  const asked = { apiGroup: GROUP, resource: resource.plural, namespace, name: old ? name : '' };
  if (authorize(resourceAttributes(user, { ...asked, verb: 'escalate' })).verdict === 'allow') return;
  mustHave(write, role.rules ?? [], cache);
  if (isAggregate(role) || isAggregate(old)) {
    throw errors.forbidden(resource, name, 'must have cluster-admin privileges to use the aggregationRule');
  }
}

function checkBinding(
  write: GrantWrite,
  { roleRef }: RoleBinding | ClusterRoleBinding,
  { authorize, cache }: GrantChecks,
): void {
  const namespace = homeOf(write);
  const resource = roleRef.kind === 'Role' ? 'roles' : 'clusterroles';
  const asked = { apiGroup: GROUP, resource, namespace, name: roleRef.name };
  if (authorize(resourceAttributes(write.user, { ...asked, verb: 'bind' })).verdict === 'allow') return;
  const found = rulesOfRole(roleRef, namespace, cache);
  if ('error' in found) throw errors.notFound({ group: GROUP, plural: resource }, roleRef.name);
  mustHave(write, found.rules, cache);
}

const homeOf = ({ resource, object }: GrantWrite): string =>
  (resource.namespaced && object.metadata.namespace) || '';

function mustHave(write: GrantWrite, rules: readonly rbac.PolicyRule[], cache: ObjectCache): void {
  const { user, resource, object } = write;
  const { name } = object.metadata;
  const found = rulesFor(user, homeOf(write), cache);
  const held = found.flatMap((each) => ('rule' in each ? [each.rule] : []));
  const problems = found.flatMap((each) => ('error' in each ? [each.error] : []));
  const missing = uncovered(held, rules);
  if (missing.length > 0) throw errors.forbidden(resource, name, notHeld(user, missing, problems));
}
