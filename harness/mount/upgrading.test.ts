import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { UpgradeHandler } from '../sim/index.ts';
import { listen } from './node.ts';
import { servingCertificate } from './tls.ts';

const handler = async (): Promise<Response> => new Response('plain');

/** Sends every message back in capitals, until it receives `end`. */
const echo: UpgradeHandler = async (request) => ({
  protocol: 'loud',
  async serve(socket) {
    socket.send(new TextEncoder().encode(request.url.replace(/^.*:\d+/, '')));
    for await (const message of socket.messages) {
      const text = new TextDecoder().decode(message);
      if (text === 'end') socket.close();
      else socket.send(new TextEncoder().encode(text.toUpperCase()));
    }
  },
});

const HANDSHAKE = {
  connection: 'upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};

/** Opens a WebSocket that sends no messages. Returns its handshake and the first bytes received. */
async function opened(url: string, protocol: string) {
  const { port, hostname } = new URL(url);
  const headers = { ...HANDSHAKE, 'sec-websocket-protocol': protocol };
  const asking = request({ port, hostname, headers }).end();
  const [response, connection, head] = await once(asking, 'upgrade');
  return { response, connection, head } as {
    readonly response: IncomingMessage;
    readonly connection: Socket;
    readonly head: Buffer;
  };
}

describe('An upgrade to a WebSocket', () => {
  test('carries messages both ways, in the chosen protocol', async () => {
    await using server = await listen(handler, { upgrade: echo });
    const client = new WebSocket(`${server.url.replace('http', 'ws')}/path?query`, ['quiet', 'loud']);
    const heard: string[] = [];
    client.on('message', (data) => {
      heard.push(String(data));
      client.send(heard.length === 1 ? 'a' : 'end');
    });
    const [code] = await once(client, 'close');
    expect(client.protocol).toBe('loud');
    expect({ code, heard }).toEqual({ code: 1000, heard: ['/path?query', 'A'] });
  });

  test('sends text where the protocol asks for it', async () => {
    const upgrade: UpgradeHandler = async () => ({
      protocol: '',
      sendsText: true,
      async serve(socket) {
        await socket.send(new TextEncoder().encode('é'));
        socket.close();
      },
    });
    await using server = await listen(handler, { upgrade });
    const client = new WebSocket(server.url.replace('http', 'ws'));
    const [message, isBinary] = await once(client, 'message');
    expect([String(message), isBinary]).toEqual(['é', false]);
    await once(client, 'close');
  });

  test('allows a protocol name with a slash', async () => {
    const upgrade: UpgradeHandler = async (request) => ({
      protocol: request.headers.get('sec-websocket-protocol') ?? '',
      serve: (socket) => socket.close(),
    });
    await using server = await listen(handler, { upgrade });
    // The client of `ws` does not support such a name.
    const { response, connection } = await opened(server.url, 'LOUD/1.0+x');
    connection.destroy();
    expect(response.headers['sec-websocket-protocol']).toBe('LOUD/1.0+x');
  });

  test('ends the connection when the server closes it, even if the client does not answer', async () => {
    await using server = await listen(handler, {
      upgrade: async () => ({ protocol: 'loud', serve: (socket) => socket.close() }),
    });
    const { connection, head } = await opened(server.url, 'loud');
    const sent = Buffer.concat([head, ...(await connection.toArray())]);
    expect(sent).toEqual(Buffer.from([0x88, 2, 1000 >> 8, 1000 & 0xff]));
  });

  test('sends each message in its own TLS record', async () => {
    const tls = servingCertificate({ hosts: ['127.0.0.1'], nowMs: Date.now() });
    const upgrade: UpgradeHandler = async () => ({
      protocol: 'loud',
      serve(socket) {
        for (const text of ['', 'a', 'b']) socket.send(new TextEncoder().encode(text));
        socket.close();
      },
    });
    await using server = await listen(handler, { upgrade, tls });
    const { port, hostname } = new URL(server.url);
    const socket = connectTls({ port: Number(port), host: hostname, ca: tls.ca });
    const head = Object.entries(HANDSHAKE).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}\r\n${head.join('')}\r\n`);
    const records = await socket.toArray();
    expect(records.slice(-4).map((record: Buffer) => [...record])).toEqual([
      [0x82, 0],
      [0x82, 1, 97],
      [0x82, 1, 98],
      [0x88, 2, 1000 >> 8, 1000 & 0xff],
    ]);
  });

  test('applies back pressure to unread messages', async () => {
    let read = (): void => {};
    const mayRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    let count = 0;
    const upgrade: UpgradeHandler = async () => ({
      protocol: 'loud',
      async serve(socket) {
        await mayRead;
        for await (const _ of socket.messages) if (++count === 400) socket.close();
      },
    });
    await using server = await listen(handler, { upgrade });
    const client = new WebSocket(server.url.replace('http', 'ws'), ['loud']);
    await once(client, 'open');
    // More than the network buffers.
    for (let i = 0; i < 400; i++) client.send(Buffer.alloc(100_000));
    let before: number;
    do {
      before = client.bufferedAmount;
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    } while (client.bufferedAmount < before);
    expect(client.bufferedAmount).toBeGreaterThan(10_000_000);
    read();
    await once(client, 'close');
    expect(count).toBe(400);
  });

  test('can be rejected with a response', async () => {
    const upgrade: UpgradeHandler = async () =>
      new Response('{"message":"no"}', { status: 403, headers: { 'Content-Type': 'application/json' } });
    await using server = await listen(handler, { upgrade });
    const client = new WebSocket(server.url.replace('http', 'ws'), ['loud']);
    client.on('error', () => {});
    const [, response] = await once(client, 'unexpected-response');
    const [body] = await once(response, 'data');
    expect([response.statusCode, String(body)]).toEqual([403, '{"message":"no"}']);
  });

  test.each([
    ['TRACE', 'x'],
    ['GET', 'a b'],
  ])('rejects an invalid request: method %s, host %s', async (method, hostname) => {
    await using server = await listen(handler, { upgrade: echo });
    const { port, hostname: address } = new URL(server.url);
    const socket = connect(Number(port), address);
    socket.write(`${method} / HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
  });

  /** An upgrade handler that upgrades nothing. */
  const none: UpgradeHandler = async () => undefined;

  test.each([
    ['HTTP/2, as curl and Java do', 'Upgrade, HTTP2-Settings', 'h2c'],
    ['a WebSocket', 'keep-alive, Upgrade', 'websocket'],
  ])('is ignored where the server does not support it: %s', async (_, connection, protocol) => {
    const answer = async (asked: Request): Promise<Response> =>
      new Response(`${asked.method} ${[...asked.headers.keys()].join()} ${await asked.text()}`);
    await using server = await listen(answer, { upgrade: none });
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const head = `Host: ${hostname}\r\nConnection: ${connection}\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAA\r\n`;
    socket.write(`POST / HTTP/1.1\r\n${head}Content-Length: 5\r\n\r\nfirst`);
    const next = `DELETE / HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`;
    socket.once('data', () => socket.write(next));
    const answers = await text(socket);
    expect(answers.match(/^(POST|DELETE) .*$/gm)).toEqual([
      expect.stringMatching(/^POST (connection,)?content-length,host first/),
      'DELETE connection,host ',
    ]);
  });

  test('is ignored over TLS, too', async () => {
    const tls = servingCertificate({ hosts: ['127.0.0.1'], nowMs: Date.now() });
    await using server = await listen(async (asked) => new Response(await asked.text()), {
      upgrade: none,
      tls,
    });
    const { port, hostname } = new URL(server.url);
    const socket = connectTls({ port: Number(port), host: hostname, ca: tls.ca });
    const head = `Host: ${hostname}\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n`;
    socket.write(`POST / HTTP/1.1\r\n${head}Content-Length: 6\r\n\r\nsecret`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 OK.*secret$/s);
  });

  test('does not affect other requests', async () => {
    await using server = await listen(handler, { upgrade: echo });
    expect(await (await fetch(server.url)).text()).toBe('plain');
  });

  test('notifies the server when the client disconnects', async () => {
    let gone = (): void => {};
    const isGone = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const upgrade: UpgradeHandler = async () => ({
      protocol: 'loud',
      async serve(socket) {
        for await (const _ of socket.messages);
        gone();
      },
    });
    await using server = await listen(handler, { upgrade });
    const client = new WebSocket(server.url.replace('http', 'ws'), ['loud']);
    await once(client, 'open');
    client.terminate();
    await isGone;
  });
});

