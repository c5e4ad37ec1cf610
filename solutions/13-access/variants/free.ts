import {
  type Access,
  type AccessContext,
  type Attributes,
  type Authentication,
  type ClusterRole,
  type ClusterRoleBinding,
  changesOnlyCollectorFields,
  clusterRoleBindings,
  clusterRoles,
  type Decision,
  forbidden,
  type GrantWrite,
  type Impersonation,
  type NewAccess,
  notHeld,
  type Role,
  type RoleBinding,
  type rbac,
  resourceAttributes,
  roleBindings,
  roles,
  type TokenAuthentication,
  type TokenClaims,
  type User,
  type UserRules,
  userOfClaims,
  withoutUserName,
} from '#given/13-access';
import { errors, keyOf, nodes, pods, type Resource, secrets, serviceAccounts } from '#harness';
import { authorizeNode } from '../nodes.ts';

export { clusterRoleAggregationController } from '../aggregation.ts';

const RBAC = 'rbac.authorization.k8s.io';
const AUTHENTICATION = 'authentication.k8s.io';
const ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;
const LEEWAY_MS = 60_000;

type Binding = RoleBinding | ClusterRoleBinding;
type AnyRole = Role | ClusterRole;

/** The holders of a binding, as words: `User jane`, `Group dev`. A service account is the user of its name. */
const holders = new WeakMap<Binding, ReadonlySet<string>>();

function holdersOf(binding: Binding): ReadonlySet<string> {
  const known = holders.get(binding);
  if (known) return known;
  const words = (binding.subjects ?? []).flatMap(({ kind, name, namespace }) => {
    if (kind !== 'ServiceAccount') return [`${kind} ${name}`];
    const home = namespace || binding.metadata.namespace;
    return home ? [`User system:serviceaccount:${home}:${name}`] : [];
  });
  const all = new Set(words);
  holders.set(binding, all);
  return all;
}

/** A single right as a line of text, with `*` where a rule has it: `get  pods web`. Each rule is a list of lines. */
interface Line {
  readonly verb: string;
  readonly place: string;
  readonly name: string | undefined;
  readonly rule: rbac.PolicyRule;
}

/** The lines of a role. The objects of a cache never change, so each is read once. */
const lines = new WeakMap<AnyRole, readonly Line[]>();

function linesOf(role: AnyRole): readonly Line[] {
  const known = lines.get(role);
  if (known) return known;
  const all = (role.rules ?? []).flatMap(split);
  lines.set(role, all);
  return all;
}

function split(rule: rbac.PolicyRule): Line[] {
  const names = rule.resourceNames?.length ? rule.resourceNames : [undefined];
  const places = (rule.apiGroups ?? []).flatMap((group) =>
    (rule.resources ?? []).map((each) => `${group}|${each}`),
  );
  return rule.verbs.flatMap((verb) => [
    ...places.flatMap((place) => names.map((name) => ({ verb, place, name, rule }))),
    ...(rule.nonResourceURLs ?? []).map((url) => ({ verb, place: url, name: undefined, rule })),
  ]);
}

/** Returns whether the first line includes the second. */
function includes(own: Line, { verb, place, name }: Omit<Line, 'rule'>): boolean {
  if (own.verb !== '*' && own.verb !== verb) return false;
  if (own.name !== undefined && own.name !== name) return false;
  const [group, resource] = own.place.split('|');
  const [asked, wanted] = place.split('|');
  if (resource === undefined || wanted === undefined) {
    if (resource !== wanted) return false;
    return own.place.endsWith('*') ? place.startsWith(own.place.slice(0, -1)) : own.place === place;
  }
  if (group !== '*' && group !== asked) return false;
  const at = wanted.indexOf('/');
  return resource === '*' || resource === wanted || (at >= 0 && resource === `*${wanted.slice(at)}`);
}

/** Access control that translates roles into lines of text once, and compares only these. */
class LinesOfRights implements Access {
  readonly #context: AccessContext;

  constructor(context: AccessContext) {
    this.#context = context;
  }

  authenticate({
    certificate,
    authorization = '',
    path,
  }: Parameters<Access['authenticate']>[0]): Authentication {
    const { anonymous, audiences } = this.#context.configuration;
    const problems: string[] = [];
    if (certificate) {
      const { commonName: name, organizations: groups, uids, fingerprint } = certificate;
      const problem = certificate.verify(this.#context.clock.now());
      if (problem !== undefined) problems.push(problem);
      else if (name !== '' && (uids.length > 1 || uids[0] === '')) problems.push('not one UID');
      else if (name !== '') {
        const extra = { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] };
        return { user: known({ name, groups, extra, ...(uids[0] !== undefined && { uid: uids[0] }) }) };
      }
    }
    const [, token] = /^bearer ([^ ]+)/i.exec(authorization.trim()) ?? [];
    if (token !== undefined) {
      const found = this.authenticateToken(token, audiences);
      if ('user' in found) return { user: found.user };
      problems.push(...found.rejected);
    }
    const isOpen = typeof anonymous === 'boolean' ? anonymous : anonymous.paths.includes(path);
    if (problems.length > 0 || !isOpen) return { rejected: problems };
    return { user: { name: 'system:anonymous', groups: ['system:unauthenticated'] } };
  }

