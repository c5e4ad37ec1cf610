import {
  type Access,
  type AccessConfiguration,
  type AccessContext,
  type Attributes,
  type Authentication,
  type ClientCertificate,
  type ClusterRole,
  type ClusterRoleBinding,
  type Decision,
  type GrantWrite,
  type Impersonation,
  type NewAccess,
  nodeOf,
  type RoleBinding,
  type rbac,
  type TokenAuthentication,
  type TokenClaims,
  type User,
} from '#given/13-access';
import {
  type Component,
  type KubeObject,
  type ObjectCache,
  type ObjectKey,
  type Resource,
  todo,
} from '#harness';

const KATA = '13-access';

// Level 1 · Certificates

/**
 * Returns the user of a client certificate: the common name, with the organizations as groups. The user's `extra` has
 * one entry, the id of the credential: `authentication.kubernetes.io/credential-id` is `['X509SHA256=FINGERPRINT']`.
 *
 * @param certificate - undefined if the client has presented none
 * @param nowMs - the time of the request, in ms since 1970
 * @returns undefined if the certificate names nobody. `rejected` if it is not valid at this time: the result of
 * `verify`. Or if it has several uids: `expected 1 UID, but found multiple: [u-1 u-2]`; or an empty one: `UID cannot be
 * an empty string`
 *
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/request/x509/x509.go Authenticator.AuthenticateRequest,
 * CommonNameUserConversion
 */
export function userOfCertificate(
  certificate: ClientCertificate | undefined,
  nowMs: number,
): Authentication | undefined {
  return todo(KATA, 'userOfCertificate', 'Level 1');
}

// Level 2 · Bearer tokens

/**
 * Returns the token in the header `Authorization`, or undefined. Spaces around the header do not count, and the scheme
 * may be in any case. The token is the word after one space; text after it does not count.
 *
 * @example
 * bearerOf('bearer t1 more') // 't1'
 * bearerOf('Bearer  t1') // undefined: the word after the first space is empty
 *
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/request/bearertoken/bearertoken.go AuthenticateRequest
 */
export function bearerOf(authorization: string | undefined): string | undefined {
  return todo(KATA, 'bearerOf', 'Level 2');
}

/**
 * Returns the user of a token. The static tokens come first: they are for the audiences of this apiserver,
 * `configuration.audiences`, and unknown for others. Other tokens are signed by this cluster, or unknown.
 *
 * @param audiences - the token must be for at least one of them
 * @returns the user, with the common `audiences` in any order. `rejected` with the error of `verifyToken`, or with
 * `invalid bearer token` if nobody knows the token
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubeapiserver/authenticator/config.go Config.New
 */
export function userOfToken(
  token: string,
  audiences: readonly string[],
  sources: {
    readonly configuration: Pick<AccessConfiguration, 'staticTokens' | 'audiences' | 'verifyToken'>;
    /** Returns the user of the claims of a token with a valid signature. */
    readonly userOfClaims: (claims: TokenClaims) => TokenAuthentication;
  },
): TokenAuthentication {
  return todo(KATA, 'userOfToken', 'Level 2');
}

// Level 3 · Service account tokens

/**
 * Returns why a token is not valid at this time; undefined if it is valid. It is valid from `nbf` to `exp`, and from
 * `iat` on. Two clocks can differ by a minute, so each of these times counts with a leeway of exactly 60 s.
 *
 * @returns in this order: `service account token is not valid yet`, `service account token has expired`, `service
 * account token is issued in the future`
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/serviceaccount/claims.go validator.Validate
 */
export function outsideLifetime(claims: TokenClaims, nowMs: number): string | undefined {
  return todo(KATA, 'outsideLifetime', 'Level 3');
}

/** Returns an object; undefined if it does not exist. Given. */
export type FindObject = (resource: Resource, key: ObjectKey) => KubeObject | undefined;

/**
 * Returns the function that finds the objects of a token. A token works from the moment that these objects exist. Most
 * requests carry a token, and each read of the storage costs time.
 *
 * @example
 * // Somebody has just created the account.
 * finderOf({ cache, read })(serviceAccounts, { namespace: 'ci', name: 'builder' }) // the account
 */
