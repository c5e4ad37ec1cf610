import { isDeepStrictEqual } from 'node:util';
import { nodes, pods, type Resource, secrets, serviceAccounts } from '../../../api/resource.ts';
import type {
  ClientCertificate,
  Credentials,
  Impersonation,
  TokenClaims,
  User,
} from '../../../contracts/access/index.ts';
import {
  AUDIENCES,
  type ConfigurationPlan,
  type Question,
  resourceRequest,
  STATIC_TOKENS,
} from '../scenario/index.ts';
import { ALWAYS, type Chance, NEVER } from './rights.ts';
import type { Window, World } from './world.ts';

const LEEWAY_MS = 60_000;
export const isMaster = ({ groups }: User): boolean => groups.includes('system:masters');
export const isNode = ({ groups }: User): boolean => groups.includes('system:nodes');

export const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** The facts about a moment of a run. */
export interface Moment extends Window {
  readonly nowMs: number;
}

/** The tokens of a run. */
export type Claims = ReadonlyMap<string, TokenClaims | 'foreign' | 'forged'>;

/** The verdict about a token: whether it is valid, and the user that it is for. */
export interface TokenVerdict {
  readonly valid: Chance;
  readonly user?: User;
  readonly audiences: readonly string[];
  /** The reason why it is not, or may not be, valid. */
  readonly why: 'unknown' | 'audience' | 'ended';
  /** A description of this reason. */
  readonly because: string;
}

