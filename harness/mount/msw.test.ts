import { once } from 'node:events';
// msw replaces the functions of the default export.
import http from 'node:http';
import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { mswHandlers } from './msw.ts';

test('the handlers for msw send the headers before the first byte of a body', async () => {
  const endless = async () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
  const server = setupServer(...mswHandlers('http://apiserver.test', endless));
  server.listen();
  try {
    const client = http.request('http://apiserver.test/pods').on('error', () => {});
    const [response] = await once(client.end(), 'response');
    expect(response.statusCode).toBe(200);
    client.destroy();
  } finally {
    server.close();
  }
});
