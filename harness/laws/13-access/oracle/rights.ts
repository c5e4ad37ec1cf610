import { isDeepStrictEqual } from 'node:util';
import type * as rbac from '#api/rbac/v1';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../../../api/objects.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from '../../../api/plain-resources.ts';
import type { Attributes, User } from '../../../contracts/access/index.ts';
import type { Window, World } from './world.ts';

/** Whether an answer is right in some of the states that an apiserver can have observed, or in all. */
export interface Chance {
  readonly possible: boolean;
  readonly certain: boolean;
}

export const ALWAYS: Chance = { possible: true, certain: true };
export const NEVER: Chance = { possible: false, certain: false };

/** Returns the chance that one of two holds. */
export function either(one: Chance, other: Chance): Chance {
  return { possible: one.possible || other.possible, certain: one.certain || other.certain };
}

type Asked = Omit<Attributes, 'user'>;
type Binding = RoleBinding | ClusterRoleBinding;

/** Returns whether a rule matches a request. */
export function matches(rule: rbac.PolicyRule, asked: Asked): boolean {
  if (!rule.verbs.some((verb) => verb === '*' || verb === asked.verb)) return false;
  if (!asked.isResourceRequest) {
    return (rule.nonResourceURLs ?? []).some((url) =>
      url.endsWith('*') ? asked.path.startsWith(url.slice(0, -1)) : url === asked.path,
    );
  }
  const whole = asked.subresource === '' ? asked.resource : `${asked.resource}/${asked.subresource}`;
  const wanted = ['*', whole, ...(asked.subresource === '' ? [] : [`*/${asked.subresource}`])];
  const names = rule.resourceNames ?? [];
  return (
    (rule.apiGroups ?? []).some((group) => group === '*' || group === asked.apiGroup) &&
    (rule.resources ?? []).some((resource) => wanted.includes(resource)) &&
    (names.length === 0 || names.some((name) => name === asked.name))
  );
}

/** Returns whether a subject is a user, in a binding of this namespace; empty for a ClusterRoleBinding. */
export function isSubject({ kind, name, namespace = '' }: rbac.Subject, user: User, home: string): boolean {
  if (kind === 'User') return name === user.name;
  if (kind === 'Group') return user.groups.includes(name);
  const own = namespace === '' ? home : namespace;
  return (
    kind === 'ServiceAccount' && own !== '' && user.name === ['system', 'serviceaccount', own, name].join(':')
  );
}

/** A way to rules: the states of a binding that names a user, and of the role that it refers to. */
interface Way {
  /** Whether the binding names the user in each state of the window. */
  readonly isCertain: boolean;
  readonly roleRef: rbac.RoleRef;
  readonly roles: readonly (Role | ClusterRole | undefined)[];
}

/** Returns the ways to the rules of a user in a namespace, certain or not; empty: in the whole cluster. */
export function* waysOf(world: World, user: User, namespace: string, window: Window): Generator<Way> {
  const bindings: (readonly (Binding | undefined)[])[] = [...world.allStates(clusterRoleBindings, window)];
  if (namespace !== '') {
    const all = world.allStates(roleBindings, window);
    bindings.push(...all.filter((states) => states.some((each) => each?.metadata.namespace === namespace)));
  }
  for (const states of bindings) {
    const named = states.filter((each) => (each ? names(each, user) : false)) as Binding[];
    // A binding that is made again can refer to another role.
    const refs = [
      ...new Map(named.map((each) => [`${each.roleRef.kind} ${each.roleRef.name}`, each])).values(),
    ];
    for (const { roleRef, metadata } of refs) {
      const roleStates =
        roleRef.kind === 'ClusterRole'
          ? world.states(clusterRoles, { name: roleRef.name }, window)
          : world.states(roles, { namespace: metadata.namespace ?? '', name: roleRef.name }, window);
      const isCertain = named.length === states.length && refs.length === 1;
      yield { isCertain, roleRef, roles: roleStates };
    }
  }
}

function names({ subjects = [], metadata: { namespace = '' } }: Binding, user: User): boolean {
  return (subjects ?? []).some((subject) => isSubject(subject, user, namespace));
}

/** Returns whether the roles and bindings allow a request. */
export function allowedByRoles(world: World, user: User, asked: Asked, window: Window): Chance {
  const allows = (role: Role | ClusterRole | undefined): boolean =>
    (role?.rules ?? []).some((rule) => matches(rule, asked));
  let possible = false;
  for (const way of waysOf(world, user, asked.isResourceRequest ? asked.namespace : '', window)) {
    if (!way.roles.some(allows)) continue;
    possible = true;
    if (way.isCertain && way.roles.every(allows)) return ALWAYS;
  }
  return { possible, certain: false };
}

/** Returns the possible rules and the certain rules of a user in a namespace. */
export function rulesIn(world: World, user: User, namespace: string, window: Window) {
  const possible: rbac.PolicyRule[] = [];
  const certain: rbac.PolicyRule[] = [];
  for (const { isCertain, roles: states } of waysOf(world, user, namespace, window)) {
    const [first, ...others] = states.map((role) => role?.rules ?? []);
    possible.push(...(first ?? []), ...others.flat());
    if (!isCertain) continue;
    certain.push(
      ...(first ?? []).filter((rule) =>
        others.every((rules) => rules.some((each) => isDeepStrictEqual(each, rule))),
      ),
    );
  }
  return { possible, certain };
}

/** Returns the flaw of a reason: it names a missing role, but no binding of the user can refer to it and not find it. */
export function flawOf(
  text: string,
  world: World,
  { user, namespace, window }: { user: User; namespace: string; window: Window },
): string | undefined {
  const own = [...waysOf(world, user, namespace, window)].filter(({ roles: states }) =>
    states.includes(undefined),
  );
  for (const [, kind = '', name = ''] of text.matchAll(
    /(\w+)\.rbac\.authorization\.k8s\.io "([^"]*)" not found/g,
  ))
    if (!own.some(({ roleRef }) => roleRef.kind.toLowerCase() === kind && roleRef.name === name))
      return `the reason names the missing ${kind} ${name}, but no binding of this user refers to it`;
  return undefined;
}

/** Returns whether a binding to a missing role names the user: it grants nothing. */
export function hasMissingRole(world: World, user: User, namespace: string, window: Window): boolean {
  for (const { roles: states } of waysOf(world, user, namespace, window))
    if (states.every((role) => role === undefined)) return true;
  return false;
}
