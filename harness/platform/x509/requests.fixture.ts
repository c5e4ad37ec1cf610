import {
  encode,
  encodeBits,
  encodeInteger,
  encodeObjectIdentifier,
  encodeSequence,
  fieldTag,
  TAG,
} from '../der.ts';
import type { Template } from './authority.ts';
import { EXTENSION, encodeAlternativeNames } from './extensions.ts';
import { encodeName } from './name.ts';
import { pemOf } from './pem.ts';
import { PrivateKey } from './private-key.ts';

const key = PrivateKey.random();

interface RequestOptions {
  readonly subject: Template['subject'];
  /** @defaultValue none */
  readonly dns?: readonly string[];
  /** @defaultValue the same key for all requests */
  readonly signer?: PrivateKey;
}

/** Creates a request for a certificate, in PEM. */
export function newRequest({ subject, dns = [], signer = key }: RequestOptions): string {
  const names = encodeSequence(...encodeAlternativeNames({ dns, email: [], ip: [], uri: [] }));
  const extension = encodeSequence(
    encodeObjectIdentifier(EXTENSION.alternativeNames),
    encode(TAG.octetString, names),
  );
  const attribute = encodeSequence(
    encodeObjectIdentifier('1.2.840.113549.1.9.14'),
    encode(TAG.set, encodeSequence(extension)),
  );
  const info = encodeSequence(
    encodeInteger(0n),
    encodeName(subject),
    signer.publicKey,
    encode(fieldTag(0), ...(dns.length > 0 ? [attribute] : [])),
  );
  const algorithm = encodeSequence(encodeObjectIdentifier('1.2.840.10045.4.3.2'));
  return pemOf('CERTIFICATE REQUEST', encodeSequence(info, algorithm, encodeBits(signer.sign(info))));
}
