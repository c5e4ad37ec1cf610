import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { describe, expect, test } from 'vitest';
import { listen } from './node.ts';
import { servingCertificate } from './tls.ts';

const nowMs = Date.UTC(2026, 10, 1);
const made = servingCertificate({ hosts: ['localhost', '127.0.0.1', '::1'], nowMs });

describe('A serving certificate', () => {
  test('is valid only for the given hosts', async () => {
    const cert = new X509Certificate((await made).cert);
    expect(cert.checkHost('localhost')).toBe('localhost');
    expect(cert.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(cert.checkHost('example.com')).toBeUndefined();
  });

  test('is signed by its authority, which is a CA', async () => {
    const ca = new X509Certificate((await made).ca);
    const cert = new X509Certificate((await made).cert);
    expect([ca.ca, cert.ca]).toEqual([true, false]);
    expect(cert.checkIssued(ca)).toBe(true);
    expect(cert.verify(ca.publicKey)).toBe(true);
  });

  test('is valid from an hour ago, for a year', async () => {
    const { validFrom, validTo } = new X509Certificate((await made).cert);
    expect(Date.parse(validFrom)).toBe(nowMs - 3_600_000);
    expect(Date.parse(validTo)).toBe(nowMs + 365 * 86_400_000);
  });
});

describe('A server with a certificate', () => {
  /** Resolves with the status of the response, or with the error. */
  const ask = (url: string, ca?: string): Promise<number | string> =>
    new Promise((resolve) => {
      const asked = request(url, ca ? { ca } : {}, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)).end();
    });

  test('is trusted by clients that trust only the authority', async () => {
    // The client checks the validity against the machine's clock.
    const tls = servingCertificate({ hosts: ['127.0.0.1'], nowMs: Date.now() });
    await using server = await listen(async () => new Response(''), { tls });
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await ask(server.url, tls.ca)).toBe(200);
    expect(await ask(server.url)).toMatch(/^(UNABLE_TO_VERIFY|SELF_SIGNED)/);
  });
});
