import { type Der, TAG, valuesOf } from '../../der.ts';
import { inverse, mod, numberOf } from './numbers.ts';

/** A curve y² = x³ - 3x + b over a prime field. */
interface Curve {
  readonly prime: bigint;
  readonly b: bigint;
  readonly order: bigint;
  readonly generator: Affine;
}

interface Affine {
  readonly x: bigint;
  readonly y: bigint;
}

/** A point in Jacobian coordinates, (x/z², y/z³); the point at infinity has z = 0. */
interface Point extends Affine {
  readonly z: bigint;
}

/** The curves of FIPS 186-4 by object identifier, as Go's standard library supports them. */
const CURVES: Readonly<Record<string, Curve>> = {
  '1.3.132.0.33': {
    prime: 2n ** 224n - 2n ** 96n + 1n,
    b: 0xb4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4n,
    order: 0xffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3dn,
    generator: {
      x: 0xb70e0cbd6bb4bf7f321390b94a03c1d356c21122343280d6115c1d21n,
      y: 0xbd376388b5f723fb4c22dfe6cd4375a05a07476444d5819985007e34n,
    },
  },
  '1.2.840.10045.3.1.7': {
    prime: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
    generator: {
      x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
      y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
    },
  },
  '1.3.132.0.34': {
    prime: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
    order:
      0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
    generator: {
      x: 0xaa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7n,
      y: 0x3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5fn,
    },
  },
  '1.3.132.0.35': {
    prime: 2n ** 521n - 1n,
    b: 0x51953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
    order:
      0x1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
    generator: {
      x: 0xc6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66n,
      y: 0x11839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650n,
    },
  },
};

/** A public key for ECDSA. */
export interface EcKey {
  readonly curve: Curve;
  readonly point: Affine;
}

/** Returns the key of an uncompressed point; undefined if the curve is unknown, or does not contain the point. */
export function ecKeyOf(curveIdentifier: string, bytes: Uint8Array): EcKey | undefined {
  const curve = CURVES[curveIdentifier];
  if (!curve) return undefined;
  const size = Math.ceil(curve.prime.toString(16).length / 2);
  if (bytes[0] !== 4 || bytes.length !== 1 + 2 * size) return undefined;
  const x = numberOf(bytes.subarray(1, 1 + size));
  const y = numberOf(bytes.subarray(1 + size));
  const { prime, b } = curve;
  if (x >= prime || y >= prime || mod(y * y - (x * x - 3n) * x - b, prime) !== 0n) return undefined;
  return { curve, point: { x, y } };
}

/** Verifies a signature (FIPS 186-4, 6.4). @throws RangeError when the signature is not in DER */
export function isEcdsaSignature({ curve, point }: EcKey, digest: Uint8Array, signature: Buffer): boolean {
  const { order, generator } = curve;
  const [whole, ...more] = valuesOf(signature);
  const [r, s, ...others] = whole?.tag === TAG.sequence ? valuesOf(whole.content).map(unsigned) : [];
  if (r === undefined || s === undefined || more.length > 0 || others.length > 0) return false;
  if (r === 0n || s === 0n || r >= order || s >= order) return false;
  const excess = Math.max(0, digest.length * 8 - order.toString(2).length);
  const e = numberOf(digest) >> BigInt(excess);
  const w = inverse(s, order);
  const sum = added(
    curve,
    times(curve, generator, mod(e * w, order)),
    times(curve, point, mod(r * w, order)),
  );
  if (sum.z === 0n) return false;
  const x = sum.x * inverse(sum.z, curve.prime) ** 2n;
  return mod(mod(x, curve.prime), order) === r;
}

/** Returns a number that is not negative; 0 otherwise, which no signature contains. */
function unsigned({ tag, content }: Der): bigint {
  return tag === TAG.integer && (content[0] ?? 0) < 0x80 ? numberOf(content) : 0n;
}

const INFINITY: Point = { x: 1n, y: 1n, z: 0n };

function times(curve: Curve, { x, y }: Affine, factor: bigint): Point {
  let result = INFINITY;
  for (const bit of factor.toString(2)) {
    result = doubled(curve, result);
    if (bit === '1') result = added(curve, result, { x, y, z: 1n });
  }
  return result;
}

/** Formula dbl-2001-b of the Explicit-Formulas Database. */
function doubled({ prime }: Curve, { x, y, z }: Point): Point {
  const delta = (z * z) % prime;
  const gamma = (y * y) % prime;
  const beta = (x * gamma) % prime;
  const alpha = (3n * (x - delta) * (x + delta)) % prime;
  const newX = mod(alpha * alpha - 8n * beta, prime);
  return {
    x: newX,
    y: mod(alpha * (4n * beta - newX) - 8n * gamma * gamma, prime),
    z: mod((y + z) ** 2n - gamma - delta, prime),
  };
}

/** Formula add-1998-cmo-2 of the Explicit-Formulas Database. */
function added(curve: Curve, a: Point, b: Point): Point {
  if (a.z === 0n) return b;
  if (b.z === 0n) return a;
  const { prime } = curve;
  const [aa, bb] = [(a.z * a.z) % prime, (b.z * b.z) % prime];
  const [u, s] = [(a.x * bb) % prime, (a.y * b.z * bb) % prime];
  const h = mod(b.x * aa - u, prime);
  const r = mod(b.y * a.z * aa - s, prime);
  if (h === 0n) return r === 0n ? doubled(curve, a) : INFINITY;
  const hh = (h * h) % prime;
  const [hhh, v] = [(h * hh) % prime, (u * hh) % prime];
  const x = mod(r * r - hhh - 2n * v, prime);
  return { x, y: mod(r * (v - x) - s * hhh, prime), z: (a.z * b.z * h) % prime };
}
