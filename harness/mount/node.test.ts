import { EventEmitter, once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { listen } from './node.ts';

describe('listen', () => {
  test('serves a handler until it is closed', async () => {
    let url: string;
    {
      await using server = await listen(
        async (incoming) => new Response(`${incoming.method} ${incoming.url}`),
      );
      url = server.url;
      const response = await fetch(`${url}/path?query`, { method: 'PUT', body: 'x' });
      expect(await response.text()).toBe(`PUT ${url}/path?query`);
    }
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('rejects with the port that is already in use', async () => {
    const handler = async () => new Response();
    await using server = await listen(handler);
    const port = Number(new URL(server.url).port);
    await expect(listen(handler, { port })).rejects.toThrow(
      `EADDRINUSE: address already in use 127.0.0.1:${port}`,
    );
  });

  test('sends the headers before the first byte of a body', async () => {
    const endless = async () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
    await using server = await listen(endless);
    const client = request(server.url).on('error', () => {});
    const [response] = await once(client.end(), 'response');
    expect(response.statusCode).toBe(200);
    client.destroy();
  });

  test("sends headers and chunks at once, and aborts the request's signal on disconnect", async () => {
    const events = new EventEmitter();
    await using server = await listen(async ({ signal }) => {
      signal.addEventListener('abort', () => events.emit('gone'));
      const start = (controller: ReadableStreamDefaultController) =>
        controller.enqueue(new TextEncoder().encode('\n'));
      return new Response(new ReadableStream({ start }));
    });
    const client = request(server.url).end();
    const [response] = await once(client, 'response');
    const [chunk] = await once(response, 'data');
    expect(String(chunk)).toBe('\n');
    const gone = once(events, 'gone');
    client.on('error', () => {}).destroy();
    await gone;
  });

  test('does not replace global objects', async () => {
    const before = [globalThis.Request, globalThis.Response];
    await using _server = await listen(async () => new Response());
    expect([globalThis.Request, globalThis.Response]).toEqual(before);
  });
});
