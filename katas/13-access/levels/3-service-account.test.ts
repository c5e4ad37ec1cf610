import { describe, expect, test } from 'vitest';
import type { ObjectClaim, TokenClaims } from '#given/13-access';
import { type KubeObject, type ObjectKey, type Resource, serviceAccounts } from '#harness';
import { named, ruleFor, vectors } from '#harness/testing';
import {
  brokenReference,
  finderOf,
  outsideLifetime,
  userOfServiceAccountToken,
} from '#kata/13-access/access';
import { cacheOf, stored } from './objects.fixture.ts';

const NOW = 1_000_000;

type Kubernetes = TokenClaims['kubernetes.io'];

const claims = (fields: Partial<TokenClaims> = {}, kubernetes: Partial<Kubernetes> = {}): TokenClaims => ({
  iss: 'https://k',
  sub: 'system:serviceaccount:ns:build',
  aud: ['https://k'],
  iat: NOW,
  nbf: NOW,
  exp: NOW + 3_600,
  jti: '',
  'kubernetes.io': { namespace: 'ns', serviceaccount: { name: 'build', uid: 'sa-1' }, ...kubernetes },
  ...fields,
});

const account = stored('ServiceAccount', { namespace: 'ns', name: 'build', uid: 'sa-1' });
const finding =
  (...objects: readonly KubeObject[]) =>
  (resource: Resource, key: ObjectKey): KubeObject | undefined =>
    cacheOf(...objects).get(resource, key);

/** Seconds since 1970 as an API time. */
const time = (seconds: number): string => new Date(seconds * 1_000).toISOString();

