import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { UpgradeHandler } from '../sim/index.ts';
import { foreignRequest } from './foreign-request.ts';
import { listen } from './node.ts';

/** Returns the reason why a request is refused; undefined if it is not. */
async function refused(url: string, origin?: string, own = '127.0.0.1'): Promise<string | undefined> {
  const request = new Request(url, { headers: origin === undefined ? {} : { origin } });
  const refusal = foreignRequest(request, own);
  return refusal && `${refusal.status} ${(await refusal.text()).trim()}`;
}

describe('A request', () => {
  test.each([
    'http://127.0.0.1:6443/',
    'http://localhost:6443/',
    'http://api.localhost/',
    'https://[::1]:6443/',
    'http://192.168.1.20:6443/',
  ])('to %s is accepted', async (url) => {
    expect(await refused(url)).toBeUndefined();
  });

  test("to the server's own name is accepted", async () => {
    expect(await refused('http://lab.example:6443/', undefined, 'lab.example')).toBeUndefined();
  });

  test.each([
    'http://evil.example/',
    'http://localhost.evil.example:6443/',
    'http://127.0.0.1.evil.example/',
  ])('to %s is refused', async (url) => {
    const why = `The host ${new URL(url).host} is not a name of this server. Use localhost or an IP address.`;
    expect(await refused(url)).toBe(`403 Forbidden: ${why}`);
  });

  test.each([
    'http://127.0.0.1:6443',
    'http://localhost:8001',
    'http://127.0.0.1:8001',
    'https://[::1]:8080',
  ])('from a page of %s is accepted', async (origin) => {
    expect(await refused('http://127.0.0.1:6443/', origin)).toBeUndefined();
  });

  test('from a page of the server on another machine is accepted', async () => {
    expect(await refused('http://192.168.1.20:6443/', 'http://192.168.1.20:6443')).toBeUndefined();
  });

  test.each(['http://evil.example', 'http://192.168.1.21:6443', 'http://127.0.0.1.evil.example', 'null'])(
    'from a page of %s is refused',
    async (origin) => {
      expect(await refused('http://192.168.1.20:6443/', origin)).toBe(
        `403 Forbidden: Pages of ${origin} may not use this server.`,
      );
    },
  );
});

describe('A server', () => {
  test('refuses a write of another site, and another name of its address', async () => {
    const written: string[] = [];
    await using server = await listen(async ({ method }) => {
      written.push(method);
      return new Response();
    });
    const send = async (headers: Record<string, string>): Promise<string> => {
      const [response] = await once(request(server.url, { method: 'POST', headers }).end('{}'), 'response');
      return `${response.statusCode} ${await text(response)}`;
    };
    expect(await send({ origin: 'http://evil.example' })).toMatch(/^403 Forbidden: Pages of/);
    expect(await send({ host: 'evil.example' })).toMatch(/^403 Forbidden: The host evil.example/);
    expect(written).toEqual([]);
  });

  test('refuses a WebSocket of another site', async () => {
    const upgrade: UpgradeHandler = async () => ({ protocol: '', serve: (socket) => socket.close() });
    await using server = await listen(async () => new Response(), { upgrade });
    const client = new WebSocket(server.url.replace('http', 'ws'), { origin: 'http://evil.example' });
    client.on('error', () => {});
    const [, response] = await once(client, 'unexpected-response');
    expect(response.statusCode).toBe(403);
    response.destroy();
  });
});