/** Returns the token of a header `Authorization`; undefined without one. */
export function tokenIn(header: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (header ?? '').trim().split(' ');
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

/** Judges a token. */
export function judgeToken(
  world: World,
  claims: Claims,
  token: string,
  audiences: readonly string[],
  moment: Moment,
): TokenVerdict {
  const known = (STATIC_TOKENS as Readonly<Record<string, User>>)[token];
  if (known) {
    const shared = audiences.filter((each) => AUDIENCES.includes(each));
    return {
      valid: shared.length > 0 ? ALWAYS : NEVER,
      user: known,
      audiences: shared,
      why: 'audience',
      because: 'it is a token of --token-auth-file, which is for the apiserver',
    };
  }
  const own = claims.get(token);
  if (typeof own !== 'object')
    return { valid: NEVER, audiences: [], why: 'unknown', because: `it is ${own ?? 'unknown'}` };
  const shared = own.aud.filter((each) => audiences.includes(each));
  const user = userOf(own);
  if (shared.length === 0) {
    const because = `its audiences are ${own.aud.join(', ')}, none of ${audiences.join(', ')}`;
    return { valid: NEVER, user, audiences: shared, why: 'audience', because };
  }
  const ended = outOfTime(own, moment.nowMs);
  if (ended) return { valid: NEVER, user, audiences: shared, why: 'ended', because: ended };
  const { valid, because } = references(world, own, moment);
  return { valid, user, audiences: shared, why: 'ended', because };
}

function outOfTime({ exp, nbf, iat }: TokenClaims, nowMs: number): string | undefined {
  const past = (nowMs - exp * 1_000) / 1_000;
  if (past > LEEWAY_MS / 1_000) return `it expired ${past} s ago, more than the leeway of 60 s`;
  const early = (Math.max(nbf, iat) * 1_000 - nowMs) / 1_000;
  if (early > LEEWAY_MS / 1_000) return `it is valid only in ${early} s, more than the leeway of 60 s`;
  return undefined;
}

/** Judges the account and the bound object of a token. */
function references(world: World, claims: TokenClaims, moment: Moment): { valid: Chance; because: string } {
  const { namespace, serviceaccount, pod, secret, node } = claims['kubernetes.io'];
  const all: [kind: string, resource: Resource, claim: { name: string; uid?: string }][] = [
    ['ServiceAccount', serviceAccounts as unknown as Resource, serviceaccount],
    ...(pod ? [['Pod', pods, pod] as never] : []),
    ...(secret ? [['Secret', secrets, secret] as never] : []),
    ...(node && !pod ? [['Node', nodes, node] as never] : []),
  ];
  let certain = true;
  for (const [kind, resource, { name, uid }] of all) {
    const key = resource.namespaced ? { namespace, name } : { name };
    const states = world.states(resource, key, moment);
    const problems = states.map((object) => {
      if (!object) return `${kind} ${name} does not exist`;
      if (uid === undefined) return `its claims name ${kind} ${name} without a uid`;
      if (object.metadata.uid !== uid)
        return `${kind} ${name} is not the one of the token: it was created again`;
      const { deletionTimestamp } = object.metadata;
      const goneMs = deletionTimestamp === undefined ? 0 : moment.nowMs - Date.parse(deletionTimestamp);
      return goneMs > LEEWAY_MS
        ? `the deletionTimestamp of ${kind} ${name} was ${goneMs / 1_000} s ago, more than the leeway of 60 s`
        : undefined;
    });
    if (problems.every((problem) => problem !== undefined))
      return { valid: NEVER, because: problems.at(-1) as string };
    // An object that the cache does not have yet must be read from the storage.
    const needed = states[0] ? problems : problems.slice(-1);
    if (needed.some((problem) => problem !== undefined)) certain = false;
  }
  return { valid: { possible: true, certain }, because: 'its account and its object exist' };
}

function userOf({ sub, jti, 'kubernetes.io': own }: TokenClaims): User {
  const { namespace, serviceaccount, pod, node } = own;
  const extra = (name: string, value: string | undefined) =>
    value === undefined ? {} : { [`authentication.kubernetes.io/${name}`]: [value] };
  return {
    name: sub,
    ...(serviceaccount.uid && { uid: serviceaccount.uid }),
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    extra: {
      ...extra('credential-id', `JTI=${jti}`),
      ...extra('pod-name', pod?.name),
      ...extra('pod-uid', pod?.uid),
      ...extra('node-name', node?.name),
      ...extra('node-uid', node?.uid),
    },
  };
}

/** The verdict about the credentials of a request. */
export interface Identity {
  /** The accepted users. */
  readonly users: readonly User[];
  readonly mayReject: boolean;
  /** Whether some credentials are invalid. */
  readonly hasInvalid: boolean;
  /** The reason why the certificate is invalid. */
  readonly flaw?: string;
  /** Whether the request has credentials of a known kind. */
  readonly hasAny: boolean;
  readonly token?: TokenVerdict;
  readonly certificate?: User;
}

/** Judges the credentials of a request. */
export function identify(
  world: World,
  claims: Claims,
  { certificate, authorization, path }: Credentials,
  { anonymous }: ConfigurationPlan,
  moment: Moment,
): Identity {
  const flaw = certificate && flawOf(certificate, moment.nowMs);
  const own =
    certificate && flaw === undefined && certificate.commonName !== ''
      ? authenticated({
          name: certificate.commonName,
          ...(certificate.uids[0] !== undefined && { uid: certificate.uids[0] }),
          groups: certificate.organizations,
          extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${certificate.fingerprint}`] },
        })
      : undefined;
  const text = tokenIn(authorization);
  const token = text === undefined ? undefined : judgeToken(world, claims, text, AUDIENCES, moment);
  const known = {
    ...(token && { token }),
    ...(own && { certificate: own }),
    ...(flaw !== undefined && { flaw }),
  };
  const hasAny = flaw !== undefined || own !== undefined || token !== undefined;
  const hasInvalid = flaw !== undefined || (token !== undefined && !token.valid.certain);
  if (own) return { users: [own], mayReject: false, hasInvalid, hasAny, ...known };
  const users = token?.valid.possible && token.user ? [authenticated(token.user)] : [];
  if (token?.valid.certain) return { users, mayReject: false, hasInvalid, hasAny, ...known };
  if (token || flaw !== undefined) return { users, mayReject: true, hasInvalid, hasAny, ...known };
  const isOpen = typeof anonymous === 'boolean' ? anonymous : anonymous.paths.includes(path);
  return { users: isOpen ? [ANONYMOUS] : [], mayReject: !isOpen, hasInvalid, hasAny, ...known };
}

/** Returns why a certificate is invalid. */
function flawOf(certificate: ClientCertificate, nowMs: number): string | undefined {
  const { commonName, uids } = certificate;
  const flaw = certificate.verify(nowMs);
  if (flaw !== undefined || commonName === '') return flaw;
  if (uids.length > 1) return 'several UIDs';
  return uids[0] === '' ? 'an empty UID' : undefined;
}

/** Adds the group of the authenticated users. */
export function authenticated(user: User): User {
  const groups = new Set(user.groups);
  const settled =
    user.name === ANONYMOUS.name ||
    groups.has('system:authenticated') ||
    groups.has('system:unauthenticated');
  return settled ? user : { ...user, groups: [...user.groups, 'system:authenticated'] };
}

/** Returns the user whom a request acts as. */
export function actedAs({ user, uid, groups, extra }: Impersonation): User {
  const account = accountIn(user);
  const own =
    account && groups.length === 0
      ? ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`]
      : [...groups];
  const wanted =
    user === ANONYMOUS.name ? ['system:unauthenticated'] : ['system:authenticated', 'system:unauthenticated'];
  return {
    name: user,
    ...(uid && { uid }),
    groups: wanted.some((group) => own.includes(group)) ? own : [...own, wanted[0] as string],
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** Returns whether two users are the same, whatever the order of their groups. */
export function isSame(one: User, other: User): boolean {
  const plain = ({ name, uid, groups, extra }: User) => ({
    name,
    uid: uid || undefined,
    groups: [...groups].sort(),
    extra: Object.fromEntries(Object.entries(extra ?? {}).map(([key, values]) => [key, [...values]])),
  });
  return isDeepStrictEqual(plain(one), plain(other));
}

/** Returns the service account of a user name; undefined for other names. */
export function accountIn(user: string): { readonly namespace: string; readonly name: string } | undefined {
  const [system, kind, namespace, name, ...rest] = user.split(':');
  const isAccount = system === 'system' && kind === 'serviceaccount' && rest.length === 0;
  return isAccount && namespace && name ? { namespace, name } : undefined;
}

/** Returns the rights that an impersonation needs. */
export function impersonationRights({ user, uid, groups, extra }: Impersonation) {
  const right = (fields: Partial<Question>) => resourceRequest({ verb: 'impersonate', ...fields });
  const account = accountIn(user);
  const group = 'authentication.k8s.io';
  return [
    account ? right({ resource: 'serviceaccounts', ...account }) : right({ resource: 'users', name: user }),
    ...groups.map((each) => right({ resource: 'groups', name: each })),
    ...(uid ? [right({ apiGroup: group, resource: 'uids', name: uid })] : []),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((each) => right({ apiGroup: group, resource: 'userextras', subresource: key, name: each })),
    ),
  ];
}