  authenticateToken(token: string, asked: readonly string[]): TokenAuthentication {
    const { staticTokens, audiences, verifyToken } = this.#context.configuration;
    const user = staticTokens.get(token);
    if (user) {
      const shared = asked.filter((each) => audiences.includes(each));
      return shared.length > 0
        ? { user: known(user), audiences: shared }
        : { rejected: ['no shared audience'] };
    }
    const verified = verifyToken(token);
    if (!('claims' in verified))
      return { rejected: ['error' in verified ? verified.error : 'invalid bearer token'] };
    const shared = asked.filter((each) => verified.claims.aud.includes(each));
    const problem = shared.length === 0 ? 'no shared audience' : this.#problemOf(verified.claims);
    return problem === undefined
      ? { user: known(userOfClaims(verified.claims)), audiences: shared }
      : { rejected: [problem] };
  }

  #problemOf({ exp, nbf, iat, 'kubernetes.io': own }: TokenClaims): string | undefined {
    const nowMs = this.#context.clock.now();
    if (nowMs > exp * 1_000 + LEEWAY_MS) return 'expired';
    if (nowMs < Math.max(nbf, iat) * 1_000 - LEEWAY_MS) return 'not valid yet';
    const { namespace, serviceaccount, pod, secret, node } = own;
    const parts: readonly (readonly [
      Resource,
      { readonly name: string; readonly uid?: string } | undefined,
    ])[] = [
      [serviceAccounts as unknown as Resource, serviceaccount],
      [pods as unknown as Resource, pod],
      [secrets as unknown as Resource, secret],
      [nodes as unknown as Resource, pod ? undefined : node],
    ];
    for (const [resource, claim] of parts) {
      if (!claim) continue;
      const key = resource.namespaced ? { namespace, name: claim.name } : { name: claim.name };
      // Always the newest state: a token is read seldom.
      const object = this.#context.read(resource, key);
      if (!object || object.metadata.uid !== claim.uid) return `${resource.kind} ${claim.name} is gone`;
      const { deletionTimestamp } = object.metadata;
      if (deletionTimestamp && Date.parse(deletionTimestamp) + LEEWAY_MS < nowMs)
        return `${claim.name} is deleted`;
    }
    return undefined;
  }

  impersonate(user: User, asked: Impersonation): User {
    if (asked.user === '') throw errors.badRequest(withoutUserName(asked));
    const [, namespace, account] = ACCOUNT.exec(asked.user) ?? [];
    const isAccount = namespace !== undefined && account !== undefined;
    const rights: (Partial<Attributes> & { readonly resource: string; readonly name: string })[] = [
      isAccount
        ? { resource: 'serviceaccounts', namespace, name: account }
        : { resource: 'users', name: asked.user },
      ...asked.groups.map((name) => ({ resource: 'groups', name })),
      ...(asked.uid ? [{ apiGroup: AUTHENTICATION, resource: 'uids', name: asked.uid }] : []),
      ...Object.entries(asked.extra).flatMap(([subresource, values]) =>
        values.map((name) => ({ apiGroup: AUTHENTICATION, resource: 'userextras', subresource, name })),
      ),
    ];
    for (const right of rights) {
      const attributes = resourceAttributes(user, { verb: 'impersonate', ...right });
      const { verdict, reason } = this.authorize(attributes);
      if (verdict !== 'allow') throw forbidden(attributes, reason);
    }
    const groups = new Set(asked.groups);
    if (isAccount && groups.size === 0)
      groups.add('system:serviceaccounts').add(`system:serviceaccounts:${namespace}`);
    if (asked.user === 'system:anonymous') groups.add('system:unauthenticated');
    else if (!groups.has('system:unauthenticated')) groups.add('system:authenticated');
    return {
      name: asked.user,
      groups: [...groups],
      ...(asked.uid && { uid: asked.uid }),
      ...(Object.keys(asked.extra).length > 0 && { extra: asked.extra }),
    };
  }

  authorize(attributes: Attributes): Decision {
    const { user, isResourceRequest, namespace } = attributes;
    if (user.groups.includes('system:masters')) return { verdict: 'allow' };
    const { authorizers } = this.#context.configuration;
    if (authorizers.includes('Node')) {
      const decision = authorizeNode(attributes, this.#context.cache);
      if (decision.verdict === 'allow') return decision;
    }
    if (!authorizers.includes('RBAC')) return { verdict: 'no opinion' };
    const right = lineOf(attributes);
    const all = this.#rolesOf(user, isResourceRequest ? namespace : '');
    const isAllowed = all.some(({ role }) => role && linesOf(role).some((own) => includes(own, right)));
    if (isAllowed) return { verdict: 'allow' };
    const missing = all.flatMap(({ role, ref }) => (role ? [] : [`${ref.kind} "${ref.name}" not found`]));
    return { verdict: 'no opinion', ...(missing.length > 0 && { reason: missing.join(', ') }) };
  }

  /** Returns the roles of a user; with `read`, without the rights that the user has just lost. */
  #rolesOf(user: User, namespace: string, read?: AccessContext['read']) {
    const { cache } = this.#context;
    const get = read ?? cache.get;
    const words = [`User ${user.name}`, ...user.groups.map((group) => `Group ${group}`)];
    const bindings: readonly Binding[] = [
      ...(namespace === '' ? [] : cache.list(roleBindings, namespace)),
      ...cache.list(clusterRoleBindings),
    ];
    const kept = read
      ? bindings.flatMap(
          (each) => read(each.kind === 'RoleBinding' ? roleBindings : clusterRoleBindings, keyOf(each)) ?? [],
        )
      : bindings;
    return kept
      .filter((binding) => words.some((word) => holdersOf(binding).has(word)))
      .map(({ roleRef: ref, metadata }) => {
        const { name } = ref;
        const home = metadata.namespace ?? '';
        const role =
          ref.kind === 'Role' ? get(roles, { namespace: home, name }) : get(clusterRoles, { name });
        return { role: role as AnyRole | undefined, ref };
      });
  }

  rulesFor(user: User, namespace: string): UserRules {
    const all = this.#rolesOf(user, namespace);
    const isNode = user.groups.includes('system:nodes');
    return {
      rules: all.flatMap(({ role }) => role?.rules ?? []),
      incomplete: isNode,
      errors: [
        ...(isNode ? ['a node has more rights than its rules'] : []),
        ...all.flatMap(({ role, ref }) => (role ? [] : [`${ref.name} not found`])),
      ],
    };
  }

  checkGrant(write: GrantWrite): void {
    const { user, object, old, resource } = write;
    if (user.groups.includes('system:masters') || changesOnlyCollectorFields(write)) return;
    const { namespace = '', name } = object.metadata;
    const may = (verb: string, plural: string, about: string): boolean => {
      const asked = { verb, apiGroup: RBAC, resource: plural, namespace, name: about };
      return this.authorize(resourceAttributes(user, asked)).verdict === 'allow';
    };
    const granted = 'roleRef' in object ? this.#boundBy(object, may) : this.#definedBy(object, old, may);
    if (!granted) return;
    const held = this.#rolesOf(user, namespace, this.#context.read).flatMap(({ role }) =>
      role ? linesOf(role) : [],
    );
    const missing = granted.filter((line) => !held.some((own) => includes(own, line)));
    if (missing.length === 0) return;
    throw errors.forbidden(
      resource,
      name,
      notHeld(
        user,
        missing.map(({ rule }) => rule),
      ),
    );
  }

  /** Returns the rights that a binding grants; undefined if the user may bind its role. */
  #boundBy({ roleRef, metadata }: Binding, may: (verb: string, plural: string, about: string) => boolean) {
    const { kind, name } = roleRef;
    if (may('bind', kind === 'Role' ? 'roles' : 'clusterroles', name)) return undefined;
    const role: AnyRole | undefined =
      kind === 'Role'
        ? this.#context.read(roles, { namespace: metadata.namespace ?? '', name })
        : this.#context.read(clusterRoles, { name });
    if (!role) throw errors.notFound({ group: RBAC, plural: kind.toLowerCase() }, name);
    return linesOf(role);
  }

  /** Returns the rights that a role grants; undefined if the user may escalate. */
  #definedBy(
    role: AnyRole,
    old: object | undefined,
    may: (verb: string, plural: string, about: string) => boolean,
  ) {
    const plural = role.metadata.namespace === undefined ? 'clusterroles' : 'roles';
    if (may('escalate', plural, old ? role.metadata.name : '')) return undefined;
    const gathers = [role, old].some((each) => (each as ClusterRole | undefined)?.aggregationRule);
    const all = gathers
      ? [
          { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
          { verbs: ['*'], nonResourceURLs: ['*'] },
        ]
      : [];
    return [...(role.rules ?? []), ...all].flatMap(split);
  }
}

function lineOf({
  verb,
  isResourceRequest,
  path,
  apiGroup,
  resource,
  subresource,
  name,
}: Attributes): Omit<Line, 'rule'> {
  if (!isResourceRequest) return { verb, place: path, name: undefined };
  return { verb, place: `${apiGroup}|${resource}${subresource ? `/${subresource}` : ''}`, name };
}

/** Adds the group of the authenticated users. */
function known(user: User): User {
  const isSettled = user.groups.some(
    (each) => each === 'system:authenticated' || each === 'system:unauthenticated',
  );
  if (isSettled || user.name === 'system:anonymous') return user;
  return { ...user, groups: [...user.groups, 'system:authenticated'] };
}

export const newAccess: NewAccess = (context) => new LinesOfRights(context);
