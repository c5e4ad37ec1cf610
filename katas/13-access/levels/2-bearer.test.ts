import { describe, expect, test } from 'vitest';
import type { TokenAuthentication, TokenClaims } from '#given/13-access';
import { bearerOf, userOfToken } from '#kata/13-access/access';
import { user } from './objects.fixture.ts';

describe('Level 2 · Bearer tokens', () => {
  test.each([
    ['Bearer t1', 't1'],
    ['bEARER t1', 't1'],
    ['  Bearer t1  ', 't1'],
    ['Bearer t1 more', 't1'],
    ['Bearer  t1', undefined],
    ['Bearer ', undefined],
    ['Bearer', undefined],
    ['Bearert1', undefined],
    ['Basic dDox', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('stand in the header after the scheme: %j', (header, token) => {
    expect(
      bearerOf(header),
      'spaces around the header do not count; the scheme in any case; the token is the word after one space',
    ).toBe(token);
  });

  const bob = user('bob', 'dev');
  const claims = { jti: 'id' } as TokenClaims;

  /** Reads a token: the file has t1, and the cluster's tokens are t2 (signed), t3 (forged) and t4 (of another issuer). */
  const of = (
    token: string,
    {
      audiences = ['api'],
      accepted = ['api'],
    }: { readonly audiences?: readonly string[]; readonly accepted?: readonly string[] } = {},
  ): TokenAuthentication =>
    userOfToken(token, audiences, {
      configuration: {
        staticTokens: new Map([['t1', bob]]),
        audiences: accepted,
        verifyToken: (text) =>
          text === 't2' ? { claims } : text === 't3' ? { error: 'invalid signature' } : { foreign: true },
      },
      userOfClaims: (given) =>
        given === claims
          ? { user: user('build'), audiences: ['api'] }
          : { rejected: ['these are not the claims of the token'] },
    });

  test('from the file name a user', () => {
    expect(of('t1'), 'the user of the file, and the audience').toEqual({ user: bob, audiences: ['api'] });
  });

  test('of this cluster have claims, which name the user', () => {
    expect(of('t2'), 'the result of userOfClaims').toEqual({ user: user('build'), audiences: ['api'] });
  });

  test('with an invalid signature are rejected', () => {
    expect(of('t3'), 'the error of verifyToken').toEqual({ rejected: ['invalid signature'] });
  });

  test('that nobody knows are rejected', () => {
    expect(of('t4'), 'neither the file nor this cluster knows the token').toEqual({
      rejected: ['invalid bearer token'],
    });
  });

  test('from the file are for the audiences of this apiserver', () => {
    expect(of('t1', { audiences: ['vault'] }), 'the vault is not this apiserver').toEqual({
      rejected: ['invalid bearer token'],
    });
    expect(
      of('t1', { audiences: ['vault', 'api'], accepted: ['api', 'other'] }),
      'the audiences in both lists',
    ).toEqual({ user: bob, audiences: ['api'] });
  });
});
