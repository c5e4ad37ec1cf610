import { promisify } from 'node:util';
import { gzip as compress, constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Compression } from '../types.ts';

export { gunzipSync, gzipSync } from 'node:zlib';

const compressed = promisify(compress);

export const gzip: Compression['gzip'] = (data, level) => compressed(data, { level });

export const deflateBlock: Compression['deflateBlock'] = (data) =>
  deflateRawSync(data, { finishFlush: constants.Z_SYNC_FLUSH });

export const inflateBlock: Compression['inflateBlock'] = (data, { dictionary, maxBytes }) =>
  inflateRawSync(data, { dictionary, finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxBytes });
