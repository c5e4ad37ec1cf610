import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/objects.ts';
import type { LegacyTokenClaims } from '../../contracts/access/index.ts';
import { ServiceAccountTokens } from '../service-account-tokens.ts';
import { verifyToken } from './legacy-tokens.ts';

const tokens = new ServiceAccountTokens('key');

const claims: LegacyTokenClaims = {
  iss: 'kubernetes/serviceaccount',
  sub: 'system:serviceaccount:team:web',
  'kubernetes.io/serviceaccount/namespace': 'team',
  'kubernetes.io/serviceaccount/secret.name': 'key',
  'kubernetes.io/serviceaccount/service-account.name': 'web',
  'kubernetes.io/serviceaccount/service-account.uid': '7',
};
const token = tokens.signLegacy(claims);
const stored = (metadata: object = {}, data: string = token) => ({
  metadata,
  data: { token: Buffer.from(data).toString('base64') },
});

/** Verifies a token in a cluster with these objects. */
function verified({ secret, account, text = token }: { secret?: object; account?: object; text?: string }) {
  return verifyToken(
    tokens,
    text,
    <T extends KubeObject>({ plural }: { readonly plural: string }) =>
      (plural === 'secrets' ? secret : account) as T | undefined,
  );
}

const account = { metadata: { uid: '7' } };

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/serviceaccount/legacy.go legacyValidator.Validate
describe('A token in a Secret', () => {
  test('has the user of its account, and no end', () => {
    expect(verified({ secret: stored(), account })).toMatchObject({
      claims: {
        sub: claims.sub,
        exp: Number.MAX_SAFE_INTEGER,
        'kubernetes.io': { namespace: 'team', serviceaccount: { name: 'web', uid: '7' } },
      },
    });
  });

  test.each([
    ['without its Secret', undefined, account, 'Token has been invalidated'],
    ['whose Secret is deleted', stored({ deletionTimestamp: 'now' }), account, 'Token has been invalidated'],
    ['that its Secret no longer holds', stored({}, 'other'), account, "Token does not match server's copy"],
    ['without its account', stored(), undefined, 'serviceaccounts "web" not found'],
    [
      'whose account is deleted',
      stored(),
      { metadata: { uid: '7', deletionTimestamp: 'now' } },
      'ServiceAccount team/web has been deleted',
    ],
    [
      'of an earlier account',
      stored(),
      { metadata: { uid: '8' } },
      'ServiceAccount UID (8) does not match claim (7)',
    ],
    [
      'that is marked as invalid',
      stored({ labels: { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01' } }),
      account,
      "the token in secret team/key for service account team/web has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the 'kubernetes.io/legacy-token-invalid-since' label from the secret to temporarily allow use of this token",
    ],
  ])('%s is rejected', (_, secret, found, error) => {
    expect(verified({ ...(secret && { secret }), ...(found && { account: found }) })).toEqual({ error });
  });

  test('whose subject is another account is rejected', () => {
    const text = tokens.signLegacy({ ...claims, sub: 'system:serviceaccount:team:root' });
    expect(verified({ secret: stored({}, text), account, text })).toEqual({ error: 'sub claim is invalid' });
  });

  test('with another signature is rejected', () => {
    const text = new ServiceAccountTokens('another').signLegacy(claims);
    expect(verified({ secret: stored({}, text), account, text })).toEqual({ error: 'invalid signature' });
  });
});
