import { createHash } from '#platform/hash';
import {
  encode,
  encodeBits,
  encodeInteger,
  encodeObjectIdentifier,
  encodeSequence,
  fieldTag,
  TAG,
} from '../der.ts';
import { type Certificate, parseCertificate } from './certificate.ts';
import {
  type AlternativeNames,
  EXTENSION,
  encodeAlternativeNames,
  KEY_USAGES,
  type KeyUsage,
} from './extensions.ts';
import { type Attribute, encodeName } from './name.ts';
import { pemBlocks, pemOf } from './pem.ts';
import { PrivateKey } from './private-key.ts';

/** The content of a new certificate. */
export interface Template {
  readonly subject: readonly Attribute[];
  /** A SubjectPublicKeyInfo, in DER. */
  readonly publicKey: Buffer;
  /** A number that the authority has not used before. */
  readonly serial: bigint;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** The allowed uses of the key. */
  readonly usages: readonly KeyUsage[];
  /** The purposes, as object identifiers. */
  readonly purposes: readonly string[];
  readonly alternativeNames?: AlternativeNames;
}

const ECDSA_SHA256 = encodeSequence(encodeObjectIdentifier('1.2.840.10045.4.3.2'));

/**
 * A certificate authority: a certificate and its key.
 *
 * Upstream: CreateCertificate in Go's standard library, crypto/x509
 */
export class CertificateAuthority {
  readonly certificate: Certificate;
  readonly key: PrivateKey;

  private constructor(certificate: Certificate, key: PrivateKey) {
    this.certificate = certificate;
    this.key = key;
  }

  /** Creates an authority whose certificate it has signed itself. */
  static create(
    template: Omit<Template, 'publicKey' | 'usages' | 'purposes'>,
    key: PrivateKey,
  ): CertificateAuthority {
    const { publicKey } = key;
    const name = encodeName(template.subject);
    const der = signed(
      { ...template, publicKey, usages: ['digitalSignature', 'keyEncipherment', 'certSign'], purposes: [] },
      { name, key, keyId: keyIdOf(publicKey), isCa: true },
    );
    return new CertificateAuthority(parseCertificate(der), key);
  }

  /** @param pem - the certificate and the key, as files hold them */
  static fromPem(pem: { readonly certificate: string; readonly key: string }): CertificateAuthority {
    const [block] = pemBlocks(pem.certificate);
    if (block?.type !== 'CERTIFICATE') throw new RangeError('it has no CERTIFICATE');
    const certificate = parseCertificate(block.bytes);
    const key = PrivateKey.fromPem(pem.key);
    if (!key.publicKey.equals(certificate.publicKey)) {
      throw new RangeError('the key is not that of the certificate');
    }
    return new CertificateAuthority(certificate, key);
  }

  get pem(): string {
    return certificatePem(this.certificate.der);
  }

  /** Issues a certificate. @returns the certificate, in DER */
  issue(template: Template): Buffer {
    const { subject, extensions, publicKey } = this.certificate;
    const keyId = extensions.subjectKeyId ?? keyIdOf(publicKey);
    return signed(template, { name: subject.der, key: this.key, keyId, isCa: false });
  }
}

export const certificatePem = (der: Buffer): string => pemOf('CERTIFICATE', der);

/** Returns the identifier of a key: the start of its hash. */
const keyIdOf = (publicKey: Buffer): Buffer =>
  Buffer.from(createHash('sha256').update(publicKey).digest()).subarray(0, KEY_ID_BYTES);

const KEY_ID_BYTES = 20;

interface Issuer {
  readonly name: Buffer;
  readonly key: PrivateKey;
  readonly keyId: Buffer;
  /** Whether the certificate is the issuer's own. */
  readonly isCa: boolean;
}

function signed(template: Template, issuer: Issuer): Buffer {
  const { serial, publicKey, notBeforeMs, notAfterMs } = template;
  const content = encodeSequence(
    encode(fieldTag(0), encodeInteger(2n)),
    encodeInteger(serial),
    ECDSA_SHA256,
    issuer.name,
    encodeSequence(encodeTime(notBeforeMs), encodeTime(notAfterMs)),
    encodeName(template.subject),
    publicKey,
    encode(fieldTag(3), encodeSequence(...extensions(template, issuer))),
  );
  return encodeSequence(content, ECDSA_SHA256, encodeBits(issuer.key.sign(content)));
}

/** The extensions, in the order of Go. */
function extensions(template: Template, { isCa, keyId }: Issuer): readonly Buffer[] {
  const { usages, purposes, alternativeNames, subject } = template;
  const names = alternativeNames ? encodeAlternativeNames(alternativeNames) : [];
  const all: Buffer[] = [];
  if (usages.length > 0) all.push(extension(EXTENSION.keyUsage, encodeUsages(usages), true));
  if (purposes.length > 0) {
    all.push(extension(EXTENSION.purposes, encodeSequence(...purposes.map(encodeObjectIdentifier))));
  }
  const constraints = isCa ? [encode(TAG.boolean, TRUE)] : [];
  all.push(extension(EXTENSION.basicConstraints, encodeSequence(...constraints), true));
  all.push(
    isCa
      ? extension(EXTENSION.subjectKeyId, encode(TAG.octetString, keyId))
      : extension(EXTENSION.authorityKeyId, encodeSequence(encode(fieldTag(0, 'primitive'), keyId))),
  );
  if (names.length > 0) {
    all.push(extension(EXTENSION.alternativeNames, encodeSequence(...names), subject.length === 0));
  }
  return all;
}

const TRUE = Buffer.from([0xff]);

function extension(type: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [encode(TAG.boolean, TRUE)] : [];
  return encodeSequence(encodeObjectIdentifier(type), ...critical, encode(TAG.octetString, value));
}

/** Encodes a list of bits without its last zeros, as DER requires. */
function encodeUsages(usages: readonly KeyUsage[]): Buffer {
  const bits = usages.map((usage) => KEY_USAGES.indexOf(usage));
  const last = Math.max(...bits);
  const bytes = Buffer.alloc((last >> 3) + 1);
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return encode(TAG.bitString, Buffer.from([7 - (last & 7)]), bytes);
}

/** Encodes a time, in whole seconds. RFC 5280, 4.1.2.5 */
function encodeTime(ms: number): Buffer {
  const text = `${new Date(ms).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  const isShort = text < '2050';
  return encode(isShort ? TAG.utcTime : TAG.generalizedTime, Buffer.from(isShort ? text.slice(2) : text));
}
