import type { HttpRequest } from '../../contracts/node/index.ts';
import type { ByteReader } from './byte-reader.ts';

/** How long a line may be, in bytes: as much as nginx takes where nothing else is configured. */
const LINE_BYTES_MAX = 8 * 1024;

/** How many headers a request may have. */
const HEADERS_MAX = 100;

/** A request as it came over a connection. Its body has been read, and dropped: no program here asks for one. */
export interface ReadRequest extends Pick<HttpRequest, 'method' | 'path' | 'headers'> {
  /** Whether the client sends more requests over the connection. */
  readonly keepAlive: boolean;
}

/** What is wrong with a request. The connection is of no use any more. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What comes is no request of HTTP at all. */
export class NotHttp extends Error {
  override readonly name = 'NotHttp';
}

/**
 * Reads the next request of a connection, as RFC 9112 has HTTP/1.1.
 *
 * @param proceed called when the client waits to be told to send the body
 * @returns undefined when the client sends no more, also in the middle of a request
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
  const body = bodyOf(headers, minor);
  if (body !== 0 && expectsProceed(headers)) await proceed();
  const isThere = body === 'chunked' ? await skipChunks(bytes) : await bytes.skip(body);
  if (!isThere) return undefined;
  const connection = (headers.get('connection') ?? '').toLowerCase().split(/[\s,]+/);
  const keepAlive = minor > 0 ? !connection.includes('close') : connection.includes('keep-alive');
  return { method, path: pathOf(target), headers: Object.fromEntries(headers), keepAlive };
}

const REQUEST_LINE = /^([!#$%&'*+\-.^`|~\w]+) (\S+) HTTP\/(\d)\.(\d)$/;

async function requestLine(bytes: ByteReader) {
  // An empty line before a request is passed over, as some clients end a body with one: RFC 9112, 2.2.
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

/** Headers that say how long a request is, or to whom it goes: two of them are one too many. */
const SINGLE: ReadonlySet<string> = new Set(['content-length', 'host', 'transfer-encoding']);

/** Reads the lines up to an empty one. @returns undefined when the client leaves before */
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

/** How long the body is: so many bytes, or chunks that say so themselves. */
function bodyOf(headers: ReadonlyMap<string, string>, minor: number): number | 'chunked' {
  const [encoding, length] = [headers.get('transfer-encoding'), headers.get('content-length')];
  if (encoding !== undefined) {
    // A request with both may be one thing to us and another to those behind us: RFC 9112, 6.1.
    if (length !== undefined || minor === 0) throw new BadRequest(400, 'a length that is not sure');
    if (encoding.toLowerCase() !== 'chunked') throw new BadRequest(501, `transfer-encoding ${encoding}`);
    return 'chunked';
  }
  if (length === undefined) return 0;
  if (!/^\d{1,15}$/.test(length)) throw new BadRequest(400, `content-length ${length}`);
  return Number(length);
}

function expectsProceed(headers: ReadonlyMap<string, string>): boolean {
  return headers.get('expect')?.toLowerCase() === '100-continue';
}

/** @returns whether all came */
async function skipChunks(bytes: ByteReader): Promise<boolean> {
  for (;;) {
    const line = await bytes.line(LINE_BYTES_MAX);
    if (!line) return false;
    const [, size] = (typeof line === 'object' && /^([\da-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line.text)) || [];
    if (!size) throw new BadRequest(400, 'no chunk');
    const length = Number.parseInt(size, 16);
    // Behind the last chunk come headers.
    if (length === 0) return (await readHeaders(bytes)) !== undefined;
    if (!(await bytes.skip(length))) return false;
    const end = await bytes.line(LINE_BYTES_MAX);
    if (!end) return false;
    if (end === 'too long' || end.text !== '')
      throw new BadRequest(400, 'a chunk that is longer than it says');
  }
}

/** `http://web/index.html`, as for a proxy → `/index.html`. */
function pathOf(target: string): string {
  const [, path] = /^https?:\/\/[^/?]*(.*)$/i.exec(target) ?? [];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
}
