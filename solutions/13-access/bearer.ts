import type { AccessConfiguration, TokenAuthentication, TokenClaims } from '#given/13-access';

/** Returns the token of the header `Authorization: Bearer TOKEN`. */
export function bearerOf(authorization = ''): string | undefined {
  const [scheme = '', token = ''] = authorization.trim().split(' ');
  if (scheme.toLowerCase() !== 'bearer') return undefined;
  // Two spaces before the token make an empty word.
  return token === '' ? undefined : token;
}

/** Returns the user of a token: from the file of static tokens, or from the claims of a signed token. */
export function userOfToken(
  token: string,
  audiences: readonly string[],
  {
    configuration,
    userOfClaims,
  }: {
    readonly configuration: Pick<AccessConfiguration, 'staticTokens' | 'audiences' | 'verifyToken'>;
    readonly userOfClaims: (claims: TokenClaims) => TokenAuthentication;
  },
): TokenAuthentication {
  const user = configuration.staticTokens.get(token);
  // The file does not name an audience: its tokens are for this apiserver.
  const shared = audiences.filter((audience) => configuration.audiences.includes(audience));
  if (user && shared.length > 0) return { user, audiences: shared };
  const verified = configuration.verifyToken(token);
  if ('claims' in verified) return userOfClaims(verified.claims);
  return { rejected: ['error' in verified ? verified.error : 'invalid bearer token'] };
}
