import {
  type AccessContext,
  audienceMismatch,
  type ObjectClaim,
  type TokenAuthentication,
  type TokenClaims,
  userOfClaims,
} from '#given/13-access';
import {
  type KubeObject,
  nodes,
  type ObjectKey,
  pods,
  type Resource,
  secrets,
  serviceAccounts,
} from '#harness';

/** The maximum difference between the clocks of two machines. */
const LEEWAY_MS = 60_000;

const INVALIDATED = 'service account token has been invalidated';

/** Returns an object; undefined if it does not exist. */
export type FindObject = (resource: Resource, key: ObjectKey) => KubeObject | undefined;

/** Returns the function that finds the objects of a token. */
export function finderOf({ cache, read }: Pick<AccessContext, 'cache' | 'read'>): FindObject {
  // A new object exists only in the storage until the cache catches up.
  return (resource, key) => cache.get(resource, key) ?? read(resource, key);
}

/** Returns why a token is not valid at this time; undefined if it is. */
export function outsideLifetime({ nbf, exp, iat }: TokenClaims, nowMs: number): string | undefined {
  if (nowMs + LEEWAY_MS < nbf * 1_000) return 'service account token is not valid yet';
  if (nowMs - LEEWAY_MS > exp * 1_000) return 'service account token has expired';
  if (nowMs + LEEWAY_MS < iat * 1_000) return 'service account token is issued in the future';
  return undefined;
}

/** Returns why the claims of a token do not hold any more; undefined if they do. */
export function brokenReference(claims: TokenClaims, nowMs: number, find: FindObject): string | undefined {
  const { namespace, serviceaccount, secret, pod, node } = claims['kubernetes.io'];
  // A claim without a uid names no object.
  const { name, uid = '' } = serviceaccount;
  const account = find(serviceAccounts, { namespace, name })?.metadata;
  if (!account) return `serviceaccounts "${name}" not found`;
  if (account.uid !== uid) return `service account UID (${account.uid}) does not match claim (${uid})`;
  if (isGone(account, nowMs)) return `service account ${namespace}/${name} has been deleted`;

  const check = (word: string, resource: Resource, claim: ObjectClaim | undefined): string | undefined => {
    if (!claim) return undefined;
    const { uid: claimed = '' } = claim;
    const key = resource.namespaced ? { namespace, name: claim.name } : { name: claim.name };
    const bound = find(resource, key)?.metadata;
    if (!bound) return INVALIDATED;
    if (bound.uid !== claimed) {
      return `${word} UID (${bound.uid}) does not match service account ${word} ref claim (${claimed})`;
    }
    return isGone(bound, nowMs) ? INVALIDATED : undefined;
  };
  return (
    check('secret', secrets, secret) ??
    check('pod', pods, pod) ??
    // Beside a pod, the node is only information.
    check('node', nodes, pod ? undefined : node)
  );
}

/** The deletionTimestamp of a pod is the end of its grace period, so it can be in the future. */
function isGone({ deletionTimestamp }: KubeObject['metadata'], nowMs: number): boolean {
  return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < nowMs - LEEWAY_MS;
}

/** Returns the user of the claims of a token with a valid signature. */
export function userOfServiceAccountToken(
  claims: TokenClaims,
  audiences: readonly string[],
  { nowMs, find }: { readonly nowMs: number; readonly find: FindObject },
): TokenAuthentication {
  const shared = claims.aud.filter((audience) => audiences.includes(audience));
  if (shared.length === 0) return { rejected: [audienceMismatch(claims.aud, audiences)] };
  const invalid = outsideLifetime(claims, nowMs) ?? brokenReference(claims, nowMs, find);
  return invalid === undefined ? { user: userOfClaims(claims), audiences: shared } : { rejected: [invalid] };
}
