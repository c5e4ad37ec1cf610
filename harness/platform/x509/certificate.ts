import { type Der, fieldTag, integerOf, TAG, valuesOf } from '../der.ts';
import { type Extensions, extensionsOf } from './extensions.ts';
import { fieldsOf } from './fields.ts';
import { type Name, parseName } from './name.ts';
import type { Signed } from './signature.ts';

/** A certificate (X.509, RFC 5280). */
export interface Certificate extends Signed {
  readonly der: Buffer;
  /** 1, 2 or 3. Only version 3 has extensions. */
  readonly version: number;
  readonly serial: bigint;
  readonly issuer: Name;
  /** The first and the last valid moment, in ms since 1970. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly subject: Name;
  /** The SubjectPublicKeyInfo, in DER. */
  readonly publicKey: Buffer;
  readonly extensions: Extensions;
}

/** Parses a certificate. Checks only its structure. @throws RangeError */
export function parseCertificate(der: Uint8Array): Certificate {
  const [certificate, ...more] = valuesOf(Buffer.from(der));
  if (!certificate || more.length > 0) throw new RangeError('x509: malformed certificate');
  const [content, algorithm, signature] = fieldsOf(certificate, [TAG.sequence, TAG.sequence, TAG.bitString]);
  const parts = valuesOf(content.content);
  const [first] = parts;
  const isVersioned = first?.tag === fieldTag(0);
  const [number] = isVersioned ? valuesOf(first.content) : [];
  const [serial, , issuer, validity, subject, publicKey] = fieldsOf(content, FIELDS, isVersioned ? 1 : 0);
  const [notBefore, notAfter] = valuesOf(validity.content);
  if (!notBefore || !notAfter) throw new RangeError('x509: malformed validity');
  const [extensions] = valuesOf(parts.find(({ tag }) => tag === fieldTag(3))?.content ?? Buffer.alloc(0));
  return {
    der: certificate.whole,
    version: number ? Number(integerOf(number)) + 1 : 1,
    serial: integerOf(serial),
    issuer: parseName(issuer),
    notBeforeMs: timeOf(notBefore),
    notAfterMs: timeOf(notAfter),
    subject: parseName(subject),
    publicKey: publicKey.whole,
    extensions: extensions ? extensionsOf(extensions) : {},
    signed: content.whole,
    algorithm: valuesOf(algorithm.content),
    signature: signature.content.subarray(1),
  };
}

/** Serial number, algorithm, issuer, validity, subject and public key. */
const FIELDS = [TAG.integer, TAG.sequence, TAG.sequence, TAG.sequence, TAG.sequence, TAG.sequence] as const;

/** Reports whether the bytes are certificates, directly one after the other. Checks only their structure. */
export function areCertificates(der: Buffer): boolean {
  try {
    for (const { whole } of valuesOf(der)) parseCertificate(whole);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Parses a time in UTC: `YYMMDDHHMMSSZ`, in the years 1950 to 2049, or `YYYYMMDDHHMMSSZ`. RFC 5280, 4.1.2.5 */
function timeOf({ tag, content }: Der): number {
  const text = content.toString('latin1');
  const match = TIMES[tag]?.exec(text);
  if (!match) throw new RangeError('x509: malformed time');
  const [year = 0, month = 0, ...rest] = match.slice(1).map(Number);
  const [day = 0, hour = 0, minute = 0, second = 0] = rest;
  const full = tag === TAG.utcTime ? year + (year < 50 ? 2_000 : 1_900) : year;
  const ms = Date.UTC(full, month - 1, day, hour, minute, second);
  if (new Date(ms).getUTCDate() !== day) throw new RangeError('x509: malformed time');
  return ms;
}

const TIMES: Readonly<Record<number, RegExp>> = {
  [TAG.utcTime]: /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/,
  [TAG.generalizedTime]: /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/,
};
