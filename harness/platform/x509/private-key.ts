import { p256 } from '@noble/curves/nist.js';
import {
  encode,
  encodeBits,
  encodeInteger,
  encodeObjectIdentifier,
  encodeSequence,
  fieldTag,
  TAG,
  valuesOf,
} from '../der.ts';
import { pemBlocks, pemOf } from './pem.ts';

const P256 = encodeObjectIdentifier('1.2.840.10045.3.1.7');
const EC_PUBLIC_KEY = encodeObjectIdentifier('1.2.840.10045.2.1');
/** RFC 5915 */
const PEM_TYPE = 'EC PRIVATE KEY';

/**
 * A key on the curve P-256. The same key signs the same bytes with the same signature, at once: a simulation can use
 * it. (The keys of Node.js add chance, and Web Crypto takes its time.)
 */
export class PrivateKey {
  readonly #secret: Uint8Array;
  /** The public key, as in a certificate (RFC 5280, SubjectPublicKeyInfo). */
  readonly publicKey: Buffer;

  private constructor(secret: Uint8Array) {
    this.#secret = secret;
    this.publicKey = encodeSequence(encodeSequence(EC_PUBLIC_KEY, P256), encodeBits(this.#point()));
  }

  /** Returns a new key that nobody can guess. */
  static random(): PrivateKey {
    return new PrivateKey(p256.utils.randomSecretKey());
  }

  /** @throws RangeError when the text is not a key on this curve */
  static fromPem(pem: string): PrivateKey {
    const block = pemBlocks(pem).find(({ type }) => type === PEM_TYPE);
    const [key] = block ? valuesOf(block.bytes) : [];
    const [, secret] = key ? valuesOf(key.content) : [];
    if (!secret || !p256.utils.isValidSecretKey(secret.content)) {
      throw new RangeError(`it is not an ${PEM_TYPE} on the curve P-256`);
    }
    return new PrivateKey(secret.content);
  }

  /** Signs the SHA-256 of the bytes with ECDSA. */
  sign(bytes: Uint8Array): Buffer {
    return Buffer.from(p256.sign(bytes, this.#secret, { format: 'der' }));
  }

  get pem(): string {
    const der = encodeSequence(
      encodeInteger(1n),
      encode(TAG.octetString, this.#secret),
      encode(fieldTag(0), P256),
      encode(fieldTag(1), encodeBits(this.#point())),
    );
    return pemOf(PEM_TYPE, der);
  }

  #point(): Uint8Array {
    return p256.getPublicKey(this.#secret, false);
  }
}
