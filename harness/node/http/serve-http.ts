import type { HttpAnswer } from '../../contracts/node/index.ts';
import type { ByteStream } from '../byte-stream.ts';
import { ByteReader } from './byte-reader.ts';
import { formatAnswer } from './format-answer.ts';
import { BadRequest, type ReadRequest, readRequest } from './read-request.ts';
import { STATUS_CODES } from './status-codes.ts';

const CONTINUE = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n');

/**
 * Serves the requests of one connection in order, until the client sends no more, or either side closes it.
 *
 * @param answer - answers a request; undefined if the server closes the connection instead
 * @throws NotHttp when the client does not speak HTTP, or the error of `answer`
 */
export async function serveHttp(
  connection: ByteStream,
  answer: (request: ReadRequest) => Promise<HttpAnswer | undefined>,
): Promise<void> {
  const bytes = new ByteReader(connection.incoming);
  const proceed = (): Promise<void> => connection.write(CONTINUE);
  try {
    for (;;) {
      const request = await readRequest(bytes, proceed);
      const answered = request && (await answer(request));
      if (!answered) return;
      await connection.write(formatAnswer(answered, request));
      if (!request.keepAlive) return;
    }
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    const { status, message } = error;
    const body = `${status} ${STATUS_CODES[status]}: ${message}\n`;
    const refusal = { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
    await connection.write(formatAnswer(refusal, { method: 'GET', keepAlive: false }));
  }
}
