import { type HttpRequest, textOfBytes } from '../../contracts/node/index.ts';
import type { ByteReader } from './byte-reader.ts';

/** The maximum length of a line, in bytes: nginx's default. */
const LINE_BYTES_MAX = 8 * 1024;

/** The maximum number of headers. */
const HEADERS_MAX = 100;

/** The maximum length of a body, in bytes. A body is kept in memory. */
const BODY_BYTES_MAX = 16 * 1024 * 1024;

/** A request from a connection. */
export interface ReadRequest extends Pick<HttpRequest, 'method' | 'path' | 'headers'> {
  /** Empty without a body. */
  readonly body: string;
  /** Whether the client may send more requests over the connection. */
  readonly keepAlive: boolean;
}

/** Thrown for an invalid request. The connection cannot be used any more. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Thrown when the input is not HTTP. */
export class NotHttp extends Error {
  override readonly name = 'NotHttp';
}

/**
 * Reads the next HTTP/1.1 request of a connection (RFC 9112).
 *
 * @param proceed - called when the client waits for permission to send the body
 * @returns undefined when the input ends, even within a request
 * @throws BadRequest, NotHttp
 */
export async function readRequest(
  bytes: ByteReader,
  proceed: () => Promise<void>,
): Promise<ReadRequest | undefined> {
  const first = await requestLine(bytes);
  if (!first) return undefined;
  const { method, target, minor } = first;
  const headers = await readHeaders(bytes);
  if (!headers) return undefined;
  if (minor > 0 && !headers.has('host')) throw new BadRequest(400, 'a request without a host');
  const length = lengthOf(headers, minor);
  if (length !== 0 && expectsProceed(headers)) await proceed();
  const body = length === 'chunked' ? await readChunks(bytes) : await bytes.take(length);
  if (!body) return undefined;
  const connection = (headers.get('connection') ?? '').toLowerCase().split(/[\s,]+/);
  const keepAlive = minor > 0 ? !connection.includes('close') : connection.includes('keep-alive');
  const path = pathOf(target);
  return { method, path, headers: Object.fromEntries(headers), body: textOfBytes(body), keepAlive };
}

const REQUEST_LINE = /^([!#$%&'*+\-.^`|~\w]+) (\S+) HTTP\/(\d)\.(\d)$/;

async function requestLine(bytes: ByteReader) {
  // Skips one empty line before a request, because some clients add one after a body: RFC 9112, 2.2.
  let line = await bytes.line(LINE_BYTES_MAX);
  if (typeof line === 'object' && line.text === '' && !line.isBinary) line = await bytes.line(LINE_BYTES_MAX);
  if (!line) return undefined;
  if (line === 'too long') throw new BadRequest(414, 'the first line is too long');
  const [, method, target, major, minor] = (!line.isBinary && REQUEST_LINE.exec(line.text)) || [];
  if (!method || !target) throw new NotHttp();
  if (major !== '1') throw new BadRequest(505, `HTTP/${major}.${minor}`);
  return { method, target, minor: Number(minor) };
}

const HEADER = /^([!#$%&'*+\-.^`|~\w]+):[ \t]*([^\r]*?)[ \t]*$/;

/** Headers for the length and the target of a request, which may occur only once. */
const SINGLE: ReadonlySet<string> = new Set(['content-length', 'host', 'transfer-encoding']);

/** Reads lines until an empty one. @returns undefined when the input ends before */
async function readHeaders(bytes: ByteReader): Promise<ReadonlyMap<string, string> | undefined> {
  const headers = new Map<string, string>();
  for (let count = 0; ; count++) {
    const line = await bytes.line(LINE_BYTES_MAX);
    if (!line) return undefined;
    if (line === 'too long' || count > HEADERS_MAX) throw new BadRequest(431, 'the headers are too large');
    if (line.text === '' && !line.isBinary) return headers;
    const [, name = '', value = ''] = (!line.isBinary && HEADER.exec(line.text)) || [];
    if (!name) throw new BadRequest(400, `no header: ${line.text}`);
    const key = name.toLowerCase();
    const before = headers.get(key);
    if (before !== undefined && SINGLE.has(key)) throw new BadRequest(400, `${key} is there twice`);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
}

/** Returns the length of the body in bytes, or `chunked`. */
function lengthOf(headers: ReadonlyMap<string, string>, minor: number): number | 'chunked' {
  const [encoding, length] = [headers.get('transfer-encoding'), headers.get('content-length')];
  if (encoding !== undefined) {
    // Another server could interpret a request with both headers differently: RFC 9112, 6.1.
    if (length !== undefined || minor === 0) throw new BadRequest(400, 'a length that is not sure');
    if (encoding.toLowerCase() !== 'chunked') throw new BadRequest(501, `transfer-encoding ${encoding}`);
    return 'chunked';
  }
  if (length === undefined) return 0;
  if (!/^\d{1,15}$/.test(length)) throw new BadRequest(400, `content-length ${length}`);
  const bytes = Number(length);
  if (bytes > BODY_BYTES_MAX) throw tooLarge();
  return bytes;
}

const tooLarge = (): BadRequest => new BadRequest(413, `the limit is ${BODY_BYTES_MAX} bytes`);

function expectsProceed(headers: ReadonlyMap<string, string>): boolean {
  return headers.get('expect')?.toLowerCase() === '100-continue';
}

/** Reads a chunked body. @returns undefined when the input ends before */
async function readChunks(bytes: ByteReader): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const line = await bytes.line(LINE_BYTES_MAX);
    if (!line) return undefined;
    const [, size] = (typeof line === 'object' && /^([\da-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line.text)) || [];
    if (!size) throw new BadRequest(400, 'no chunk');
    const length = Number.parseInt(size, 16);
    // Trailers follow the last chunk.
    if (length === 0) return (await readHeaders(bytes)) && Buffer.concat(chunks);
    total += length;
    if (total > BODY_BYTES_MAX) throw tooLarge();
    const chunk = await bytes.take(length);
    if (!chunk) return undefined;
    chunks.push(chunk);
    const end = await bytes.line(LINE_BYTES_MAX);
    if (!end) return undefined;
    if (end === 'too long' || end.text !== '')
      throw new BadRequest(400, 'a chunk that is longer than it says');
  }
}

/** Returns the path of a target: `/index.html` for `http://web/index.html`, which is the form for a proxy. */
function pathOf(target: string): string {
  const [, path] = /^https?:\/\/[^/?]*(.*)$/i.exec(target) ?? [];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
}
