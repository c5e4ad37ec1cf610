import type { KubeObject, ObjectKey } from '../../api/objects.ts';
import { type Resource, secrets, serviceAccounts } from '../../api/resource.ts';
import type { LegacyTokenClaims, TokenClaims, VerifiedToken } from '../../contracts/access/index.ts';
import { LEGACY } from '../../contracts/service-accounts.ts';
import { ISSUER, type ServiceAccountTokens } from '../service-account-tokens.ts';
import { serviceAccountOf } from './service-account-users.ts';

/** Returns the newest state of an object; undefined if it does not exist. */
type Find = <T extends KubeObject>(resource: Resource<T>, key: ObjectKey) => T | undefined;

/**
 * Checks the signature of a token, and decodes its claims. A token in a Secret has no time limit. It is valid only while
 * its Secret holds it, so its objects are checked here, too.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/serviceaccount/legacy.go legacyValidator.Validate
 *
 * Differs: the use of such a token is not recorded in a label of its Secret, and causes no warning.
 */
export function verifyToken(tokens: ServiceAccountTokens, token: string, find: Find): VerifiedToken {
  const verified = tokens.verify(token);
  if (!('legacy' in verified)) return verified;
  const { legacy } = verified;
  const error = problemOf(legacy, token, find);
  return error === undefined ? { claims: claimsOf(legacy) } : { error };
}

function problemOf(claims: LegacyTokenClaims, token: string, find: Find): string | undefined {
  const { namespace, secretName, name, uid } = partsOf(claims);
  const subject = serviceAccountOf(claims.sub);
  if (subject?.namespace !== namespace || subject.name !== name) return 'sub claim is invalid';
  const secret = find(secrets, { namespace, name: secretName });
  if (!secret || secret.metadata.deletionTimestamp) return 'Token has been invalidated';
  const stored = Buffer.from(secret.data?.[LEGACY.token] ?? '', 'base64').toString();
  if (stored !== token) return "Token does not match server's copy";
  const account = find(serviceAccounts, { namespace, name })?.metadata;
  if (!account) return `serviceaccounts "${name}" not found`;
  if (account.deletionTimestamp) return `ServiceAccount ${namespace}/${name} has been deleted`;
  if (account.uid !== uid) return `ServiceAccount UID (${account.uid}) does not match claim (${uid})`;
  if (!secret.metadata.labels?.[LEGACY.invalidSince]) return undefined;
  return `the token in secret ${namespace}/${secretName} for service account ${namespace}/${name} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${LEGACY.invalidSince}' label from the secret to temporarily allow use of this token`;
}

function partsOf(claims: LegacyTokenClaims) {
  return {
    namespace: claims['kubernetes.io/serviceaccount/namespace'],
    secretName: claims['kubernetes.io/serviceaccount/secret.name'],
    name: claims['kubernetes.io/serviceaccount/service-account.name'],
    uid: claims['kubernetes.io/serviceaccount/service-account.uid'],
  };
}

/** Returns the claims in today's form: for the API itself, and without an end. */
function claimsOf(legacy: LegacyTokenClaims): TokenClaims {
  const { namespace, name, uid } = partsOf(legacy);
  return {
    ...{ iss: ISSUER, sub: legacy.sub, aud: [ISSUER], jti: '' },
    ...{ exp: Number.MAX_SAFE_INTEGER, nbf: 0, iat: 0 },
    'kubernetes.io': { namespace, serviceaccount: { name, uid } },
  };
}
