import {
  type Attributes,
  type ClusterRoleBinding,
  clusterRoleBindings,
  clusterRoles,
  type RoleBinding,
  type rbac,
  roleBindings,
  roles,
  serviceAccountName,
  type User,
} from '#given/13-access';
import type { ObjectCache } from '#harness';

const ALL = '*';

const includes = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && (list.includes(ALL) || list.includes(value));

/** Returns whether a single rule allows a request. */
export function ruleAllows(rule: rbac.PolicyRule, attributes: Attributes): boolean {
  const { verb, isResourceRequest, path, apiGroup, resource, subresource, name } = attributes;
  if (!includes(rule.verbs, verb)) return false;
  if (!isResourceRequest) return (rule.nonResourceURLs ?? []).some((url) => matchesPath(url, path));
  const { resources, resourceNames = [] } = rule;
  return (
    includes(rule.apiGroups, apiGroup) &&
    (subresource === ''
      ? includes(resources, resource)
      : includes(resources, `${resource}/${subresource}`) || includes(resources, `*/${subresource}`)) &&
    (resourceNames.length === 0 || resourceNames.includes(name))
  );
}

/** Returns whether a path is the URL of a rule, or starts with it up to its `*`. */
export function matchesPath(url: string, path: string): boolean {
  return url === path || (url.endsWith(ALL) && path.startsWith(url.replace(/\*+$/, '')));
}

/** Returns whether a subject of a binding is the user. */
export function appliesTo(subject: rbac.Subject, user: User, bindingNamespace: string): boolean {
  switch (subject.kind) {
    case 'User':
      return user.name === subject.name;
    case 'Group':
      return user.groups.includes(subject.name);
    case 'ServiceAccount': {
      const namespace = subject.namespace || bindingNamespace;
      return namespace !== '' && user.name === serviceAccountName(namespace, subject.name);
    }
    default:
      return false;
  }
}

/** A rule of a user with its origin, or a role that cannot be found. */
export type Found =
  | {
      readonly rule: rbac.PolicyRule;
      readonly binding: RoleBinding | ClusterRoleBinding;
      readonly subject: rbac.Subject;
    }
  | { readonly error: string };

/** Returns the rules of the role that a binding refers to. */
export function rulesOfRole(
  { kind, name }: rbac.RoleRef,
  bindingNamespace: string,
  cache: ObjectCache,
): { readonly rules: readonly rbac.PolicyRule[] } | { readonly error: string } {
  if (kind !== 'Role' && kind !== 'ClusterRole') {
    return { error: `unsupported role reference kind: "${kind}"` };
  }
  const role =
    kind === 'ClusterRole'
      ? cache.get(clusterRoles, { name })
      : cache.get(roles, { namespace: bindingNamespace, name });
  if (!role) return { error: `${kind.toLowerCase()}.rbac.authorization.k8s.io "${name}" not found` };
  return { rules: role.rules ?? [] };
}

/** Visits the rules that a user has in a namespace: those of the whole cluster, then those of the namespace. */
export function* rulesFor(user: User, namespace: string, cache: ObjectCache): Generator<Found> {
  const bindings = [
    ...cache.list(clusterRoleBindings),
    ...(namespace === '' ? [] : cache.list(roleBindings, namespace)),
  ];
  for (const binding of bindings) {
    const home = binding.metadata.namespace ?? '';
    const subject = binding.subjects?.find((each) => appliesTo(each, user, home));
    if (!subject) continue;
    const found = rulesOfRole(binding.roleRef, home, cache);
    if ('error' in found) yield found;
    else for (const rule of found.rules) yield { rule, binding, subject };
  }
}
