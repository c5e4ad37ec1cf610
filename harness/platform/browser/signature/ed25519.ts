import { sha512 } from '@noble/hashes/sha2.js';
import { inverse, mod, numberOf, power } from './numbers.ts';

// RFC 8032, 5.1: the curve -x² + y² = 1 + d x² y².
const PRIME = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = mod(-121665n * inverse(121666n, PRIME), PRIME);
const SQRT_OF_MINUS_1 = power(2n, (PRIME - 1n) / 4n, PRIME);

/** A point in extended coordinates: (x/z, y/z), with t = xy/z. */
interface Point {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
  readonly t: bigint;
}

const NEUTRAL: Point = { x: 0n, y: 1n, z: 1n, t: 0n };
const BASE = pointOf(mod(4n * inverse(5n, PRIME), PRIME), false) as Point;

/** Verifies a signature (RFC 8032, 5.1.7, without the cofactor). */
export function isEd25519Signature(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const a = decoded(key);
  if (!a || signature.length !== 64) return false;
  const r = signature.subarray(0, 32);
  const s = littleEndian(signature.subarray(32));
  if (s >= ORDER) return false;
  const k = littleEndian(sha512(Buffer.concat([r, key, message]))) % ORDER;
  const minusA = { ...a, x: mod(-a.x, PRIME), t: mod(-a.t, PRIME) };
  return encoded(added(times(BASE, s), times(minusA, k))).equals(r);
}

function decoded(bytes: Uint8Array): Point | undefined {
  if (bytes.length !== 32) return undefined;
  const whole = littleEndian(bytes);
  return pointOf(whole & (2n ** 255n - 1n), whole >> 255n === 1n);
}

/** Returns the point with this `y` whose `x` is odd or even; undefined if the curve has none. */
function pointOf(y: bigint, isOdd: boolean): Point | undefined {
  if (y >= PRIME) return undefined;
  const square = mod((y * y - 1n) * inverse(mod(D * y * y + 1n, PRIME), PRIME), PRIME);
  let x = power(square, (PRIME + 3n) / 8n, PRIME);
  if ((x * x) % PRIME !== square) x = (x * SQRT_OF_MINUS_1) % PRIME;
  if ((x * x) % PRIME !== square || (x === 0n && isOdd)) return undefined;
  if (((x & 1n) === 1n) !== isOdd) x = PRIME - x;
  return { x, y, z: 1n, t: (x * y) % PRIME };
}

function encoded({ x, y, z }: Point): Buffer {
  const scale = inverse(z, PRIME);
  const sign = ((x * scale) % PRIME) & 1n;
  const hex = (((y * scale) % PRIME) | (sign << 255n)).toString(16).padStart(64, '0');
  return Buffer.from(hex, 'hex').reverse();
}

const littleEndian = (bytes: Uint8Array): bigint => numberOf(Buffer.from(bytes).reverse());

function times(point: Point, factor: bigint): Point {
  let result = NEUTRAL;
  for (const bit of factor.toString(2)) {
    result = added(result, result);
    if (bit === '1') result = added(result, point);
  }
  return result;
}

/** RFC 8032, 5.1.4. */
function added(p: Point, q: Point): Point {
  const a = ((p.y - p.x) * (q.y - q.x)) % PRIME;
  const b = ((p.y + p.x) * (q.y + q.x)) % PRIME;
  const c = (2n * p.t * q.t * D) % PRIME;
  const d = (2n * p.z * q.z) % PRIME;
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return { x: mod(e * f, PRIME), y: mod(g * h, PRIME), z: mod(f * g, PRIME), t: mod(e * h, PRIME) };
}
