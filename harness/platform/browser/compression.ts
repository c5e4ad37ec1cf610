import { Deflate, gzipSync as gzipAtLevel, Inflate, strToU8 } from 'fflate';
import type { Compression } from '../types.ts';

export { gunzipSync } from 'fflate';

type Level = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** The level of zlib where the caller names none. */
const DEFAULT_LEVEL = 6;

/** A browser compresses in this thread: starting another one takes longer. */
export const gzip: Compression['gzip'] = async (data, level) =>
  gzipAtLevel(typeof data === 'string' ? strToU8(data) : data, {
    level: (level === -1 ? DEFAULT_LEVEL : level) as Level,
  });

export const gzipSync: Compression['gzipSync'] = (data) => gzipAtLevel(data);

export const deflateBlock: Compression['deflateBlock'] = (data) => {
  const pieces: Uint8Array[] = [];
  const stream = new Deflate((piece) => pieces.push(piece));
  stream.push(data);
  stream.flush(true);
  return Buffer.concat(pieces);
};

export const inflateBlock: Compression['inflateBlock'] = (data, { dictionary, maxBytes }) => {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const stream = new Inflate({ dictionary }, (piece) => {
    length += piece.length;
    if (length > maxBytes) throw new RangeError(`Cannot create a Buffer larger than ${maxBytes} bytes`);
    pieces.push(piece);
  });
  stream.push(data);
  return Buffer.concat(pieces);
};
