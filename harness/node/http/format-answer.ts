import { STATUS_CODES } from 'node:http';
import type { HttpAnswer } from '../../contracts/node/index.ts';

/** For which request an answer is. */
interface AnswerTo {
  /** An answer to `HEAD` has no body, and says how long it would be. */
  readonly method: string;
  readonly keepAlive: boolean;
}

/** Headers that are about the connection, on which the program that answers has no say. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
]);

/** Writes an answer as it goes over the wire, as RFC 9112 has HTTP/1.1. */
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

/** `content-type` → `Content-Type`. */
function titled(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