export function finderOf(context: Pick<AccessContext, 'cache' | 'read'>): FindObject {
  return todo(KATA, 'finderOf', 'Level 3');
}

/**
 * Returns why the claims of a token do not hold; undefined if they do. The service account must exist, with the uid in
 * the claims. The same applies to the objects that the token is bound to: a secret, a pod, a node. If the claims
 * contain a pod, the node is only information. A claim without a uid has the uid `''`, which no object has.
 *
 * An object that is being deleted counts for 60 s after its `deletionTimestamp`. That of a pod is the end of its grace
 * period, so it can be in the future.
 *
 * @returns the first problem, in the order account, secret, pod, node. For the account: `serviceaccounts "NAME" not
 * found`, then `service account UID (ITS) does not match claim (CLAIMED)`, then `service account NAMESPACE/NAME has been
 * deleted`. For a pod, in the same order: `service account token has been invalidated`, `pod UID (ITS) does not match
 * service account pod ref claim (CLAIMED)`, `service account token has been invalidated`; so for `secret` and `node`
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/serviceaccount/claims.go validator.Validate
 */
export function brokenReference(claims: TokenClaims, nowMs: number, find: FindObject): string | undefined {
  return todo(KATA, 'brokenReference', 'Level 3');
}

/**
 * Returns the user of the claims of a token with a valid signature: `userOfClaims` of `#given/13-access` reads it from
 * them. The token must be for one of the audiences, then in its lifetime, then without a broken reference.
 *
 * @returns the user, with the common `audiences` in any order. Without any, `rejected` with `audienceMismatch`
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/serviceaccount/jwt.go jwtTokenAuthenticator.AuthenticateToken
 */
export function userOfServiceAccountToken(
  claims: TokenClaims,
  audiences: readonly string[],
  { nowMs, find }: { readonly nowMs: number; readonly find: FindObject },
): TokenAuthentication {
  return todo(KATA, 'userOfServiceAccountToken', 'Level 3');
}

// Level 4 · In order

/**
 * Returns the user with the group `AUTHENTICATED` added. A user who is `ANONYMOUS`, or in `AUTHENTICATED` or
 * `UNAUTHENTICATED` already, is returned as it is. The given user may be shared, so it is never changed.
 *
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/group/authenticated_group_adder.go
 * AuthenticatedGroupAdder
 */
export function withSystemGroups(user: User): User {
  return todo(KATA, 'withSystemGroups', 'Level 4');
}

/**
 * Identifies the user of a request. Each authenticator returns a user, a rejection, or undefined if the request has no
 * credentials of its kind.
 *
 * @param authenticators - in order
 * @param options - whether a request without credentials is anonymous; with `paths`, only for exactly these paths. An
 * empty list of paths does not restrict them
 * @returns the first user, with its system group. After a rejection, even one without a reason, `rejected` with the
 * reasons of all authenticators, in order
 *
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/request/union/union.go AuthenticateRequest
 */
export function authenticate(
  authenticators: readonly (() => Authentication | undefined)[],
  options: Pick<AccessConfiguration, 'anonymous'> & { readonly path: string },
): Authentication {
  return todo(KATA, 'authenticate', 'Level 4');
}

// Level 5 · One rule

/**
 * Returns whether a single rule allows a request. `*` in its verbs, API groups, resources or paths matches everything.
 * Everything else is compared exactly, with one exception: `*` before a slash and `log` matches the subresource `log` of
 * each resource.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/auth/authorizer/rbac/rbac.go RuleAllows
 */
export function ruleAllows(rule: rbac.PolicyRule, attributes: Attributes): boolean {
  return todo(KATA, 'ruleAllows', 'Level 5');
}

/**
 * Returns whether a path matches a URL of a rule: they are equal, or the URL ends with one or more `*`, and the path
 * begins with the text before these.
 *
 * @example
 * matchesPath('/healthz*', '/healthz/etcd') // true
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/rbac/v1/evaluation_helpers.go NonResourceURLMatches
 */
