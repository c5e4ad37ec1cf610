/**
 * The user of a request without credentials.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/user/user.go Anonymous
 */
export const ANONYMOUS = 'system:anonymous';

/** The prefix of a service account's user name; the namespace and the name follow. */
const SERVICE_ACCOUNT = 'system:serviceaccount:';

/**
 * Returns the groups of a user that follow from its name: whether it is authenticated, and the namespace of a service
 * account.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/group/authenticated_group_adder.go,
 * pkg/authentication/serviceaccount/util.go MakeGroupNames
 *
 * Differs: a request has only the name of its user. Upstream's authenticators also provide its groups.
 */
export function groupsOf(user: string): string[] {
  if (user === ANONYMOUS) return ['system:unauthenticated'];
  const authenticated = 'system:authenticated';
  if (!user.startsWith(SERVICE_ACCOUNT)) return [authenticated];
  const [namespace] = user.slice(SERVICE_ACCOUNT.length).split(':');
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, authenticated];
}
