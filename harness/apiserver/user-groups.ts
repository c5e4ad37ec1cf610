/** The user of a request without credentials. Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/user/user.go Anonymous */
export const ANONYMOUS = 'system:anonymous';

/** How the name of a service account's user begins; namespace and name follow. */
export const SERVICE_ACCOUNT = 'system:serviceaccount:';

/**
 * The groups of a user, as far as its name tells: whether it is authenticated, and for a service account its namespace.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/group/authenticated_group_adder.go,
 * pkg/authentication/serviceaccount/util.go MakeGroupNames
 */
export function groupsOf(user: string): string[] {
  if (user === ANONYMOUS) return ['system:unauthenticated'];
  const authenticated = 'system:authenticated';
  if (!user.startsWith(SERVICE_ACCOUNT)) return [authenticated];
  const [namespace] = user.slice(SERVICE_ACCOUNT.length).split(':');
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, authenticated];
}
