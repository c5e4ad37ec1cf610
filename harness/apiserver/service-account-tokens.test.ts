import { describe, expect, test } from 'vitest';
import type { TokenClaims } from '../contracts/access/index.ts';
import { ISSUER, ServiceAccountTokens } from './service-account-tokens.ts';

const claims: TokenClaims = {
  ...{ iss: ISSUER, sub: 'system:serviceaccount:default:web', aud: [ISSUER], jti: '1' },
  ...{ exp: 2, nbf: 1, iat: 1 },
  'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'web', uid: '7' } },
};
const tokens = new ServiceAccountTokens('key');
const token = tokens.sign(claims);
const [header = '', payload = '', signature = ''] = token.split('.');
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('The tokens of service accounts', () => {
  test('are verified by every apiserver with the same key', () => {
    expect(new ServiceAccountTokens('key').verify(token)).toEqual({ claims });
    expect(new ServiceAccountTokens('another').verify(token)).toEqual({ error: 'invalid signature' });
  });

  test.each([
    ['other claims', `${header}.${encoded({ ...claims, sub: 'root' })}.${signature}`],
    ['another algorithm', `${encoded({ alg: 'none' })}.${payload}.${signature}`],
    ['no signature', `${header}.${payload}.`],
  ])('with %s are forged', (_, forged) => {
    expect(tokens.verify(forged)).toEqual({ error: 'invalid signature' });
  });

  test.each([
    ['', 'no token'],
    ['secret', 'a text'],
    [`${header}.${payload}`, 'two parts'],
    [`${token}.more`, 'four parts'],
    [`${header}.${encoded({ ...claims, iss: 'https://elsewhere' })}.${signature}`, 'another issuer'],
    [`${header}.${encoded(null)}.${signature}`, 'no claims'],
    [`${header}.e30x.${signature}`, 'no JSON'],
  ])('are not the tokens of others: %s', (foreign) => {
    expect(tokens.verify(foreign)).toEqual({ foreign: true });
  });
});
