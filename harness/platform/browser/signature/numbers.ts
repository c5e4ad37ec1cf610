/** Returns the remainder, which is never negative. */
export function mod(a: bigint, m: bigint): bigint {
  const remainder = a % m;
  return remainder < 0n ? remainder + m : remainder;
}

/** Returns `base` to the power of `exponent`, modulo `m`. */
export function power(base: bigint, exponent: bigint, m: bigint): bigint {
  let result = 1n;
  let square = mod(base, m);
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % m;
    square = (square * square) % m;
  }
  return result;
}

/** Returns the number that these bytes encode, the most significant byte first. */
export function numberOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

/** Returns the number as so many bytes, the most significant byte first. */
export function bytesOf(number: bigint, length: number): Buffer {
  return Buffer.from(number.toString(16).padStart(length * 2, '0'), 'hex');
}
