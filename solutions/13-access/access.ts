import { type Access, type NewAccess, nodeOf } from '#given/13-access';
import { authenticate, withSystemGroups } from './authenticate.ts';
import { type Authorizer, authorize, authorizeByRoles } from './authorize.ts';
import { bearerOf, userOfToken } from './bearer.ts';
import { userOfCertificate } from './certificate.ts';
import { checkGrant, grantsOf } from './escalation.ts';
import { impersonate } from './impersonate.ts';
import { authorizeNode } from './nodes.ts';
import { rulesFor } from './rules.ts';
import { finderOf, userOfServiceAccountToken } from './service-account.ts';

export { aggregatedRules, clusterRoleAggregationController } from './aggregation.ts';
export { authenticate, withSystemGroups } from './authenticate.ts';
export { type Authorizer, authorize, authorizeByRoles } from './authorize.ts';
export { bearerOf, userOfToken } from './bearer.ts';
export { userOfCertificate } from './certificate.ts';
export { checkGrant, type GrantChecks, grantsOf, uncovered } from './escalation.ts';
export { impersonate } from './impersonate.ts';
export { authorizeNode } from './nodes.ts';
export { appliesTo, type Found, matchesPath, ruleAllows, rulesFor, rulesOfRole } from './rules.ts';
export {
  brokenReference,
  type FindObject,
  finderOf,
  outsideLifetime,
  userOfServiceAccountToken,
} from './service-account.ts';

/** Creates the access control of an apiserver. */
export const newAccess: NewAccess = ({ clock, cache, read, configuration }): Access => {
  const { anonymous, audiences: ours, authorizers: order } = configuration;
  const authorizers: Record<'Node' | 'RBAC', Authorizer> = {
    Node: (attributes) => authorizeNode(attributes, cache),
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
