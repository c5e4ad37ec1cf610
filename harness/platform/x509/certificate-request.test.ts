import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkRequest, parseCertificateRequest } from './certificate-request.ts';
import { ORGANIZATION, valuesOfType } from './name.ts';

const bytes = (...parts: readonly (Buffer | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part)));

/** Encodes a value in DER. */
function der(tag: number, ...content: readonly (Buffer | number)[]): Buffer {
  const whole = bytes(...content);
  const { length } = whole;
  if (length < 0x80) return bytes(tag, length, whole);
  return length < 0x100
    ? bytes(tag, 0x81, length, whole)
    : bytes(tag, 0x82, length >> 8, length & 255, whole);
}

const sequence = (...content: readonly Buffer[]): Buffer => der(0x30, ...content);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const NULL = der(0x05);

const pem = (block: Buffer, type = 'CERTIFICATE REQUEST'): string =>
  `-----BEGIN ${type}-----\n${block.toString('base64')}\n-----END ${type}-----\n`;

/** A request of a team; `signature` signs its content. */
function request(publicKey: KeyObject, algorithm: Buffer, signature: (signed: Buffer) => Buffer): Buffer {
  const organization = sequence(identifier('55040a'), der(0x0c, Buffer.from('team')));
  const info = sequence(
    der(0x02, 0),
    sequence(der(0x31, organization)),
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa0),
  );
  return sequence(info, algorithm, der(0x03, 0, signature(info)));
}

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');

const ECDSA_SHA256 = sequence(identifier('2a8648ce3d040302'));
const ED25519 = sequence(identifier('2b6570'));
const RSA_SHA256 = sequence(identifier('2a864886f70d01010b'), NULL);
const SHA512 = sequence(identifier('608648016503040203'), NULL);
const RSA_PSS = sequence(
  identifier('2a864886f70d01010a'),
  sequence(
    der(0xa0, SHA512),
    der(0xa1, sequence(identifier('2a864886f70d010108'), SHA512)),
    der(0xa2, der(0x02, 64)),
  ),
);

const ecRequest = request(ec.publicKey, ECDSA_SHA256, (signed) => sign('sha256', signed, ec.privateKey));

describe('A certificate request', () => {
  test('reports the organizations of its subject', () => {
    expect(valuesOfType(parseCertificateRequest(pem(ecRequest)).subject, ORGANIZATION)).toEqual(['team']);
  });

  const pss = { key: rsa.privateKey, padding: 6, saltLength: 64 };
  test.each([
    ['ECDSA', ecRequest],
    ['Ed25519', request(ed25519.publicKey, ED25519, (signed) => sign(null, signed, ed25519.privateKey))],
    ['RSA', request(rsa.publicKey, RSA_SHA256, (signed) => sign('sha256', signed, rsa.privateKey))],
    ['RSA-PSS', request(rsa.publicKey, RSA_PSS, (signed) => sign('sha512', signed, pss))],
  ])('verifies a signature made with %s', (_, block) => {
    expect(() => checkRequest(parseCertificateRequest(pem(block)))).not.toThrow();
  });

  test.each([
    [
      'ECDSA',
      request(ec.publicKey, ECDSA_SHA256, (signed) => sign('sha256', bytes(signed, 0), ec.privateKey)),
      'x509: ECDSA verification failure',
    ],
    [
      'Ed25519',
      request(ed25519.publicKey, ED25519, () => Buffer.alloc(64)),
      'x509: Ed25519 verification failure',
    ],
    ['RSA', request(rsa.publicKey, RSA_SHA256, () => Buffer.alloc(256)), 'crypto/rsa: verification error'],
    [
      'ECDSA, with what is no signature',
      request(ec.publicKey, ECDSA_SHA256, () => Buffer.alloc(8)),
      'x509: ECDSA verification failure',
    ],
    [
      'a key of another type',
      request(rsa.publicKey, ECDSA_SHA256, (signed) => sign('sha256', signed, ec.privateKey)),
      'x509: signature algorithm specifies an ECDSA public key, but have public key of type *rsa.PublicKey',
    ],
    [
      'an unknown algorithm',
      request(ec.publicKey, sequence(identifier('2a03')), () => Buffer.alloc(8)),
      'x509: cannot verify signature: algorithm unimplemented',
    ],
  ])('rejects a wrong signature: %s', (_, block, why) => {
    expect(() => checkRequest(parseCertificateRequest(pem(block)))).toThrow(why);
  });

  test.each([
    ['no PEM file', 'hello', 'PEM block type must be CERTIFICATE REQUEST'],
    ['of another type', pem(ecRequest, 'CERTIFICATE'), 'PEM block type must be CERTIFICATE REQUEST'],
    ['cut off', pem(ecRequest.subarray(0, 40)), 'asn1: syntax error: data truncated'],
    ['empty', pem(Buffer.alloc(0)), 'asn1: syntax error: data truncated'],
    ['followed by more', pem(bytes(ecRequest, NULL)), 'asn1: syntax error: trailing data'],
    ['another structure', pem(sequence(NULL)), "asn1: structure error: tags don't match"],
    ['not in DER', pem(Buffer.from('3080', 'hex')), 'asn1: syntax error: indefinite length found (not DER)'],
    ['not minimal', pem(Buffer.from('30810100', 'hex')), 'asn1: structure error: non-minimal length'],
  ])('rejects an unreadable request: %s', (_, text, why) => {
    expect(() => parseCertificateRequest(text)).toThrow(new RangeError(why));
  });

  test('is the first block of its file, whatever surrounds it', () => {
    const broken = '-----BEGIN JUNK-----\n*\n-----END JUNK-----\n';
    const file = `Certificate Request:\n${broken}${pem(ecRequest)}${pem(ecRequest, 'KEY')}`;
    const { subject } = parseCertificateRequest(file.replaceAll('\n', '\r\n'));
    expect(valuesOfType(subject, ORGANIZATION)).toEqual(['team']);
  });
});
