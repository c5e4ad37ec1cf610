import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import type { FetchHandler } from './fetch.ts';
import { httpServer } from './http-server.ts';
import { servingCertificate } from './tls.ts';

/** A TLS connection between a client and a server, over a network in memory that the test controls. */
interface TlsWire extends Disposable {
  /** Sends a text in separate TLS records. Resolves when the network has the records. */
  send(text: string): Promise<void>;
  /** Holds back the records of the client from now on. The returned function delivers them in one piece. */
  holdRecords(): () => void;
  /**
   * Delivers records to the client from now on, but leaves the writes of the server open. The returned function ends
   * the writes.
   */
  holdWrites(): () => void;
  /**
   * Waits until the client has received a text. Returns that text, or the server's error if the server closes the
   * connection.
   */
  received(text: string): Promise<string>;
}

const certificate = servingCertificate({ hosts: ['127.0.0.1'], nowMs: Date.now() });

/** Connects a client to a new server for `handler`. */
export async function tlsWire(handler: FetchHandler): Promise<TlsWire> {
  const tls = await certificate;
  const { server } = httpServer(handler, { tls });
  const { client, ...network } = networkTo((end) => server.emit('connection', end));
  let answers = '';
  let failure: string | undefined;
  let wake = (): void => {};
  server.on('clientError', (error, socket) => {
    failure = error.message;
    socket.destroy();
    wake();
  });
  const socket = connect({ socket: client, ca: tls.ca, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.on('data', (data) => {
    answers += data;
    wake();
  });
  await once(socket, 'secureConnect');
  return {
    ...network,
    send: (text) => new Promise((resolve) => void socket.write(text, () => resolve())),
    async received(text) {
      while (failure === undefined && !answers.includes(text)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return failure ?? text;
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** Opens a connection in memory. @param accept receives the server's end */
function networkTo(accept: (server: Duplex) => void) {
  let records: Buffer[] | undefined;
  let writes: (() => void)[] | undefined;
  const server: Duplex = new Duplex({
    read() {},
    writev(chunks, done) {
      for (const { chunk } of chunks) client.push(chunk);
      if (writes) writes.push(done);
      else done();
    },
  });
  const client: Duplex = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      if (records) records.push(chunk);
      else server.push(chunk);
      done();
    },
    destroy(error, done) {
      server.push(null);
      done(error);
    },
  });
  accept(server);
  return {
    client,
    holdRecords() {
      const held: Buffer[] = [];
      records = held;
      return () => {
        records = undefined;
        server.push(Buffer.concat(held));
      };
    },
    holdWrites() {
      const held: (() => void)[] = [];
      writes = held;
      return () => {
        writes = undefined;
        for (const done of held) done();
      };
    },
  };
}

/** Sizes in bytes. */
interface Exchange {
  /** The size of the answer to the first request. */
  readonly answer: number;
  /** The size of the body of the second request. */
  readonly write: number;
}

/**
 * Sends two requests over one connection. The second arrives before the server knows that the answer to the first has
 * been sent, as it does on a busy machine. Its head and its body are separate TLS records that arrive together.
 *
 * @returns the number of bytes that the server read from the second request, or its error if it closes the connection
 */
export async function writeAfterAnswer({ answer, write }: Exchange): Promise<string> {
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  using wire = await tlsWire(async (request) => {
    if (request.method === 'HEAD') return new Response();
    if (request.method === 'GET') return new Response('x'.repeat(answer), { headers: { second: '' } });
    arrive();
    return new Response(`read ${(await request.text()).length}`);
  });
  // The server also writes after the handshake. This exchange ends when those writes have ended.
  await wire.send('HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  await wire.received('HTTP/1.1 200 OK');
  const endWrites = wire.holdWrites();
  await wire.send('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  await wire.received('second');
  const deliver = wire.holdRecords();
  await wire.send(`POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${write}\r\n\r\n`);
  await wire.send('y'.repeat(write));
  deliver();
  await arrived;
  // The second record follows the first in the same turn.
  await new Promise(setImmediate);
  endWrites();
  return await wire.received(`read ${write}`);
}
