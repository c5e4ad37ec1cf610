import type { HttpAnswer } from '../../contracts/node/index.ts';
import { STATUS_CODES } from './status-codes.ts';

/** The request that an answer belongs to. */
interface AnswerTo {
  /** An answer to `HEAD` has no body, but declares the body's length. */
  readonly method: string;
  readonly keepAlive: boolean;
}

/** Headers about the connection, which the answering program cannot set. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
]);

/** Formats an answer of HTTP/1.1 (RFC 9112). */
export function formatAnswer({ status, headers, body }: HttpAnswer, { method, keepAlive }: AnswerTo): Buffer {
  const bytes = Buffer.from(body);
  const hasBody = status >= 200 && status !== 204 && status !== 304;
  const own = Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name));
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...own.map(([name, value]) => `${titled(name)}: ${value}`),
    ...(hasBody ? [`Content-Length: ${bytes.length}`] : []),
    `Connection: ${keepAlive ? 'keep-alive' : 'close'}`,
  ];
  const head = Buffer.from(
    lines
      .map((line) => `${line}\r\n`)
      .join('')
      .concat('\r\n'),
    'latin1',
  );
  return hasBody && method !== 'HEAD' ? Buffer.concat([head, bytes]) : head;
}

/** Formats a header name: `Content-Type` for `content-type`. */
function titled(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