describe('Level 3 · Service account tokens', () => {
  test.each([
    ['from the start', {}, 0, undefined],
    ['until 60 s after its end', { exp: NOW - 60 }, 0, undefined],
    ['not a millisecond longer', { exp: NOW - 60 }, 1, 'service account token has expired'],
    ['from 60 s before its start', { nbf: NOW + 60 }, 0, undefined],
    ['not a millisecond earlier', { nbf: NOW + 60 }, -1, 'service account token is not valid yet'],
    ['if it is issued within 60 s', { iat: NOW + 60 }, 0, undefined],
    ['not if it is issued later', { iat: NOW + 60 }, -1, 'service account token is issued in the future'],
  ])('are valid for a time: %s', (_, times, milliseconds, reason) => {
    expect(
      outsideLifetime(claims(times), NOW * 1_000 + milliseconds),
      'the clocks of two machines may differ by 60 s, and by no more',
    ).toBe(reason);
  });

  test('work from the moment that their objects exist', () => {
    const newer = stored('ServiceAccount', { namespace: 'ns', name: 'new', uid: 'sa-2' });
    const find = finderOf({
      cache: cacheOf(account),
      read: (resource, key) => cacheOf(account, newer).get(resource, key),
    });
    const of = (name: string): unknown => find(serviceAccounts as Resource, { namespace: 'ns', name });
    expect(of('build'), 'an account in the cache').toEqual(account);
    expect(of('new'), 'an account that the cache has not observed').toEqual(newer);
    expect(of('none'), 'an account that does not exist').toBeUndefined();
  });

  const broken = (kubernetes: Partial<Kubernetes>, ...objects: readonly KubeObject[]): string | undefined =>
    brokenReference(claims({}, kubernetes), NOW * 1_000, finding(...objects));

  test('are valid while their account exists', () => {
    expect(broken({}, account), 'the account exists, and has the same uid').toBeUndefined();
    expect(broken({}), 'the account does not exist').toBe('serviceaccounts "build" not found');
    expect(
      broken({}, stored('ServiceAccount', { namespace: 'ns', name: 'build', uid: 'sa-2' })),
      'somebody has deleted the account and created another one of the same name',
    ).toBe('service account UID (sa-2) does not match claim (sa-1)');
    expect(
      broken({}, stored('ServiceAccount', { namespace: 'other', name: 'build', uid: 'sa-1' })),
      'the account of another namespace is another account',
    ).toBe('serviceaccounts "build" not found');
  });

  test('have the uid of their account in the claims', () => {
    expect(
      broken({ serviceaccount: { name: 'build' } }, account),
      'a claim without a uid fits no account',
    ).toBe('service account UID (sa-1) does not match claim ()');
    const deletionTimestamp = time(NOW - 61);
    const other = { namespace: 'ns', name: 'build', uid: 'sa-2', deletionTimestamp };
    expect(broken({}, stored('ServiceAccount', other)), 'the uid comes before the deletion').toBe(
      'service account UID (sa-2) does not match claim (sa-1)',
    );
  });

  test.each(['pod', 'secret', 'node'])('can be bound to a %s, and are valid while it exists', (kind) => {
    const kinds: Readonly<Record<string, string>> = { pod: 'Pod', secret: 'Secret', node: 'Node' };
    const bound = { [kind]: { name: 'p', uid: 'p-1' } satisfies ObjectClaim };
    const object = (metadata: Partial<KubeObject['metadata']>): KubeObject =>
      stored(kinds[kind] ?? '', { ...(kind === 'node' ? {} : { namespace: 'ns' }), name: 'p', ...metadata });
    expect(broken(bound, account, object({ uid: 'p-1' })), 'it exists, and has the same uid').toBeUndefined();
    expect(broken(bound, account), 'it does not exist').toBe('service account token has been invalidated');
    expect(broken(bound, account, object({ uid: 'p-2' })), 'it is another one of the same name').toBe(
      `${kind} UID (p-2) does not match service account ${kind} ref claim (p-1)`,
    );
    expect(
      broken({ [kind]: { name: 'p' } }, account, object({ uid: 'p-1' })),
      'a claim without a uid fits no object',
    ).toBe(`${kind} UID (p-1) does not match service account ${kind} ref claim ()`);
    const gone = (seconds: number): string | undefined =>
      broken(bound, account, object({ uid: 'p-1', deletionTimestamp: time(seconds) }));
    expect(gone(NOW + 20), 'its grace period has not ended, and its processes still work').toBeUndefined();
    expect(gone(NOW - 60), 'until 60 s after its deletionTimestamp').toBeUndefined();
    expect(gone(NOW - 61), 'more than 60 s after its deletionTimestamp').toBe(
      'service account token has been invalidated',
    );
  });

  test('of a pod contain its node only as information', () => {
    const pod = stored('Pod', { namespace: 'ns', name: 'p', uid: 'p-1' });
    expect(
      broken({ pod: { name: 'p', uid: 'p-1' }, node: { name: 'n', uid: 'gone' } }, account, pod),
      'the node does not exist, but the token is bound to the pod',
    ).toBeUndefined();
  });

  test('are for an audience, and one in common suffices', () => {
    const of = (aud: readonly string[], ...audiences: readonly string[]): unknown =>
      userOfServiceAccountToken(claims({ aud }), audiences, { nowMs: NOW * 1_000, find: finding(account) });
    expect(of(['vault'], 'https://k', 'api'), 'a token for the vault is not for this apiserver').toEqual({
      rejected: ['token audiences ["vault"] is invalid for the target audiences ["https://k" "api"]'],
    });
    expect(of(['vault', 'https://k'], 'https://k'), 'the result has the audiences in common').toMatchObject({
      audiences: ['https://k'],
    });
  });

  interface TokenRow {
    readonly claims: Omit<TokenClaims, 'kubernetes.io'> & {
      readonly account: ObjectClaim;
      readonly namespace: string;
      readonly pod?: ObjectClaim;
      readonly node?: ObjectClaim;
      readonly secret?: ObjectClaim;
    };
    readonly objects: readonly { kind: string; name: string; uid: string; deletionTimestamp?: number }[];
    readonly now: number;
    readonly issuer: string;
    readonly apiAudiences: readonly string[];
  }
  interface TokenResult {
    readonly user?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
    readonly error?: string;
    readonly noOpinion?: true;
  }
  const rows = vectors<TokenRow, TokenResult>('authenticate', 'serviceAccountToken', 21);

  // The harness itself compares the issuer, before it asks for the user of the claims.
  const ours = rows.filter((row) => row.input.claims.iss === row.input.issuer);

  test.each(named(ours))("agree with upstream's authenticator: %s", (_, { input, expect: wanted }) => {
    const { account: serviceaccount, namespace, pod, node, secret, ...times } = input.claims;
    const objects = input.objects.map(({ kind, name, uid, deletionTimestamp }) =>
      stored(kind, {
        ...(kind === 'Node' ? {} : { namespace: 'ns' }),
        name,
        uid,
        ...(deletionTimestamp === undefined ? {} : { deletionTimestamp: time(deletionTimestamp) }),
      }),
    );
    const found = userOfServiceAccountToken(
      {
        ...times,
        jti: '',
        'kubernetes.io': {
          namespace,
          serviceaccount,
          ...(pod ? { pod } : {}),
          ...(node ? { node } : {}),
          ...(secret ? { secret } : {}),
        },
      },
      input.apiAudiences,
      { nowMs: input.now * 1_000, find: finding(...objects) },
    );
    const rule = ruleFor('the user of these claims, or the reason of the rejection', input);
    if (wanted.error !== undefined) {
      expect(found, rule).toEqual({ rejected: [wanted.error] });
      return;
    }
    // The group system:authenticated follows in Level 4.
    const groups = wanted.groups?.filter((group) => group !== 'system:authenticated');
    expect(found, rule).toMatchObject({
      user: { name: wanted.user, uid: 'sa-1', groups, ...(wanted.extra ? { extra: wanted.extra } : {}) },
    });
  });
});
