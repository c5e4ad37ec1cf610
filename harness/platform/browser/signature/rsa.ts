import { bytesOf, numberOf, power } from './numbers.ts';

/** A public key of RSA: modulus and exponent. */
export interface RsaKey {
  readonly n: bigint;
  readonly e: bigint;
}

/** A hash function, with the start of its DigestInfo (RFC 8017, 9.2, note 1). */
export interface SignatureHash {
  (data: Uint8Array): Uint8Array;
  readonly outputLen: number;
}

const DIGEST_INFO: Readonly<Record<number, string>> = {
  20: '3021300906052b0e03021a05000414',
  32: '3031300d060960864801650304020105000420',
  48: '3041300d060960864801650304020205000430',
  64: '3051300d060960864801650304020305000440',
};

/** Verifies a signature with the padding of PKCS #1 v1.5 (RFC 8017, 8.2.2). */
export function isRsaSignature(
  key: RsaKey,
  hash: SignatureHash,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  const encoded = encodedMessage(key, signature);
  if (!encoded) return false;
  const info = Buffer.concat([Buffer.from(DIGEST_INFO[hash.outputLen] ?? '', 'hex'), hash(message)]);
  const padding = encoded.length - info.length - 3;
  if (padding < 8) return false;
  const expected = [Buffer.from([0, 1]), Buffer.alloc(padding, 0xff), Buffer.from([0]), info];
  return encoded.equals(Buffer.concat(expected));
}

/** Verifies a signature with the padding PSS, whose salt may have any length (RFC 8017, 8.1.2 and 9.1.2). */
export function isPssSignature(
  key: RsaKey,
  hash: SignatureHash,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  const whole = encodedMessage(key, signature);
  const bits = key.n.toString(2).length - 1;
  // The encoded message is one bit shorter than the modulus, so its first byte may be missing.
  const encoded = whole?.subarray(whole.length - Math.ceil(bits / 8));
  const size = hash.outputLen;
  if (!encoded || encoded.length < size + 2 || encoded.at(-1) !== 0xbc) return false;
  if (whole && whole.length > encoded.length && whole[0] !== 0) return false;
  const masked = encoded.subarray(0, -size - 1);
  const h = encoded.subarray(-size - 1, -1);
  const unusedBits = encoded.length * 8 - bits;
  if ((masked[0] ?? 0) >> (8 - unusedBits) !== 0) return false;
  const mask = generatedMask(hash, h, masked.length);
  const block = masked.map((byte, i) => byte ^ (mask[i] ?? 0));
  block[0] = (block[0] ?? 0) & (0xff >> unusedBits);
  const start = block.indexOf(1);
  if (start < 0 || block.subarray(0, start).some((byte) => byte !== 0)) return false;
  const salt = block.subarray(start + 1);
  return Buffer.from(hash(Buffer.concat([Buffer.alloc(8), hash(message), salt]))).equals(h);
}

/** Undefined if the signature does not have the length of the modulus, or is not below it. */
function encodedMessage({ n, e }: RsaKey, signature: Uint8Array): Buffer | undefined {
  const size = Math.ceil(n.toString(16).length / 2);
  const s = numberOf(signature);
  return signature.length === size && s < n ? bytesOf(power(s, e, n), size) : undefined;
}

/** MGF1 (RFC 8017, B.2.1). */
function generatedMask(hash: SignatureHash, seed: Uint8Array, length: number): Buffer {
  const pieces: Uint8Array[] = [];
  for (let counter = 0; counter * hash.outputLen < length; counter++) {
    pieces.push(hash(Buffer.concat([seed, bytesOf(BigInt(counter), 4)])));
  }
  return Buffer.concat(pieces).subarray(0, length);
}
