import { describe, expect, test } from 'vitest';
import type { ClientCertificate } from '#given/13-access';
import { userOfCertificate } from '#kata/13-access/access';

const NOW = Date.parse('2026-03-01T12:00:00Z');

const certificate = (fields: Partial<ClientCertificate> = {}): ClientCertificate => ({
  commonName: 'jane',
  organizations: ['dev', 'ops'],
  uids: [],
  fingerprint: 'ab12',
  verify: () => undefined,
  ...fields,
});

describe('Level 1 · Certificates', () => {
  test('name the user in CN, and its groups in O', () => {
    expect(
      userOfCertificate(certificate(), NOW),
      'CN=jane, O=dev, O=ops is the user jane in the groups dev and ops; extra contains the id of the credential',
    ).toEqual({
      user: {
        name: 'jane',
        groups: ['dev', 'ops'],
        extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=ab12'] },
      },
    });
  });

  test('are verified at the time of the request', () => {
    const expired = 'x509: certificate has expired or is not yet valid';
    const times: number[] = [];
    const verify = (nowMs: number): string => {
      times.push(nowMs);
      return expired;
    };
    expect(
      userOfCertificate(certificate({ verify }), NOW),
      'a certificate that is not valid now is rejected, with the reason of verify',
    ).toEqual({ rejected: [expired] });
    expect(times, 'verify gets the current time in milliseconds').toEqual([NOW]);
  });

  test('without a name give no opinion', () => {
    expect(
      userOfCertificate(certificate({ commonName: '' }), NOW),
      'a valid certificate without a CN names nobody: undefined, no rejection',
    ).toBeUndefined();
    expect(userOfCertificate(undefined, NOW), 'no certificate, no opinion').toBeUndefined();
  });

  test('without a name are rejected if they are not valid', () => {
    const unknown = 'x509: certificate signed by unknown authority';
    expect(
      userOfCertificate(certificate({ commonName: '', verify: () => unknown }), NOW),
      'verification comes before the name',
    ).toEqual({ rejected: [unknown] });
  });

  test('can contain a uid, but only one', () => {
    const of = (...uids: readonly string[]): unknown => userOfCertificate(certificate({ uids }), NOW);
    expect(of('u-1'), 'the uid of the subject is the uid of the user').toMatchObject({
      user: { name: 'jane', uid: 'u-1' },
    });
    expect(of('u-1', 'u-2'), 'two uids are rejected').toEqual({
      rejected: ['expected 1 UID, but found multiple: [u-1 u-2]'],
    });
    expect(of(''), 'an empty uid is rejected').toEqual({ rejected: ['UID cannot be an empty string'] });
  });
});
