import { describe, expect, test } from 'vitest';
import type { Authentication, User } from '#given/13-access';
import { named, ruleFor, vectors } from '#harness/testing';
import { authenticate, bearerOf, userOfCertificate, withSystemGroups } from '#kata/13-access/access';
import { user } from './objects.fixture.ts';

describe('Level 4 · In order', () => {
  test('a user with valid credentials is in system:authenticated, too', () => {
    const jane = Object.freeze(user('jane', 'dev'));
    expect(withSystemGroups(jane).groups, 'the group is appended').toEqual(['dev', 'system:authenticated']);
    expect(jane.groups, 'the user itself may be shared: it is not changed').toEqual(['dev']);
  });

  test('a user who is anonymous, or in one of the two groups already, stays unchanged', () => {
    for (const settled of [
      user('system:anonymous'),
      user('jane', 'system:authenticated'),
      user('jane', 'system:unauthenticated'),
    ]) {
      expect(withSystemGroups(settled), JSON.stringify(settled)).toEqual(settled);
    }
  });

  const ask = (...opinions: readonly (Authentication | undefined)[]): Authentication =>
    authenticate(
      opinions.map((opinion) => () => opinion),
      { anonymous: true, path: '/api/v1/pods' },
    );
  const jane: Authentication = { user: user('jane') };
  const bob: Authentication = { user: user('bob') };

  test('the first user counts', () => {
    expect(ask(undefined, jane, bob), 'jane comes before bob').toEqual({
      user: user('jane', 'system:authenticated'),
    });
  });

  test('authenticators after the first user stay silent', () => {
    const asked: string[] = [];
    authenticate(
      [
        () => jane,
        () => {
          asked.push('second');
          return bob;
        },
      ],
      { anonymous: true, path: '/' },
    );
    expect(asked, 'the second authenticator, after the first has found a user').toEqual([]);
  });

  test('a rejection is not the end: a later authenticator may find the user', () => {
    expect(ask({ rejected: ['expired'] }, bob), 'an expired certificate, and a valid token').toEqual({
      user: user('bob', 'system:authenticated'),
    });
  });

  test('a request without credentials is anonymous', () => {
    expect(ask(undefined, undefined), 'no authenticator has an opinion').toEqual({
      user: user('system:anonymous', 'system:unauthenticated'),
    });
  });

  test('a request with invalid credentials is not anonymous', () => {
    expect(
      ask({ rejected: ['x509: expired'] }, { rejected: ['invalid bearer token'] }),
      'a 401, with all the reasons in order',
    ).toEqual({ rejected: ['x509: expired', 'invalid bearer token'] });
    expect(ask({ rejected: [] }, undefined), 'a rejection without a reason is a rejection').toEqual({
      rejected: [],
    });
  });

  const nobody = (anonymous: boolean | { paths: string[] }, path: string): Authentication =>
    authenticate([() => undefined], { anonymous, path });

  test('anonymous requests can be off, or only for some paths', () => {
    expect(nobody(false, '/healthz'), 'anonymous is off: rejected, without a reason').toEqual({
      rejected: [],
    });
    const healthz = { paths: ['/healthz'] };
    expect(nobody(healthz, '/healthz'), 'this path').toMatchObject({ user: { name: 'system:anonymous' } });
    expect(nobody(healthz, '/healthz/x'), 'a path below it is another path').toEqual({ rejected: [] });
  });

  interface Row {
    readonly certificate?: { readonly cn: string; readonly o?: readonly string[]; readonly verdict: string };
    readonly authorization?: string;
    readonly tokens?: Readonly<
      Record<string, { readonly user: string; readonly groups?: readonly string[] }>
    >;
    readonly anonymous?: boolean | { readonly paths: readonly string[] };
    readonly path?: string;
  }
  interface Result {
    readonly user?: string;
    readonly groups?: readonly string[];
    readonly code?: 401;
  }

  test.each(named(vectors<Row, Result>('authenticate', 'authenticate', 22)))(
    "agrees with upstream's authenticators: %s",
    (_, { input, expect: wanted }) => {
      const { certificate, authorization, tokens = {}, anonymous = true, path = '/api/v1/pods' } = input;
      const presented = certificate && {
        commonName: certificate.cn,
        organizations: certificate.o ?? [],
        uids: [],
        fingerprint: 'ab12',
        verify: () => (certificate.verdict === 'ok' ? undefined : certificate.verdict),
      };
      const token = bearerOf(authorization);
      const known = token === undefined ? undefined : tokens[token];
      const ofToken: Authentication = known
        ? { user: user(known.user, ...(known.groups ?? [])) }
        : { rejected: ['invalid bearer token'] };
      const found = authenticate(
        [() => userOfCertificate(presented, 0), () => (token === undefined ? undefined : ofToken)],
        { anonymous, path },
      );
      const rule = ruleFor('the certificate comes before the token; 401 is a rejection', input);
      if (wanted.code === 401) {
        expect(found, rule).toHaveProperty('rejected');
        return;
      }
      const { name, groups }: Partial<User> = 'user' in found ? found.user : {};
      expect({ user: name, groups }, rule).toEqual({ user: wanted.user, groups: wanted.groups });
    },
  );
});