export function matchesPath(url: string, path: string): boolean {
  return todo(KATA, 'matchesPath', 'Level 5');
}

// Level 6 · Whose rules

/**
 * Returns whether a subject of a binding is the user: its name for a `User`, one of its groups for a `Group`. A
 * `ServiceAccount` is the user `serviceAccountName(namespace, name)`. Its namespace is by default that of the binding;
 * without any namespace, it is nobody.
 *
 * @param bindingNamespace - empty for a ClusterRoleBinding
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/rbac/validation/rule.go appliesToUser
 */
export function appliesTo(subject: rbac.Subject, user: User, bindingNamespace: string): boolean {
  return todo(KATA, 'appliesTo', 'Level 6');
}

/**
 * Returns the rules of the role that a binding refers to: a `Role` in the namespace of the binding, or a `ClusterRole`.
 *
 * @returns without this role: `role.rbac.authorization.k8s.io "NAME" not found`, or `clusterrole.rbac…`. With another
 * kind: `unsupported role reference kind: "KIND"`
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/rbac/validation/rule.go GetRoleReferenceRules
 */
export function rulesOfRole(
  roleRef: rbac.RoleRef,
  bindingNamespace: string,
  cache: ObjectCache,
): { readonly rules: readonly rbac.PolicyRule[] } | { readonly error: string } {
  return todo(KATA, 'rulesOfRole', 'Level 6');
}

/** A rule of a user with its origin, or the error about a role that a binding refers to. Given. */
export type Found =
  | {
      readonly rule: rbac.PolicyRule;
      readonly binding: RoleBinding | ClusterRoleBinding;
      /** The first subject of the binding that is the user. */
      readonly subject: rbac.Subject;
    }
  | { readonly error: string };

/**
 * Returns the rules that a user has in a namespace: those of the ClusterRoleBindings, then those of the RoleBindings in
 * this namespace. The bindings are in the order of the cache. A missing role is an error only if its binding names the user.
 *
 * @param namespace - if empty, only the ClusterRoleBindings count
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/rbac/validation/rule.go VisitRulesFor
 */
export function rulesFor(user: User, namespace: string, cache: ObjectCache): Iterable<Found> {
  return todo(KATA, 'rulesFor', 'Level 6');
}

// Level 7 · The answer

/** Decides about a request, or has no opinion. Given. */
export type Authorizer = (attributes: Attributes) => Decision;

/**
 * Allows a request if the user has a rule for it. Otherwise RBAC has no opinion. A path is in no namespace.
 *
 * @returns for an allow, the reason `allowedBy(binding, subject)`. If roles are missing and no rule allows the request,
 * the reason `RBAC: ` and the `aggregated` errors
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/auth/authorizer/rbac/rbac.go RBACAuthorizer.Authorize
 */
export function authorizeByRoles(attributes: Attributes, cache: ObjectCache): Decision {
  return todo(KATA, 'authorizeByRoles', 'Level 7');
}

/**
 * Asks the authorizers in order, until one allows or denies the request. The group `MASTERS` may do everything.
 *
 * @returns the decision of this authorizer. If all have no opinion: their reasons, one a line, and their `aggregated`
 * errors
 *
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/authorization/union/union.go unionAuthzHandler.Authorize
 */
export function authorize(attributes: Attributes, authorizers: readonly Authorizer[]): Decision {
  return todo(KATA, 'authorize', 'Level 7');
}

// Level 8 · No more than you have

/**
 * Returns the granted rights that the held rules do not contain. `singleRights` of `#given/13-access` splits a rule into
 * rights with one verb, and one resource or path. The held rules contain such a right if one of them does.
 *
 * Only the same wildcard, or a larger one, contains a granted wildcard: `get` and `list` do not contain the verb `*`. All
 * names contain one name, but no list of names contains all. The name `*` is not a wildcard.
 *
 * @example
 * uncovered([get pods, list pods], [get and list pods and secrets]) // [get secrets, list secrets]
 *
 * @see Upstream: kubernetes/component-helpers@v0.36.3 auth/rbac/validation/policy_comparator.go Covers
 */
