import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteReader } from './byte-reader.ts';
import { BadRequest, NotHttp, type ReadRequest, readRequest } from './read-request.ts';

async function* pieces(...all: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array, void> {
  for (const piece of all) yield Buffer.from(piece as string, 'latin1');
}

/** Returns all requests that a client sends over one connection. */
async function read(...sent: readonly (string | Uint8Array)[]): Promise<readonly ReadRequest[]> {
  const bytes = new ByteReader(pieces(...sent));
  const requests: ReadRequest[] = [];
  for (;;) {
    const request = await readRequest(bytes, async () => {});
    if (!request) return requests;
    requests.push(request);
  }
}

const get = 'GET /a?b=c HTTP/1.1\r\nHost: web\r\n\r\n';

describe('A request', () => {
  test('has a method, a path and headers', async () => {
    const sent = 'PURGE /a?b=c HTTP/1.1\r\nHost: web\r\nX-Two: 1\r\nx-two:\t2 \r\nX-Empty:\r\n\r\n';
    const headers = { host: 'web', 'x-two': '1, 2', 'x-empty': '' };
    expect(await read(sent)).toEqual([
      { method: 'PURGE', path: '/a?b=c', headers, body: '', keepAlive: true },
    ]);
  });

  test('may use plain line feeds, and follow an empty line', async () => {
    const [request] = await read('\r\nGET / HTTP/1.1\nHost: web\n\n');
    expect(request).toMatchObject({ path: '/', headers: { host: 'web' } });
  });

  test('may contain a full URL, as for a proxy', async () => {
    const paths = ['http://web/x?y', 'http://web', 'http://web?y', '*'].map(async (target) => {
      const [request] = await read(`OPTIONS ${target} HTTP/1.1\r\nHost: web\r\n\r\n`);
      return request?.path;
    });
    expect(await Promise.all(paths)).toEqual(['/x?y', '/', '/?y', '*']);
  });

  test.each([
    ['HTTP/1.1', '', true],
    ['HTTP/1.1', 'Connection: Close\r\n', false],
    ['HTTP/1.1', 'Connection: foo, close\r\n', false],
    ['HTTP/1.0', '', false],
    ['HTTP/1.0', 'Connection: keep-alive\r\n', true],
  ])('of %s with %j keeps the connection open: %s', async (version, header, keepAlive) => {
    expect(await read(`GET / ${version}\r\nHost: web\r\n${header}\r\n`)).toMatchObject([{ keepAlive }]);
  });

  test('ends after its body, which is not read as another request', async () => {
    const body = 'GET /not HTTP/1.1\r\n\r\n';
    const long = `POST /1 HTTP/1.1\r\nHost: web\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const chunks = `5;x=y\r\nhello\r\n${body.length.toString(16).toUpperCase()}\r\n${body}\r\n0\r\nTrailer: x\r\n\r\n`;
    const chunked = `PUT /2 HTTP/1.1\r\nHost: web\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`;
    const seen = (await read(long, chunked, get)).map((request) => [request.path, request.body]);
    expect(seen).toEqual([
      ['/1', body],
      ['/2', `hello${body}`],
      ['/a?b=c', ''],
    ]);
  });

  test('cannot set a prototype with a header', async () => {
    const [request] = await read('GET / HTTP/1.1\r\nHost: web\r\n__proto__: x\r\n\r\n');
    expect(Object.entries(request?.headers ?? {})).toEqual([
      ['host', 'web'],
      ['__proto__', 'x'],
    ]);
  });

  test('gets permission to send its body if it asks for it', async () => {
    const told: string[] = [];
    const ask = (headers: string) =>
      readRequest(
        new ByteReader(pieces(`POST / HTTP/1.1\r\nHost: web\r\n${headers}\r\n\r\nabc`)),
        async () => void told.push(headers),
      );
    const expects = 'Expect: 100-Continue\r\nContent-Length: 3';
    for (const headers of [expects, 'Content-Length: 3', 'Expect: 100-continue']) await ask(headers);
    expect(told).toEqual([expects]);
  });
});

describe('Requests', () => {
  const line = fc.stringMatching(/^[!-9;-~][ -~]{0,20}$/);
  const body = fc.array(fc.string({ minLength: 1, maxLength: 20, unit: 'binary-ascii' }), { maxLength: 3 });
  const one = fc.record({
    method: fc.constantFrom('GET', 'POST', 'HEAD', 'DELETE'),
    path: fc.stringMatching(/^\/[!-~]{0,20}$/),
    header: line.map((text) => text.trim()),
    body,
    chunked: fc.boolean(),
  });

  test('are the same wherever the bytes are split', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 4 }), fc.array(fc.nat(500)), async (requests, cuts) => {
        const sent = requests.map((each) => {
          const chunks = each.body.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join('');
          const whole = each.body.join('');
          const [how, rest] = each.chunked
            ? ['Transfer-Encoding: chunked', `${chunks}0\r\n\r\n`]
            : [`Content-Length: ${whole.length}`, whole];
          return `${each.method} ${each.path} HTTP/1.1\r\nHost: web\r\nX-Header: ${each.header}\r\n${how}\r\n\r\n${rest}`;
        });
        const bytes = Buffer.from(sent.join(''), 'latin1');
        const ends = [...cuts.toSorted((a, b) => a - b), bytes.length];
        const cut = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
        const seen = (await read(...cut)).map(({ method, path, headers }) => [
          method,
          path,
          headers['x-header'],
        ]);
        expect(seen).toEqual(requests.map(({ method, path, header }) => [method, path, header]));
      }),
    );
  });

  test('end when the client disconnects, even within a request', async () => {
    const post =
      'POST / HTTP/1.1\r\nHost: web\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n';
    for (let length = 0; length < post.length; length++) {
      expect(await read(get, post.slice(0, length))).toHaveLength(1);
    }
    expect(await read(get, 'POST / HTTP/1.1\r\nHost: web\r\nContent-Length: 5\r\n\r\nabcd')).toHaveLength(1);
  });
});

describe('An invalid request', () => {
  const head = 'POST / HTTP/1.1\r\nHost: web\r\n';

  test.each([
    ['a first line that is too long', `GET /${'x'.repeat(9_000)}`, 414],
    ['an unsupported version', 'PRI * HTTP/2.0\r\n\r\n', 505],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['two hosts', `${head}Host: web\r\n\r\n`, 400],
    ['a header without a colon', `${head}nonsense\r\n\r\n`, 400],
    ['a space before the colon', `${head}X : y\r\n\r\n`, 400],
    ['a header with a continuation line', `${head}X: y\r\n z\r\n\r\n`, 400],
    ['a NUL in a header', `${head}X: \0y\r\n\r\n`, 400],
    ['a carriage return in a header', `${head}X: a\rb\r\n\r\n`, 400],
    ['a header that is too long', `${head}X: ${'y'.repeat(9_000)}`, 431],
    ['too many headers', head + 'X: y\r\n'.repeat(101), 431],
    ['an invalid length', `${head}Content-Length: -1\r\n\r\n`, 400],
    ['two lengths', `${head}Content-Length: 1\r\nContent-Length: 1\r\n\r\n`, 400],
    ['a length and an encoding', `${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 400],
    ['an unknown encoding', `${head}Transfer-Encoding: gzip, chunked\r\n\r\n`, 501],
    ['chunks in HTTP/1.0', 'GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    ['a chunk without a size', `${head}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`, 400],
    ['a chunk that is too long', `${head}Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n`, 400],
  ])('is rejected: %s', async (_, sent, status) => {
    const error: unknown = await read(sent).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(BadRequest);
    expect((error as BadRequest).status).toBe(status);
  });

  test.each([
    ['TLS', '\x16\x03\x01\x02'],
    ['PostgreSQL', '\0\0\0\x08\x04\xd2\x16\x2f'],
    ['Redis', '*1\r\n$4\r\nPING\r\n'],
    ['SSH', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['HTTP/0.9', 'GET /\r\n'],
    ['binary in the first line', 'GET /\x01 HTTP/1.1\r\n\r\n'],
  ])('is reported as NotHttp: %s', async (_, sent) => {
    // The client waits for an answer, and sends no more.
    async function* waiting() {
      yield* pieces(sent);
      await new Promise(() => {});
    }
    const reading = readRequest(new ByteReader(waiting()), async () => {});
    await expect(reading).rejects.toThrow(NotHttp);
  });
});
