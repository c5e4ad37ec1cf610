import { createHmac } from '#platform/hash';
import type { LegacyTokenClaims, TokenClaims, VerifiedToken } from '../contracts/access/index.ts';

/** The issuer of all tokens, and their default audience: the API itself. */
export const ISSUER = 'https://kubernetes.default.svc.cluster.local';

/** The issuer of the tokens in Secrets. Upstream: kubernetes/kubernetes@v1.36.3 pkg/serviceaccount/legacy.go LegacyIssuer */
const LEGACY_ISSUER = 'kubernetes/serviceaccount';

/** The result of checking the signature of a token: also the claims of a token in a Secret. */
type Verified = VerifiedToken | { readonly legacy: LegacyTokenClaims };

/**
 * Signs and verifies the tokens of service accounts (JWT, RFC 7519) with the key of a cluster. All its apiservers have
 * the same key.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/serviceaccount/jwt.go JWTTokenGenerator, JWTTokenAuthenticator
 *
 * Differs: the key is a secret (HS256), not a pair of keys (RS256, ES256). Only an apiserver can verify a token.
 */
export class ServiceAccountTokens {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  sign(claims: TokenClaims): string {
    return this.#signed(claims);
  }

  /** Signs a token for a Secret. */
  signLegacy(claims: LegacyTokenClaims): string {
    return this.#signed(claims);
  }

  #signed(claims: object): string {
    const text = [{ alg: 'HS256', kid: 'kubernetes-katas' }, claims].map(encoded).join('.');
    return `${text}.${this.#signatureOf(text)}`;
  }

  /** Checks the signature of a token, and decodes its claims. Checks nothing else. */
  verify(token: string): Verified {
    const [header = '', payload = '', signature, ...rest] = token.split('.');
    if (signature === undefined || rest.length > 0) return { foreign: true };
    const claims = decoded(payload);
    if (!claims || (claims.iss !== ISSUER && !isLegacy(claims))) return { foreign: true };
    if (signature !== this.#signatureOf(`${header}.${payload}`)) return { error: 'invalid signature' };
    return isLegacy(claims) ? { legacy: claims } : { claims };
  }

  #signatureOf(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}

const isLegacy = (claims: TokenClaims | LegacyTokenClaims): claims is LegacyTokenClaims =>
  claims.iss === LEGACY_ISSUER;

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Returns the claims of a token that this server issued. Other tokens can have any content. */
function decoded(payload: string): TokenClaims | LegacyTokenClaims | undefined {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) ?? undefined;
  } catch {
    return undefined;
  }
}
