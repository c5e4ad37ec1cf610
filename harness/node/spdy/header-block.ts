import { deflateBlock, inflateBlock } from '#platform/compression';
import { HEADER_DICTIONARY } from './dictionary.ts';
import { type HeaderBlock, SpdyError } from './frame.ts';

/** The maximum size of a block before compression, in bytes. */
const BYTES_MAX = 64 * 1024;

/** The window of the compression, in bytes: that of deflate in RFC 1951. */
const WINDOW_BYTES = 32 * 1024;

/** The start of the first block of a connection: the header of zlib (RFC 1950), and the checksum of the dictionary. */
const ZLIB_HEADER = Buffer.from([0x78, 0xf9, 0xe3, 0xc6, 0xa7, 0xc2]);

/**
 * Headers that are valid only for a single HTTP hop. Upstream: moby/spdystream@v0.5.1 spdy/types.go invalidReqHeaders
 */
const FORBIDDEN: ReadonlySet<string> = new Set([
  'connection',
  'host',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
]);

/**
 * Decodes the header blocks of one side of a connection. They form one zlib stream, which is flushed after each block.
 *
 * Upstream: moby/spdystream@v0.5.1 spdy/read.go Framer.parseHeaderValueBlock
 *
 * Differs: it rejects a block of more than 64 KiB; upstream accepts a thousand headers of one mebibyte each.
 */
export class HeaderDecoder {
  #isFirst = true;
  /** The data that the next block may refer to. */
  #window: Buffer = HEADER_DICTIONARY;

  /** @throws SpdyError when the block is invalid */
  decode(compressed: Uint8Array): HeaderBlock {
    const block = this.#inflate(this.#isFirst ? withoutZlibHeader(compressed) : compressed);
    this.#isFirst = false;
    this.#window = Buffer.concat([this.#window, block]).subarray(-WINDOW_BYTES);
    return parse(block);
  }

  #inflate(compressed: Uint8Array): Buffer {
    try {
      const block = inflateBlock(compressed, { dictionary: this.#window, maxBytes: BYTES_MAX });
      return Buffer.from(block.buffer, block.byteOffset, block.length);
    } catch (error) {
      throw new SpdyError(`header block: ${(error as Error).message}`);
    }
  }
}

/** Encodes header blocks. It never refers to earlier blocks, because a server's blocks are empty. */
export class HeaderEncoder {
  #isFirst = true;

  encode(headers: HeaderBlock): Buffer {
    const parts = [number32(headers.size), ...[...headers].flat().flatMap(withLength)];
    const compressed = deflateBlock(Buffer.concat(parts));
    const block = Buffer.concat(this.#isFirst ? [ZLIB_HEADER, compressed] : [compressed]);
    this.#isFirst = false;
    return block;
  }
}

function withoutZlibHeader(compressed: Uint8Array): Uint8Array {
  const [method = 0, flags = 0] = compressed;
  const usesDictionary = (flags & 0x20) !== 0;
  const checksum = Buffer.from(compressed.subarray(2, 6));
  if ((method & 0x0f) !== 8 || ((method << 8) | flags) % 31 !== 0 || !usesDictionary) {
    throw new SpdyError('header block: incorrect header check');
  }
  if (!checksum.equals(ZLIB_HEADER.subarray(2))) throw new SpdyError('header block: unknown dictionary');
  return compressed.subarray(ZLIB_HEADER.length);
}

function parse(block: Buffer): HeaderBlock {
  let at = 0;
  const take = (length: number): Buffer => {
    if (length > block.length - at) throw new SpdyError('header block: it ends too early');
    at += length;
    return block.subarray(at - length, at);
  };
  const text = (): string => take(take(4).readUInt32BE()).toString('latin1');
  const headers = new Map<string, string>();
  for (let left = take(4).readUInt32BE(); left > 0; left--) {
    const name = text();
    if (name !== name.toLowerCase()) throw new SpdyError(`header ${name} is not in lower case`);
    if (headers.has(name)) throw new SpdyError(`header ${name} is there twice`);
    if (FORBIDDEN.has(name)) throw new SpdyError(`header ${name} has no place here`);
    headers.set(name, text());
  }
  if (at < block.length) throw new SpdyError('header block: it goes on after its last header');
  return headers;
}

function withLength(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  return [number32(bytes.length), bytes];
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
