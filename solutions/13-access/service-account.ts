import { type ObjectClaim, type TokenAuthentication, type TokenClaims, userOfClaims } from '#given/13-access';
import {
  type KubeObject,
  nodes,
  type ObjectKey,
  pods,
  type Resource,
  secrets,
  serviceAccounts,
} from '#harness';

/** The clocks of two machines differ by at most this. */
const LEEWAY_MS = 60_000;

/** Returns an object; undefined if it does not exist. */
export type FindObject = (resource: Resource, key: ObjectKey) => KubeObject | undefined;

/** Returns why a token is not valid at this time; undefined if it is. */
export function outsideLifetime({ nbf, exp, iat }: TokenClaims, nowMs: number): string | undefined {
  if (nowMs + LEEWAY_MS < nbf * 1_000) return 'service account token is not valid yet';
  if (nowMs - LEEWAY_MS > exp * 1_000) return 'service account token has expired';
  if (nowMs + LEEWAY_MS < iat * 1_000) return 'service account token is issued in the future';
  return undefined;
}

/** Returns why the service account of a token, or the object that it is bound to, is not the one in its claims. */
export function brokenReference(claims: TokenClaims, nowMs: number, find: FindObject): string | undefined {
  const { namespace, serviceaccount, secret, pod, node } = claims['kubernetes.io'];
  const { name, uid } = serviceaccount;
  const account = find(serviceAccounts, { namespace, name });
  if (!account) return `serviceaccounts "${name}" not found`;
  if (account.metadata.uid !== uid) {
    return `service account UID (${account.metadata.uid}) does not match claim (${uid})`;
  }
  if (isGone(account, nowMs)) return `service account ${namespace}/${name} has been deleted`;
  const check = (kind: string, resource: Resource, claim: ObjectClaim | undefined): string | undefined => {
    if (!claim) return undefined;
    const key = resource.namespaced ? { namespace, name: claim.name } : { name: claim.name };
    const object = find(resource, key);
    if (!object) return 'service account token has been invalidated';
    if (object.metadata.uid !== claim.uid) {
      const its = `service account ${kind} ref claim`;
      return `${kind} UID (${object.metadata.uid}) does not match ${its} (${claim.uid})`;
    }
    return isGone(object, nowMs) ? 'service account token has been invalidated' : undefined;
  };
  return (
    check('secret', secrets, secret) ??
    check('pod', pods, pod) ??
    // Beside a pod, the node is only information.
    check('node', nodes, pod ? undefined : node)
  );
}

/** A pod has its deletionTimestamp from the start of its grace period on, and it is the end of this period. */
function isGone({ metadata: { deletionTimestamp } }: KubeObject, nowMs: number): boolean {
  return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < nowMs - LEEWAY_MS;
}

/** Returns the user of the claims of a token with a valid signature. */
export function userOfServiceAccountToken(
  claims: TokenClaims,
  {
    nowMs,
    audiences,
    find,
  }: { readonly nowMs: number; readonly audiences: readonly string[]; readonly find: FindObject },
): TokenAuthentication {
  const shared = claims.aud.filter((audience) => audiences.includes(audience));
  if (shared.length === 0) {
    const [its, ours] = [claims.aud, audiences].map((list) => `[${list.map((one) => `"${one}"`).join(' ')}]`);
    return { rejected: [`token audiences ${its} is invalid for the target audiences ${ours}`] };
  }
  const invalid = outsideLifetime(claims, nowMs) ?? brokenReference(claims, nowMs, find);
  return invalid === undefined ? { user: userOfClaims(claims), audiences: shared } : { rejected: [invalid] };
}
