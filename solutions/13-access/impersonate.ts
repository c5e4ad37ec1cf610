import {
  ANONYMOUS,
  type Attributes,
  AUTHENTICATED,
  forbidden,
  type Impersonation,
  resourceAttributes,
  serviceAccountGroups,
  serviceAccountOf,
  UNAUTHENTICATED,
  type User,
  withoutUserName,
} from '#given/13-access';
import { errors } from '#harness';
import type { Authorizer } from './authorize.ts';

const AUTHENTICATION = 'authentication.k8s.io';

/** Returns the user that another user asks to act as. */
export function impersonate(user: User, asked: Impersonation, authorize: Authorizer): User {
  if (asked.user === '') throw errors.badRequest(withoutUserName(asked));
  const require = (attributes: Partial<Attributes> & { resource: string; name: string }): void => {
    const question = resourceAttributes(user, { verb: 'impersonate', ...attributes });
    const { verdict, reason, error } = authorize(question);
    if (verdict !== 'allow') throw forbidden(question, [error, reason].filter(Boolean).join(': '));
  };
  const account = serviceAccountOf(asked.user);
  if (account) require({ resource: 'serviceaccounts', ...account });
  else require({ resource: 'users', name: asked.user });
  if (asked.uid) require({ apiGroup: AUTHENTICATION, resource: 'uids', name: asked.uid });
  for (const name of asked.groups) require({ resource: 'groups', name });
  for (const [key, values] of Object.entries(asked.extra)) {
    for (const name of values) {
      require({ apiGroup: AUTHENTICATION, resource: 'userextras', subresource: key, name });
    }
  }
  const groups =
    account && asked.groups.length === 0 ? serviceAccountGroups(account.namespace) : [...asked.groups];
  return {
    name: asked.user,
    ...(asked.uid ? { uid: asked.uid } : {}),
    groups: withGroup(groups, groupOf(asked.user, groups)),
    ...(Object.keys(asked.extra).length > 0 ? { extra: asked.extra } : {}),
  };
}

/** A user is authenticated, unless the request says the opposite. */
const groupOf = (name: string, groups: readonly string[]): string =>
  name === ANONYMOUS || groups.includes(UNAUTHENTICATED) ? UNAUTHENTICATED : AUTHENTICATED;

const withGroup = (groups: readonly string[], group: string): readonly string[] =>
  groups.includes(group) ? groups : [...groups, group];
