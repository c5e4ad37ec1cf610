import type { User } from '../contracts/access/index.ts';

/**
 * The user of a request without credentials.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/user/user.go Anonymous
 */
export const ANONYMOUS = 'system:anonymous';

/** The prefix of a kubelet's user name; the name of the node follows. */
const NODE = 'system:node:';

/** The prefix of a service account's user name; the namespace and the name follow. */
const SERVICE_ACCOUNT = 'system:serviceaccount:';

/**
 * Returns a user with the groups that follow from its name: whether it is authenticated, the namespace of a service
 * account, and the group of the nodes.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/group/authenticated_group_adder.go,
 * pkg/authentication/serviceaccount/util.go MakeGroupNames, pkg/authentication/user/user.go NodesGroup
 */
export function userNamed(name: string): User {
  if (name === ANONYMOUS) return { name, groups: ['system:unauthenticated'] };
  const authenticated = 'system:authenticated';
  if (name.startsWith(NODE)) return { name, groups: ['system:nodes', authenticated] };
  if (!name.startsWith(SERVICE_ACCOUNT)) return { name, groups: [authenticated] };
  const [namespace] = name.slice(SERVICE_ACCOUNT.length).split(':');
  return { name, groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, authenticated] };
}

/** A user as in `userInfo`, `status.user` and similar fields. */
interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: string[];
  readonly extra?: { [key: string]: string[] };
}

/** Returns the user as the API represents it. Upstream: kubernetes/api@v0.36.3 authentication/v1/types.go UserInfo */
export function userInfoOf({ name, uid, groups, extra }: User): UserInfo {
  const copied = Object.entries(extra ?? {}).map(([key, values]) => [key, [...values]]);
  return {
    username: name,
    ...(uid && { uid }),
    groups: [...groups],
    ...(copied.length > 0 && { extra: Object.fromEntries(copied) }),
  };
}

/**
 * Returns a user who may do everything, whatever the authorizers say.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/user/user.go SystemPrivilegedGroup
 */
export function withEveryRight(name: string): User {
  return { name, groups: ['system:masters', 'system:authenticated'] };
}

/** The apiserver itself. Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/user/user.go APIServerUser */
export const APISERVER_USER: User = withEveryRight('system:apiserver');
