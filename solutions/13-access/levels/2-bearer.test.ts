import { describe, expect, test } from 'vitest';
import type { TokenAuthentication } from '#given/13-access';
import { bearerOf, userOfStaticToken } from '#kata/13-access/access';
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
  const of = (
    token: string,
    { audiences = ['api'], accepted = ['api'] }: Readonly<Record<string, readonly string[]>> = {},
  ): TokenAuthentication | undefined =>
    userOfStaticToken(token, { staticTokens: new Map([['t1', bob]]), audiences, accepted });

  test('from the file name a user', () => {
    expect(of('t1'), 'the user of the file, and the audience').toEqual({ user: bob, audiences: ['api'] });
  });

  test('that the file does not contain give no opinion', () => {
    expect(of('t2'), 'another authenticator may know this token: undefined').toBeUndefined();
  });

  test('from the file are for this apiserver', () => {
    expect(
      of('t1', { audiences: ['vault'] }),
      'a token of this apiserver says nothing to the audience vault',
    ).toBeUndefined();
    expect(
      of('t1', { audiences: ['vault', 'api'], accepted: ['api', 'other'] }),
      'the result has the audiences that are both asked for and this apiserver',
    ).toEqual({ user: bob, audiences: ['api'] });
  });
});
