import type { TokenAuthentication, User } from '#given/13-access';

/** Returns the token of the header `Authorization: Bearer TOKEN`. */
export function bearerOf(authorization: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (authorization ?? '').trim().split(' ');
  if (scheme.toLowerCase() !== 'bearer') return undefined;
  // Two spaces before the token make an empty word.
  return token === '' ? undefined : token;
}

/** Returns the user of a token from the file of static tokens. */
export function userOfStaticToken(
  token: string,
  {
    staticTokens,
    audiences,
    accepted,
  }: {
    readonly staticTokens: ReadonlyMap<string, User>;
    readonly audiences: readonly string[];
    readonly accepted: readonly string[];
  },
): TokenAuthentication | undefined {
  // The file does not name an audience: its tokens are for this apiserver.
  const shared = audiences.filter((audience) => accepted.includes(audience));
  const user = staticTokens.get(token);
  return user && shared.length > 0 ? { user, audiences: shared } : undefined;
}
