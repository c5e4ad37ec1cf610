import type * as authentication from '#api/authentication/v1';
import { quote } from '../../api/names.ts';
import type { KubeObject } from '../../api/objects.ts';
import { nodes, pods, type Resource, secrets, serviceAccounts } from '../../api/resource.ts';
import type { TokenClaims } from '../../contracts/access/index.ts';
import type { Asker } from '../kind.ts';
import { userNamed } from '../users.ts';

/**
 * Returns the user of a token, or the reason why it is invalid.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/serviceaccount/jwt.go jwtTokenAuthenticator.AuthenticateToken, claims.go
 * validator.Validate
 *
 * @param audiences - the accepted audiences; the token must have at least one of them
 */
export function reviewToken(
  token: string,
  audiences: readonly string[],
  asker: Asker,
): authentication.TokenReviewStatus {
  const verified = asker.verifyToken(token);
  if (!('claims' in verified)) return { user: {}, error: 'invalid bearer token' };
  const { claims } = verified;
  const why = whyInvalid(claims, audiences, asker);
  if (why) return { user: {}, error: `[invalid bearer token, ${why}]` };
  const { serviceaccount, pod, node } = claims['kubernetes.io'];
  const extra = (name: string, value: string | undefined) =>
    value === undefined ? {} : { [`authentication.kubernetes.io/${name}`]: [value] };
  return {
    authenticated: true,
    user: {
      username: claims.sub,
      ...(serviceaccount.uid && { uid: serviceaccount.uid }),
      groups: [...userNamed(claims.sub).groups],
      extra: {
        ...extra('credential-id', claims.jti ? `JTI=${claims.jti}` : undefined),
        ...extra('node-name', node?.name),
        ...extra('node-uid', node?.uid),
        ...extra('pod-name', pod?.name),
        ...extra('pod-uid', pod?.uid),
      },
    },
    audiences: audiences.filter((audience) => claims.aud.includes(audience)),
  };
}

function whyInvalid(
  claims: TokenClaims,
  audiences: readonly string[],
  { get, nowMs }: Asker,
): string | undefined {
  if (!audiences.some((audience) => claims.aud.includes(audience))) {
    const [ours, asked] = [claims.aud, audiences].map((list) => `[${list.map(quote).join(' ')}]`);
    return `token audiences ${ours} is invalid for the target audiences ${asked}`;
  }
  const nowSeconds = nowMs / 1_000;
  if (nowSeconds > claims.exp + LEEWAY_SECONDS) return 'service account token has expired';
  if (nowSeconds < claims.nbf - LEEWAY_SECONDS) return 'service account token is not valid yet';
  /** The deletionTimestamp of a pod is the end of its grace period, so it can be in the future. */
  const isGone = ({ metadata: { deletionTimestamp } }: KubeObject): boolean =>
    deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < nowMs - LEEWAY_SECONDS * 1_000;
  const { namespace, serviceaccount, pod, secret, node } = claims['kubernetes.io'];
  const account = get(serviceAccounts, { namespace, name: serviceaccount.name });
  if (!account) return `serviceaccounts "${serviceaccount.name}" not found`;
  const { uid } = account.metadata;
  if (uid !== serviceaccount.uid) {
    return `service account UID (${uid}) does not match claim (${serviceaccount.uid})`;
  }
  if (isGone(account)) return `service account ${namespace}/${serviceaccount.name} has been deleted`;
  const bound: readonly (readonly [string, Resource, { name: string; uid?: string } | undefined])[] = [
    ['secret UID (%) does not match service account secret ref claim', secrets, secret],
    ['pod UID (%) does not match service account pod ref claim', pods, pod],
    // The node of a pod token is informative only.
    ['node UID (%) does not match service account node ref claim', nodes, pod ? undefined : node],
  ];
  for (const [mismatch, resource, reference] of bound) {
    if (!reference) continue;
    const key = resource.namespaced ? { namespace, name: reference.name } : { name: reference.name };
    const found: KubeObject | undefined = get(resource, key);
    if (found && found.metadata.uid !== reference.uid) {
      return `${mismatch.replace('%', found.metadata.uid)} (${reference.uid})`;
    }
    if (!found || isGone(found)) return 'service account token has been invalidated';
  }
  return undefined;
}

/** The tolerated clock skew. Upstream: go-jose's jwt DefaultLeeway */
const LEEWAY_SECONDS = 60;
