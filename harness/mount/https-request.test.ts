import { describe, expect, test } from 'vitest';
import { requestHttps } from './https-request.ts';
import { listen } from './node.ts';
import { realClock } from './real-clock.ts';
import { servingCertificate } from './tls.ts';

const hosts = ['localhost'];
const tls = await servingCertificate({ hosts, nowMs: realClock.now() });
const other = await servingCertificate({ hosts, nowMs: realClock.now() });

async function echo(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const seen = `${request.method} ${pathname}${search} ${request.headers.get('x-a')} ${await request.text()}`;
  return new Response(seen, { status: 201, headers: { 'x-b': '2' } });
}

const post = (port: number, more: object = {}) =>
  requestHttps({
    method: 'POST',
    host: 'localhost',
    port,
    path: '/x?y=z',
    headers: { 'x-a': '1' },
    body: 'é',
    ca: tls.ca,
    timeoutMs: 30_000,
    ...more,
  });

const portOf = (url: string): number => Number(new URL(url).port);

describe('An HTTPS request', () => {
  test('reaches a server whose certificate its authority has signed', async () => {
    await using server = await listen(echo, { tls });
    expect(await post(portOf(server.url))).toMatchObject({
      status: 201,
      headers: { 'x-b': '2' },
      body: 'POST /x?y=z 1 é',
    });
  });

  test.each<[about: string, why: string, more: object]>([
    ['of another authority', 'certificate signed by unknown authority', { ca: other.ca }],
    ['of an authority unknown to Node', 'certificate signed by unknown authority', { ca: undefined }],
    ['for another host', 'certificate is valid for localhost, not 127.0.0.1', { host: '127.0.0.1' }],
  ])('fails at a server with a certificate %s', async (_about, why, more) => {
    await using server = await listen(echo, { tls });
    await expect(post(portOf(server.url), more)).rejects.toThrow(
      `tls: failed to verify certificate: x509: ${why}`,
    );
  });

  test('fails at a server without TLS, and without a server', async () => {
    const server = await listen(echo);
    const port = portOf(server.url);
    await expect(post(port)).rejects.toThrow('http: server gave HTTP response to HTTPS client');
    await server.close();
    await expect(post(port, { host: '127.0.0.1' })).rejects.toThrow(
      `dial tcp 127.0.0.1:${port}: connect: connection refused`,
    );
  });

  test('fails when its time is over', async () => {
    await using server = await listen(() => new Promise(() => {}), { tls });
    await expect(post(portOf(server.url), { timeoutMs: 0 })).rejects.toThrow('context deadline exceeded');
  });
});
