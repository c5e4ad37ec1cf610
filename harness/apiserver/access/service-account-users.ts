import { isDNS1123Label, isDNS1123Subdomain, quote } from '../../api/names.ts';
import type { ObjectKey } from '../../api/objects.ts';
import type { TokenClaims, User } from '../../contracts/access/index.ts';

const PREFIX = 'system:serviceaccount:';

/** Returns the user name of a service account: `system:serviceaccount:default:builder`. */
export const serviceAccountName = (namespace: string, name: string): string =>
  `${PREFIX}${namespace}:${name}`;

/** Returns the groups of a service account, `system:authenticated` not included. */
export const serviceAccountGroups = (namespace: string): string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];

/**
 * Returns the service account that a user name names; undefined if it names none.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/serviceaccount/util.go SplitUsername
 */
export function serviceAccountOf(userName: string): Required<ObjectKey> | undefined {
  if (!userName.startsWith(PREFIX)) return undefined;
  const [namespace = '', name = '', ...more] = userName.slice(PREFIX.length).split(':');
  if (more.length > 0 || isDNS1123Label(namespace).length > 0 || isDNS1123Subdomain(name).length > 0) {
    return undefined;
  }
  return { namespace, name };
}

/**
 * Returns the user that valid claims name. Its `extra` contains the pod and the node of the token, and its id.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/serviceaccount/util.go ServiceAccountInfo.UserInfo
 */
export function userOfClaims(claims: TokenClaims): User {
  const { namespace, serviceaccount, pod, node } = claims['kubernetes.io'];
  const extra: Record<string, readonly string[]> = {};
  const add = (key: string, value: string | undefined): void => {
    if (value) extra[`authentication.kubernetes.io/${key}`] = [value];
  };
  if (pod?.uid) {
    add('pod-name', pod.name);
    add('pod-uid', pod.uid);
  }
  add('credential-id', claims.jti && `JTI=${claims.jti}`);
  add('node-name', node?.name);
  add('node-uid', node?.uid);
  return {
    name: serviceAccountName(namespace, serviceaccount.name),
    ...(serviceaccount.uid ? { uid: serviceaccount.uid } : {}),
    groups: serviceAccountGroups(namespace),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
}

/**
 * Returns the reason to reject a token that is for other audiences.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/serviceaccount/jwt.go jwtTokenAuthenticator.AuthenticateToken
 */
export function audienceMismatch(its: readonly string[], accepted: readonly string[]): string {
  const inGo = (audiences: readonly string[]): string => `[${audiences.map(quote).join(' ')}]`;
  return `token audiences ${inGo(its)} is invalid for the target audiences ${inGo(accepted)}`;
}
