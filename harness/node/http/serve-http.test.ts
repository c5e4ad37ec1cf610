import { describe, expect, test } from 'vitest';
import type { HttpAnswer } from '../../contracts/node/index.ts';
import { NotHttp, type ReadRequest } from './read-request.ts';
import { serveHttp } from './serve-http.ts';

const ok: HttpAnswer = { status: 200, headers: { 'content-type': 'text/plain' }, body: 'héllo' };

/** Returns the answer to a client's input. */
async function talk(
  sent: string,
  answer: (request: ReadRequest) => Promise<HttpAnswer | undefined> = async () => ok,
): Promise<string> {
  let got = '';
  const incoming = (async function* () {
    yield Buffer.from(sent);
  })();
  const write = async (bytes: Uint8Array): Promise<void> => {
    got += Buffer.from(bytes).toString();
  };
  await serveHttp({ incoming, write }, answer);
  return got;
}

const head = (method: string, rest = '') => `${method} / HTTP/1.1\r\nHost: web\r\n${rest}\r\n`;

describe('An HTTP connection', () => {
  test('gets an answer with its length in bytes', async () => {
    expect(await talk(head('GET'))).toBe(
      'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\nConnection: keep-alive\r\n\r\nhéllo',
    );
  });

  test('gets answers in the order of its requests', async () => {
    const seen: string[] = [];
    const got = await talk(head('PUT') + head('DELETE'), async ({ method }) => {
      seen.push(method);
      return { status: seen.length === 1 ? 201 : 404, headers: {}, body: method };
    });
    expect(got.match(/HTTP\/1.1 \d.*|PUT|DELETE/g)).toEqual([
      'HTTP/1.1 201 Created',
      'PUT',
      'HTTP/1.1 404 Not Found',
      'DELETE',
    ]);
  });

  test.each(['Content-Length: 99999999\r\n\r\n', 'Transfer-Encoding: chunked\r\n\r\nfffffff\r\n'])(
    'rejects a body that is too large: %j',
    async (rest) => {
      expect(await talk(`POST / HTTP/1.1\r\nHost: web\r\n${rest}`)).toMatch(
        /^HTTP\/1.1 413 Payload Too Large/,
      );
    },
  );

  test("is closed on the client's request", async () => {
    const got = await talk(head('GET', 'Connection: close\r\n') + head('GET'));
    expect(got.match(/^HTTP/gm)).toHaveLength(1);
    expect(got).toContain('Connection: close\r\n');
  });

  test('is closed if the server closes it', async () => {
    expect(await talk(head('GET'), async () => undefined)).toBe('');
  });

  test('gets no body for HEAD and for status 204', async () => {
    expect(await talk(head('HEAD'))).toMatch(/Content-Length: 6\r\nConnection: keep-alive\r\n\r\n$/);
    const empty = await talk(head('GET'), async () => ({ status: 204, headers: {}, body: 'x' }));
    expect(empty).toBe('HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n');
  });

  test("ignores the program's headers about the connection", async () => {
    const headers = {
      'content-length': '99',
      'transfer-encoding': 'chunked',
      connection: 'close',
      server: 'x',
    };
    expect(await talk(head('GET'), async () => ({ status: 200, headers, body: '' }))).toBe(
      'HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n',
    );
  });

  test('gets 100 Continue, and then the answer', async () => {
    const got = await talk(`${head('POST', 'Expect: 100-continue\r\nContent-Length: 1\r\n')}x`);
    expect(got).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  test('gets an error answer for an invalid request, and is closed', async () => {
    expect(await talk(`GET / HTTP/3.0\r\n\r\n${head('GET')}`)).toBe(
      'HTTP/1.1 505 HTTP Version Not Supported\r\nContent-Type: text/plain; charset=utf-8\r\n' +
        'Content-Length: 41\r\nConnection: close\r\n\r\n505 HTTP Version Not Supported: HTTP/3.0\n',
    );
  });

  test('fails if the client does not speak HTTP', async () => {
    await expect(talk('*1\r\n')).rejects.toThrow(NotHttp);
  });
});
