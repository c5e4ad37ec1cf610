import { type Der, TAG, valuesOf } from '../../../platform/der.ts';

/** The tags of RFC 5280 that only a certificate has. */
const VERSION = 0xa0;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;

/** Reports whether the bytes are certificates (RFC 5280, 4.1), directly one after the other. Checks only their structure. */
export function areCertificates(der: Buffer): boolean {
  try {
    return valuesOf(der).every(isCertificate);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function isCertificate(certificate: Der): boolean {
  const [content, ...signature] = partsOf(certificate);
  if (!content || !haveTags(signature, [TAG.sequence, TAG.bitString])) return false;
  const parts = partsOf(content);
  const fields = parts[0]?.tag === VERSION ? parts.slice(1) : parts;
  const [serial, ...sequences] = fields.slice(0, FIELDS);
  if (serial?.tag !== TAG.integer || !haveTags(sequences, Array(FIELDS - 1).fill(TAG.sequence))) return false;
  const [, , validity] = sequences;
  const times = validity ? partsOf(validity) : [];
  return times.length === 2 && times.every(({ tag }) => tag === UTC_TIME || tag === GENERALIZED_TIME);
}

/** Serial number, algorithm, issuer, validity, subject and public key. */
const FIELDS = 6;

function partsOf({ tag, content }: Der): readonly Der[] {
  return tag === TAG.sequence ? valuesOf(content) : [];
}

function haveTags(values: readonly Der[], tags: readonly number[]): boolean {
  return values.length === tags.length && values.every(({ tag }, i) => tag === tags[i]);
}
