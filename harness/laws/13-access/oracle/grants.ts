import type * as rbac from '#api/rbac/v1';
import type { ClusterRole, RbacObject, RoleBinding } from '../../../api/objects.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from '../../../api/plain-resources.ts';
import { semanticEqual } from '../../../api/semantic-equality.ts';
import type { Attributes, GrantWrite, User } from '../../../contracts/access/index.ts';
import { NAMESPACES, RBAC, resourceRequest } from '../scenario/index.ts';
import { questionsIn } from '../scenario/questions.ts';
import { type Chance, either, matches, rulesIn } from './rights.ts';
import type { Window, World } from './world.ts';

/** The answer of the authorizers. */
export type Allowed = (user: User, asked: Omit<Attributes, 'user'>) => Chance;

/** The judgement of a write of a role or a binding. */
export interface GrantVerdict {
  readonly mayPass: boolean;
  readonly mayFail: boolean;
  /** Whether `escalate` or `bind` may permit it. */
  readonly isExempt: Chance;
  /** A right that the write grants and that its writer cannot have. */
  readonly lacks?: string;
  /** The possible codes of a refusal: 404 if the role of a binding does not exist. */
  readonly codes: readonly number[];
}

const EVERYTHING: readonly rbac.PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * Judges a write. The writer is not in `system:masters`.
 *
 * @param request - the request of the write
 */
export function judgeGrant(
  world: World,
  write: GrantWrite,
  { window, request, allowed }: { window: Window; request: Attributes | undefined; allowed: Allowed },
): GrantVerdict {
  if (onlyForCollector(write))
    return { mayPass: true, mayFail: false, isExempt: { possible: false, certain: false }, codes: [] };
  const { user, object } = write;
  const { namespace = '' } = object.metadata;
  const own = rulesIn(world, user, namespace, window);
  // A grant stays, so a right that the user has just lost does not count.
  const newest = { position: window.revision, revision: window.revision };
  const kept = rulesIn(world, user, namespace, newest).possible;
  const isExempt = exemption(write, request, allowed);
  const granted = grantedBy(world, write, window);
  const lacking = (held: readonly rbac.PolicyRule[], rules: readonly rbac.PolicyRule[] | undefined) =>
    rules === undefined ? 'the rules of a role that does not exist' : firstMissing(held, rules);
  const lacks = lacking(kept, granted.newest);
  const lacksInCache = lacking(own.certain, granted.cached);
  const lacksForSure = lacking(own.certain, granted.newest);
  return {
    mayPass: isExempt.possible || lacks === undefined,
    mayFail: !isExempt.certain && (lacksForSure !== undefined || lacksInCache !== undefined),
    isExempt,
    ...(lacks !== undefined && { lacks }),
    codes: [granted.newest, granted.cached].map((rules) => (rules ? 403 : 404)),
  };
}

/** Returns the rules that a write grants; undefined if its role does not exist. */
function grantedBy(world: World, { object, old }: GrantWrite, window: Window) {
  if (!isBinding(object)) {
    const all = [...(object.rules ?? []), ...(aggregates(object) || aggregates(old) ? EVERYTHING : [])];
    return { newest: all, cached: all };
  }
  const { kind, name } = object.roleRef;
  const { namespace = '' } = object.metadata;
  const at = (revision: number) =>
    kind === 'ClusterRole'
      ? world.at(clusterRoles, { name }, revision)
      : world.at(roles, { namespace, name }, revision);
  const rulesAt = (revision: number) => {
    const role = at(revision);
    return role && (role.rules ?? []);
  };
  return { newest: rulesAt(window.revision), cached: rulesAt(window.position) };
}

/** Returns whether the verb `escalate` or `bind` permits a write. */
function exemption(
  { user, object, old, resource }: GrantWrite,
  request: Attributes | undefined,
  allowed: Allowed,
): Chance {
  const { namespace = '', name } = object.metadata;
  const ask = (verb: string, plural: string, about: string): Chance =>
    allowed(user, resourceRequest({ verb, apiGroup: RBAC, resource: plural, namespace, name: about }));
  if (isBinding(object)) {
    const { kind, name: about } = object.roleRef;
    return ask('bind', kind === 'Role' ? 'roles' : 'clusterroles', about);
  }
  const named = ask('escalate', resource.plural, name);
  if (old) return named;
  // A create with POST has no name yet, a create with PUT has one.
  const unnamed = ask('escalate', resource.plural, '');
  if (request?.verb === 'create' && request.name === '') return unnamed;
  return { possible: either(named, unnamed).possible, certain: named.certain && unnamed.certain };
}