export function uncovered(
  held: readonly rbac.PolicyRule[],
  granted: readonly rbac.PolicyRule[],
): rbac.PolicyRule[] {
  return todo(KATA, 'uncovered', 'Level 8');
}

/**
 * Returns the roles and bindings for `checkGrant`. An old answer about a request was right a moment ago, but a grant
 * stays: nobody may grant rights that a role has just got, or that the user has just lost.
 *
 * @example
 * // Somebody has just added a rule to the role, and deleted a binding.
 * grantsOf({ cache, read }).get(clusterRoles, { name: 'r' }) // the role with this rule
 * grantsOf({ cache, read }).list(clusterRoleBindings) // the others
 */
export function grantsOf(context: Pick<AccessContext, 'cache' | 'read'>): ObjectCache {
  return todo(KATA, 'grantsOf', 'Level 8');
}

/** The dependencies of {@link checkGrant}. Given. */
export interface GrantChecks {
  readonly authorize: Authorizer;
  readonly cache: ObjectCache;
}

/**
 * Refuses a write that grants rights which its writer does not have. The rights count where the write takes effect: in
 * the namespace of a Role or a RoleBinding, in the whole cluster otherwise, whatever the metadata say.
 *
 * | the writer of | must have one of |
 * |---|---|
 * | a role | all its rules; the right to `escalate` this role |
 * | an aggregate, before or after the write (`isAggregate`) | the right to `escalate` it |
 * | a binding | all rules of its role; the right to `bind` this role |
 *
 * The check is about the whole object, even if an update changes only a label. Two writes pass: those of the group
 * `MASTERS`, and updates where `changesOnlyCollectorFields`.
 *
 * Both rights are questions for `authorize` where the write takes effect, in the group `rbac.authorization.k8s.io`, about
 * the resource `roles` or `clusterroles` and the name of the role. In a create of a role, the name in the question is
 * empty.
 *
 * @throws StatusError `errors.forbidden(resource, name, notHeld(user, missing, problems))`, where `problems` are the
 * errors of `rulesFor`. For an aggregate whose rules the writer has, with the message `must have cluster-admin privileges
 * to use the aggregationRule`. For a binding to a missing role, or to another kind, `errors.notFound` of this role
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/rbac/role/policybased/storage.go and its siblings;
 * pkg/registry/rbac/escalation_check.go
 */
export function checkGrant(write: GrantWrite, checks: GrantChecks): void {
  todo(KATA, 'checkGrant', 'Level 8');
}

// Level 9 · In the name of another

/**
 * Returns the user that another user asks to act as. The other user needs the verb `impersonate` for each part, in this
 * order:
 *
 * | part | question |
 * |---|---|
 * | `user` | `users`, by name; if `serviceAccountOf` finds a service account in it, `serviceaccounts` in its namespace |
 * | `uid` | `uids` in the group `authentication.k8s.io`, by name |
 * | `groups` | `groups`, by name, each |
 * | `extra` | `userextras` in `authentication.k8s.io`; the key is the subresource, the value the name, each |
 *
 * The result has only these parts, and nothing of the first user. A service account without `groups` gets
 * `serviceAccountGroups`. Then one group follows, unless it is in the list: `UNAUTHENTICATED` if the name is `ANONYMOUS`,
 * or if this group was asked for; otherwise `AUTHENTICATED`.
 *
 * @throws StatusError `forbidden(question, reason)` for the first question without an allow; `errors.badRequest` with
 * `withoutUserName(asked)` if `asked.user` is empty
 *
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/filters/impersonation/mode.go impersonationModeState.check
 */
export function impersonate(user: User, asked: Impersonation, authorize: Authorizer): User {
  return todo(KATA, 'impersonate', 'Level 9');
}

// Level 10 ★ · Nodes

