import { describe, expect, test } from 'vitest';
import { certificateSigningRequest as csr } from './certificate-signing-request.ts';
import { refused, refusedStatus, sampleOf } from './declared.fixture.ts';

const pem = (type: string, bytes: Buffer): string =>
  `-----BEGIN ${type}-----\n${bytes.toString('base64')}\n-----END ${type}-----\n`;

/** A certificate of some authority, valid for a hundred years. */
const CERTIFICATE = Buffer.from(
  [
    'MIIBLjCB4aADAgECAhRHExLr3wBi1WfM34wfImeI0sSYETAFBgMrZXAwDDEKMAgGA1UEAwwBYTAgFw0yNjExMjcxNTA2NDRa',
    'GA8yMTI2MTEwMzE1MDY0NFowDDEKMAgGA1UEAwwBYTAqMAUGAytlcAMhAPdYZg5evE3SATEpKUff3k/HJQhY41zYHtj4rF20',
    'B8udo1MwUTAdBgNVHQ4EFgQU6B8mSeEwpUP8gFjyUD3S/YOqdhQwHwYDVR0jBBgwFoAU6B8mSeEwpUP8gFjyUD3S/YOqdhQw',
    'DwYDVR0TAQH/BAUwAwEB/zAFBgMrZXADQQB/0hxKe8outcRjOFGZOGBPzaP5MaBVIqKIadDq1zJVH3sXqwZBsoVTgJ4+8Gys',
    'npyTStHsKYAU/SzEIU5ow1IG',
  ].join(''),
  'base64',
);

describe('CertificateSigningRequest', () => {
  test('records the user of the request, whatever the object claims, and never changes otherwise', () => {
    const jane = { name: 'jane', uid: '7', groups: ['dev', 'system:authenticated'], extra: { team: ['a'] } };
    const created = csr.prepareForCreate(sampleOf(csr, { 'spec.username': 'root' }), jane);
    const recorded = { username: 'jane', uid: '7', groups: jane.groups, extra: jane.extra };
    expect(created.spec).toMatchObject(recorded);
    const changed = { ...created, spec: { ...created.spec, username: 'root' } };
    expect(csr.prepareForUpdate(changed, created)).toEqual(created);
  });

  test.each([
    [
      { 'spec.request': 'aGVsbG8=' },
      'spec.request: Invalid value: "aGVsbG8=": PEM block type must be CERTIFICATE REQUEST',
    ],
    [{ 'spec.usages': undefined }, 'spec.usages: Required value'],
    [{ 'spec.usages': ['client auth', 'client auth'] }, 'spec.usages[1]: Duplicate value: "client auth"'],
    [
      { 'spec.signerName': 'kubernetes.io/legacy-unknown' },
      'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
    ],
    [
      { 'spec.signerName': 'me' },
      'spec.signerName: Invalid value: "me": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
    ],
    [
      { 'spec.signerName': 'me/too' },
      'spec.signerName: Invalid value: "me": should be a domain with at least two segments separated by dots',
    ],
    [
      { 'spec.expirationSeconds': 5 },
      'spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 600 seconds (10 minutes)',
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(csr, changes)).toEqual([why]);
  });

  test('rejects unknown usages', () => {
    expect(refused(csr, { 'spec.usages': ['fun'] })).toEqual([
      expect.stringMatching(
        /^spec\.usages\[0\]: Unsupported value: "fun": supported values: "any", "cert sign", /,
      ),
    ]);
  });

  test('explains why a request cannot be decoded or verified', () => {
    const { request } = sampleOf(csr).spec;
    const der = Buffer.from(request, 'base64').toString().split('\n').slice(1, -1).join('');
    const forged = Buffer.from(der, 'base64');
    forged.writeUInt8((forged.at(-1) ?? 0) ^ 1, forged.length - 1);
    const asked = Buffer.from(pem('CERTIFICATE REQUEST', forged)).toString('base64');
    expect(refused(csr, { 'spec.request': asked })).toEqual([
      `spec.request: Invalid value: "${asked}": x509: Ed25519 verification failure`,
    ]);
  });

  test('is not approved by a status write, and keeps its Failed condition', () => {
    const approved = [{ type: 'Approved', status: 'True' }];
    expect(refusedStatus(csr, { 'status.conditions': approved })).toEqual([
      'status.conditions: Forbidden: updates may not remove a condition of type "Failed"',
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ]);
  });

  test('accepts a certificate once', () => {
    const chain = (length: number) =>
      Buffer.from(pem('CERTIFICATE', CERTIFICATE).repeat(length)).toString('base64');
    const [first, second] = [chain(1), chain(2)];
    const inOneBlock = pem('CERTIFICATE', Buffer.concat([CERTIFICATE, CERTIFICATE]));
    expect(refusedStatus(csr, { 'status.certificate': first })).toEqual([]);
    expect(refusedStatus(csr, { 'status.certificate': Buffer.from(inOneBlock).toString('base64') })).toEqual(
      [],
    );
    expect(refusedStatus(csr, { 'status.certificate': second }, { 'status.certificate': first })).toEqual([
      'status.certificate: Forbidden: updates may not modify existing certificate content',
    ]);
  });

  test.each([
    [
      '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n',
      'found CERTIFICATE PEM block containing 0 certificates',
    ],
    ['hello', 'must contain at least one CERTIFICATE PEM block'],
    [pem('CERTIFICATE', Buffer.from('hello')), 'x509: malformed certificate'],
    [pem('CERTIFICATE', Buffer.concat([CERTIFICATE, Buffer.from('hello')])), 'x509: malformed certificate'],
    [pem('KEY', Buffer.from('hello')), 'only CERTIFICATE PEM blocks are allowed, found "KEY"'],
    [
      '-----BEGIN CERTIFICATE-----\nName: a\n\naGVsbG8h\n-----END CERTIFICATE-----\n',
      'no PEM block headers are permitted',
    ],
  ])('rejects the certificate %j', (text, why) => {
    const certificate = Buffer.from(text).toString('base64');
    expect(refusedStatus(csr, { 'status.certificate': certificate })).toEqual([
      `status.certificate: Invalid value: "<certificate data>": ${why}`,
    ]);
  });

  test('can be selected by its signer', () => {
    expect(csr.selectableFields(sampleOf(csr))).toEqual({
      'spec.signerName': 'kubernetes.io/kube-apiserver-client',
    });
  });
});
