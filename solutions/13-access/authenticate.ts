import {
  type AccessConfiguration,
  ANONYMOUS,
  AUTHENTICATED,
  type Authentication,
  UNAUTHENTICATED,
  type User,
} from '#given/13-access';

/** Adds the group of all users with valid credentials. */
export function withSystemGroups(user: User): User {
  const { name, groups } = user;
  const settled = name === ANONYMOUS || groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED);
  return settled ? user : { ...user, groups: [...groups, AUTHENTICATED] };
}

/** Asks the authenticators one after the other. The first user counts. */
export function authenticate(
  authenticators: readonly (() => Authentication | undefined)[],
  { anonymous, path }: Pick<AccessConfiguration, 'anonymous'> & { readonly path: string },
): Authentication {
  const rejections: (readonly string[])[] = [];
  for (const authenticator of authenticators) {
    const opinion = authenticator();
    if (opinion && 'user' in opinion) return { user: withSystemGroups(opinion.user) };
    if (opinion) rejections.push(opinion.rejected);
  }
  // Invalid credentials never become anonymous.
  if (rejections.length > 0 || !allowsAnonymous(anonymous, path)) return { rejected: rejections.flat() };
  return { user: { name: ANONYMOUS, groups: [UNAUTHENTICATED] } };
}

function allowsAnonymous(anonymous: AccessConfiguration['anonymous'], path: string): boolean {
  if (typeof anonymous === 'boolean') return anonymous;
  return anonymous.paths.length === 0 || anonymous.paths.includes(path);
}
