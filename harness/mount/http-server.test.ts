import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { listen } from './node.ts';
import { tlsWire, writeAfterAnswer } from './tls-wire.fixture.ts';

describe('A TLS connection', () => {
  test.each(
    [2_000, 20_000, 300_000, 5_000_000].flatMap((answer) =>
      [2_000, 20_000, 300_000].map((write) => ({ answer, write })),
    ),
  )('carries a write of $write bytes after an answer of $answer', async (exchange) => {
    expect(await writeAfterAnswer(exchange)).toBe(`read ${exchange.write}`);
  });

  test('reads an answer no faster than the client', async () => {
    let chunks = 0;
    const pull = (controller: ReadableStreamDefaultController): void => {
      chunks++;
      controller.enqueue(new Uint8Array(64 * 1024));
    };
    using wire = await tlsWire(async () => new Response(new ReadableStream({ pull })));
    wire.holdWrites();
    await wire.send('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
    expect(chunks).toBeLessThan(10);
  });
});

describe('A connection', () => {
  test('stays open for 90 s after a response', async () => {
    await using server = await listen(async () => new Response());
    const [{ headers }] = await once(
      request(server.url, { headers: { connection: 'keep-alive' } }).end(),
      'response',
    );
    expect(headers['keep-alive']).toBe('timeout=90');
  });

  test('carries a request with 900 kB of headers', async () => {
    await using server = await listen(
      async ({ headers }) => new Response(`${headers.get('x-long')?.length}`),
    );
    const response = await fetch(server.url, { headers: { 'x-long': 'x'.repeat(900_000) } });
    expect(await response.text()).toBe('900000');
  });
});
