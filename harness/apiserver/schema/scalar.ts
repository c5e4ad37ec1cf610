import type { Decoder } from './decoder.ts';

/** Returns the decoder of strings or booleans, which stay unchanged. */
export function primitiveDecoder(type: string, underlying: 'string' | 'bool'): Decoder {
  return {
    plain: underlying === 'bool' ? 'boolean' : 'string',
    zero: () => (underlying === 'bool' ? false : ''),
    isEmpty: underlying === 'bool' ? (value) => value === false : (value) => value === '',
    decode: (value, walk) =>
      typeof value === (underlying === 'bool' ? 'boolean' : 'string')
        ? value
        : walk.mismatch(value, type, underlying),
  };
}

/** Returns the decoder of integers within the range of the type. */
export function integerDecoder(type: 'int32' | 'int64'): Decoder {
  const bound = type === 'int32' ? 2 ** 31 : 2 ** 63;
  return {
    zero: () => 0,
    isEmpty: (value) => value === 0,
    decode: (value, walk) =>
      typeof value === 'number' && Number.isInteger(value) && value >= -bound && value < bound
        ? // JSON prints -0 as 0.
          value + 0
        : walk.mismatch(value, type, type),
  };
}

/** The decoder of any number. */
export const doubleDecoder: Decoder = {
  zero: () => 0,
  isEmpty: (value) => value === 0,
  decode: (value, walk) =>
    typeof value === 'number' ? value + 0 : walk.mismatch(value, 'float64', 'float64'),
};

/** The decoder of bytes in base64. */
export const bytesDecoder: Decoder = {
  zero: () => null,
  isEmpty: (value) => value === '',
  decode(value, walk) {
    if (typeof value !== 'string') return walk.mismatch(value, '[]uint8', 'slice');
    if (!BASE64.test(value.replace(/[\r\n]/g, ''))) return walk.malformed(illegalBase64(value));
    return value;
  },
};

const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

/**
 * Reports the first illegal byte, or the start of an incomplete last group of four.
 *
 * Upstream: base64.CorruptInputError in Go's standard library
 */
function illegalBase64(text: string): string {
  const good = /^[A-Za-z\d+/\r\n]*/.exec(text)?.[0].length ?? 0;
  return `illegal base64 data at input byte ${good < text.length ? good : good - (good % 4)}`;
}