/**
 * Decides about the requests of a node, `nodeOf(user)`. It has no opinion about other users. About a node without a name,
 * it has none either, with the reason `unknown node for user "USER"`.
 *
 * `decideByRequest` decides if the request alone is enough. If it returns `rules`, the node has the rules `nodeRules`. If
 * it returns `related`, the node may do it if the object is on the node, or belongs to one of its pods:
 *
 * | object | belongs to |
 * |---|---|
 * | pod, volume attachment | the node in its spec |
 * | service account | each pod with this account |
 * | secret, config map, claim, resource claim | each pod with this name in `referencesOf(pod)` |
 * | persistent volume | each pod that uses its `claimRef` |
 * | secret in `secretsOfPersistentVolume(volume)` | each pod that the volume belongs to |
 *
 * A pod with the annotation `kubernetes.io/config.mirror` gives its node no right but to itself: the node has created it.
 *
 * @returns without a relation: `no relationship found between node 'NODE' and this object`
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/auth/authorizer/node/node_authorizer.go NodeAuthorizer;
 * graph.go Graph.AddPod, Graph.AddPV
 */
export function authorizeNode(attributes: Attributes, cache: ObjectCache): Decision {
  return todo(KATA, 'authorizeNode', 'Level 10');
}

// Level 11 ★ · Aggregates

/**
 * Returns the rules of an aggregate: those of the roles that its selectors select, one selector after the other. The
 * roles of a selector are ordered by name, as `<` compares. The aggregate does not select itself, and has no rule twice
 * (`semanticEqual`).
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3
 * pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go syncClusterRole
 */
export function aggregatedRules(role: ClusterRole, all: readonly ClusterRole[]): rbac.PolicyRule[] {
  return todo(KATA, 'aggregatedRules', 'Level 11');
}

/**
 * Keeps the rules of each aggregate, a ClusterRole with an `aggregationRule`, up to date. Any ClusterRole can be selected
 * by any aggregate. It writes only if the rules differ: an apply of `apiVersion`, `kind`, the name and the `rules`, even if
 * they are empty, with `force` as the field manager `clusterrole-aggregation-controller`, so that rules of a user do not
 * stay.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3
 * pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go ClusterRoleAggregationController
 */
export const clusterRoleAggregationController: Component = async (context) => {
  todo(KATA, 'clusterRoleAggregationController', 'Level 11');
};

/** Creates the access control of an apiserver. Given. */
export const newAccess: NewAccess = ({ clock, cache, read, configuration }): Access => {
  const { anonymous, audiences: ours, authorizers: order } = configuration;
  const authorizers: Record<'Node' | 'RBAC', Authorizer> = {
    Node: (attributes) =>
      nodeOf(attributes.user) === undefined ? { verdict: 'no opinion' } : authorizeNode(attributes, cache),
    RBAC: (attributes) => authorizeByRoles(attributes, cache),
  };
  const ask: Authorizer = (attributes) =>
    authorize(
      attributes,
      order.map((name) => authorizers[name]),
    );

  const ofToken = (token: string, audiences: readonly string[]) =>
    userOfToken(token, audiences, {
      configuration,
      userOfClaims: (claims) =>
        userOfServiceAccountToken(claims, audiences, { nowMs: clock.now(), find: finderOf({ cache, read }) }),
    });

  return {
    authenticate({ certificate, authorization, path }) {
      const token = bearerOf(authorization);
      return authenticate(
        [
          () => userOfCertificate(certificate, clock.now()),
          () => (token === undefined ? undefined : ofToken(token, ours)),
        ],
        { anonymous, path },
      );
    },
    authenticateToken(token, audiences) {
      const found = ofToken(token, audiences);
      return 'user' in found ? { ...found, user: withSystemGroups(found.user) } : found;
    },
    impersonate: (user, asked) => impersonate(user, asked, ask),
    authorize: ask,
    rulesFor(user, namespace) {
      const isNode = order.includes('Node') && nodeOf(user) !== undefined;
      const found = order.includes('RBAC') ? [...rulesFor(user, namespace, cache)] : [];
      const errors = found.flatMap((each) => ('error' in each ? [each.error] : []));
      return {
        rules: found.flatMap((each) => ('rule' in each ? [each.rule] : [])),
        incomplete: isNode,
        errors: isNode ? ['node authorizer does not support user rule resolution', ...errors] : errors,
      };
    },
    checkGrant: (write) => checkGrant(write, { authorize: ask, cache: grantsOf({ cache, read }) }),
  };
};