describe('An upgrade to bytes', () => {
  /** Sends the upgrade request as old clients do: with POST, and with data right after it. */
  async function ask(url: string, body: string): Promise<Socket> {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /path HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: Bytes\r\n\r\n${body}`,
    );
    return socket;
  }

  const bytes: UpgradeHandler = async () => ({
    headers: { Upgrade: 'Bytes', 'X-Version': '1' },
    async serve(socket) {
      let text = '';
      for await (const message of socket.messages) {
        text += new TextDecoder().decode(message);
        if (text.endsWith('.')) break;
      }
      await socket.send(new TextEncoder().encode(text.toUpperCase()));
      socket.close();
    },
  });

  test('carries bytes both ways after the response headers', async () => {
    await using server = await listen(handler, { upgrade: bytes });
    const socket = await ask(server.url, 'first ');
    setImmediate(() => socket.write('second.'));
    expect(await text(socket)).toBe(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: Bytes\r\nX-Version: 1\r\n\r\nFIRST SECOND.',
    );
  });

  test('ends when the server closes', async () => {
    const server = await listen(handler, { upgrade: bytes });
    const socket = await ask(server.url, 'and then ');
    await once(socket, 'data');
    await server.close();
    await once(socket, 'close');
  });

  test('notifies the server when the client disconnects', async () => {
    let gone = (): void => {};
    const isGone = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const upgrade: UpgradeHandler = async () => ({
      headers: { Upgrade: 'Bytes' },
      async serve(socket) {
        for await (const _ of socket.messages);
        await socket.send(new Uint8Array(1));
        gone();
      },
    });
    await using server = await listen(handler, { upgrade });
    const socket = await ask(server.url, '');
    await once(socket, 'data');
    socket.resetAndDestroy();
    await isGone;
  });
});
