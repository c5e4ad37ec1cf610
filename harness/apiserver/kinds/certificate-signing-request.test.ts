import { describe, expect, test } from 'vitest';
import { certificateSigningRequest as csr } from './certificate-signing-request.ts';
import { refused, refusedStatus, sampleOf } from './declared.fixture.ts';

describe('CertificateSigningRequest', () => {
  test('notes who asks, whatever it says itself, and nothing else of it changes', () => {
    const created = csr.prepareForCreate(sampleOf(csr, { 'spec.username': 'root' }), 'jane');
    expect(created.spec).toMatchObject({ username: 'jane', groups: ['system:authenticated'] });
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
  ])('refuses %j', (changes, why) => {
    expect(refused(csr, changes)).toEqual([why]);
  });

  test('refuses usages that nobody knows', () => {
    expect(refused(csr, { 'spec.usages': ['fun'] })).toEqual([
      expect.stringMatching(
        /^spec\.usages\[0\]: Unsupported value: "fun": supported values: "any", "cert sign", /,
      ),
    ]);
  });

  test('is not approved by whoever writes its status, and what has failed has failed', () => {
    const approved = [{ type: 'Approved', status: 'True' }];
    expect(refusedStatus(csr, { 'status.conditions': approved })).toEqual([
      'status.conditions: Forbidden: updates may not remove a condition of type "Failed"',
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ]);
    const of = { 'status.conditions': approved };
    expect(refusedStatus(csr, { 'status.certificate': 'YQ==' }, of)).toEqual([]);
    expect(
      refusedStatus(csr, { 'status.certificate': 'YQ==' }, { ...of, 'status.certificate': 'Yg==' }),
    ).toEqual(['status.certificate: Forbidden: updates may not modify existing certificate content']);
  });

  test('can be selected by who is to sign it', () => {
    expect(csr.selectableFields(sampleOf(csr))).toEqual({
      'spec.signerName': 'kubernetes.io/kube-apiserver-client',
    });
  });
});
