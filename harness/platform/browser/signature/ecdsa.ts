import { type ECDSA, ecdsa, weierstrass } from '@noble/curves/abstract/weierstrass.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { sha224 } from '@noble/hashes/sha2.js';

/** P-224, which Go's standard library supports, too. FIPS 186-4, D.1.2.2 */
const p224 = ecdsa(
  weierstrass({
    p: 2n ** 224n - 2n ** 96n + 1n,
    n: 0xffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3dn,
    h: 1n,
    a: 2n ** 224n - 2n ** 96n + 1n - 3n,
    b: 0xb4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4n,
    Gx: 0xb70e0cbd6bb4bf7f321390b94a03c1d356c21122343280d6115c1d21n,
    Gy: 0xbd376388b5f723fb4c22dfe6cd4375a05a07476444d5819985007e34n,
  }),
  sha224,
);

/** The curves by object identifier. */
const CURVES: Readonly<Record<string, ECDSA>> = {
  '1.3.132.0.33': p224,
  '1.2.840.10045.3.1.7': p256,
  '1.3.132.0.34': p384,
  '1.3.132.0.35': p521,
};

/** A public key for ECDSA. */
export interface EcKey {
  readonly curve: ECDSA;
  readonly bytes: Uint8Array;
}

/** Returns the key of an uncompressed point; undefined if the curve is unknown, or does not contain the point. */
export function ecKeyOf(curveIdentifier: string, bytes: Uint8Array): EcKey | undefined {
  const curve = CURVES[curveIdentifier];
  return curve?.utils.isValidPublicKey(bytes, false) ? { curve, bytes } : undefined;
}

/** Verifies a signature in DER (FIPS 186-4, 6.4). */
export function isEcdsaSignature(
  { curve, bytes }: EcKey,
  digest: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    return curve.verify(signature, digest, bytes, { prehash: false, lowS: false, format: 'der' });
  } catch {
    // It is not in DER.
    return false;
  }
}
