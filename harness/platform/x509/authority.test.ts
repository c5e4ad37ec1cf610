import { createPublicKey, X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { CertificateAuthority, certificatePem } from './authority.ts';
import { parseCertificate } from './certificate.ts';
import { authority, leaf, nowMs } from './certificates.fixture.ts';
import { PURPOSE } from './extensions.ts';
import { commonNameOf, ORGANIZATION, valuesOfType } from './name.ts';
import { PrivateKey } from './private-key.ts';

const key = PrivateKey.random();

describe('An authority', () => {
  test('issues certificates that OpenSSL reads as they are meant', () => {
    const alternativeNames = {
      dns: ['localhost'],
      email: ['jane@example.com'],
      ip: [Buffer.from([127, 0, 0, 1])],
      uri: ['spiffe://a'],
    };
    const purposes = [PURPOSE.clientAuth, PURPOSE.serverAuth];
    const der = leaf({ publicKey: key.publicKey, serial: 0xffn, purposes, alternativeNames });
    const read = new X509Certificate(der);
    const root = new X509Certificate(authority.pem);
    expect(read.subject).toBe('O=dev + O=ops\nCN=jane');
    expect([read.serialNumber, read.ca, root.ca]).toEqual(['FF', false, true]);
    expect(read.subjectAltName).toBe(
      'DNS:localhost, email:jane@example.com, IP Address:127.0.0.1, URI:spiffe://a',
    );
    expect(read.keyUsage).toEqual([PURPOSE.clientAuth, PURPOSE.serverAuth]);
    expect([read.validFrom, read.validTo].map((time) => Date.parse(time))).toEqual([
      nowMs - 60_000,
      nowMs + 60_000,
    ]);
    expect(read.checkIssued(root)).toBe(true);
    expect(read.verify(root.publicKey)).toBe(true);
    expect(root.verify(root.publicKey)).toBe(true);
  });

  test('issues certificates that it can parse', () => {
    const parsed = parseCertificate(leaf({ publicKey: key.publicKey, serial: 1n << 127n }));
    expect([parsed.version, parsed.serial]).toEqual([3, 1n << 127n]);
    expect(commonNameOf(parsed.subject)).toBe('jane');
    expect(valuesOfType(parsed.subject, ORGANIZATION)).toEqual(['dev', 'ops']);
    expect(parsed.issuer.der).toEqual(authority.certificate.subject.der);
    expect(parsed.extensions).toEqual({
      keyUsage: ['digitalSignature', 'keyEncipherment'],
      purposes: [PURPOSE.clientAuth],
      basicConstraints: { isCa: false },
      authorityKeyId: authority.certificate.extensions.subjectKeyId,
    });
    expect(parsed.publicKey).toEqual(key.publicKey);
  });

  test.each([Date.UTC(1999, 11, 31, 23, 59, 59), Date.UTC(2049, 11, 31), Date.UTC(2050, 0, 1)])(
    'writes the time %d as it was',
    (notAfterMs) => {
      expect(parseCertificate(leaf({ notAfterMs })).notAfterMs).toBe(notAfterMs);
    },
  );

  test('signs the same content with the same signature', () => {
    expect(leaf({ publicKey: key.publicKey })).toEqual(leaf({ publicKey: key.publicKey }));
  });

  test('is restored from its files', () => {
    const restored = CertificateAuthority.fromPem({ certificate: authority.pem, key: authority.key.pem });
    expect(restored.pem).toBe(authority.pem);
    expect(restored.key.publicKey).toEqual(authority.key.publicKey);
    const other = { certificate: authority.pem, key: key.pem };
    expect(() => CertificateAuthority.fromPem(other)).toThrow('the key is not that of the certificate');
    expect(() => CertificateAuthority.fromPem({ certificate: '', key: '' })).toThrow('it has no CERTIFICATE');
  });
});

describe('A private key', () => {
  test('is the same for OpenSSL', () => {
    const spki = createPublicKey(key.pem).export({ format: 'der', type: 'spki' });
    expect(key.publicKey).toEqual(spki);
  });

  test('is restored from its file, and from no other', () => {
    expect(PrivateKey.fromPem(key.pem).publicKey).toEqual(key.publicKey);
    expect(() => PrivateKey.fromPem(certificatePem(leaf()))).toThrow('it is not an EC PRIVATE KEY');
  });
});