/** Finds a single right that no rule contains, in words. */
function firstMissing(
  held: readonly rbac.PolicyRule[],
  granted: readonly rbac.PolicyRule[],
): string | undefined {
  for (const rule of granted) {
    for (const verb of rule.verbs) {
      for (const url of rule.nonResourceURLs ?? []) {
        if (
          !held.some(
            (own) => has(own.verbs, verb) && (own.nonResourceURLs ?? []).some((each) => within(each, url)),
          )
        )
          return `${verb} ${url}`;
      }
      for (const group of rule.apiGroups ?? [])
        for (const resource of rule.resources ?? [])
          for (const name of rule.resourceNames?.length ? rule.resourceNames : [undefined])
            if (!held.some((own) => has(own.verbs, verb) && contains(own, group, resource, name)))
              return `${verb} ${resource}${group ? `.${group}` : ''}${name === undefined ? '' : ` ${name}`}`;
    }
  }
  return undefined;
}

const has = (list: readonly string[] | undefined, value: string): boolean =>
  (list ?? []).some((each) => each === '*' || each === value);

const within = (own: string, url: string): boolean =>
  own === url || (own.endsWith('*') && url.startsWith(own.slice(0, -1)));

function contains(own: rbac.PolicyRule, group: string, resource: string, name: string | undefined): boolean {
  const slash = resource.indexOf('/');
  const names = own.resourceNames ?? [];
  return (
    has(own.apiGroups, group) &&
    (has(own.resources, resource) ||
      (slash >= 0 && (own.resources ?? []).includes(`*${resource.slice(slash)}`))) &&
    (names.length === 0 || (name !== undefined && names.includes(name)))
  );
}

const isBinding = (object: RbacObject): object is RoleBinding => 'roleRef' in object;

const aggregates = (role: object | undefined): boolean =>
  ((role as ClusterRole | undefined)?.aggregationRule?.clusterRoleSelectors ?? []).length > 0;

/** Returns whether an update changes nothing but the fields that the garbage collector needs. */
export function onlyForCollector({ object, old }: GrantWrite): boolean {
  if (!old) return false;
  const { ownerReferences: _, finalizers: __, managedFields: ___, ...metadata } = object.metadata;
  const { ownerReferences, finalizers, managedFields, ...kept } = old.metadata;
  return semanticEqual({ ...object, metadata }, { ...old, metadata: kept });
}

/** The users and groups that are not the administrator's and can send requests. */
const USERS = new Set(['jane', 'bob', 'eve', 'dev', 'ops', 'system:authenticated', 'system:unauthenticated']);

const canCome = ({ kind, name }: rbac.Subject): boolean =>
  kind === 'ServiceAccount' || USERS.has(name) || name.startsWith('system:serviceaccounts');

/**
 * Returns the requests that users other than the administrator may send at a revision, together: a key
 * for each.
 */
export function closureAt(world: World, revision: number): ReadonlySet<string> {
  const bindings = [...world.allAt(clusterRoleBindings, revision), ...world.allAt(roleBindings, revision)];
  const held = new Set<string>();
  for (const { metadata, roleRef, subjects } of bindings) {
    if (!(subjects ?? []).some(canCome)) continue;
    const { namespace } = metadata;
    const rules =
      roleRef.kind === 'ClusterRole'
        ? world.at(clusterRoles, { name: roleRef.name }, revision)?.rules
        : world.at(roles, { namespace: namespace ?? '', name: roleRef.name }, revision)?.rules;
    if (!rules?.length) continue;
    for (const home of namespace === undefined ? ['', ...NAMESPACES] : [namespace])
      for (const [i, asked] of questionsIn(home).entries()) {
        if (asked.namespace !== home && namespace !== undefined) continue;
        const key = `${home} ${i}`;
        if (!held.has(key) && rules.some((rule) => matches(rule, asked))) held.add(key);
      }
  }
  return held;
}

/** Returns the request of a key of {@link closureAt}. */
export function questionOf(key: string) {
  const [home = '', index] = key.split(' ');
  return questionsIn(home)[Number(index)];
}
