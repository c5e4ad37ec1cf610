import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { MessageSocket } from '../sim/index.ts';

/** How many messages may wait to be read before no more are taken from the network. */
const UNREAD_MAX = 64;

/**
 * A WebSocket, to read and write. A message is written when the one before it is on its way: as a server in Go sends it, it is a
 * record of its own in TLS. Some clients do not look at what else came in a record.
 *
 * @param connection what it is spoken over
 */
export function messageSocket(socket: WebSocket, connection: Duplex): MessageSocket {
  const received: Uint8Array[] = [];
  let closed = false;
  let wake = (): void => {};
  socket.on('message', (data: Buffer) => {
    received.push(data);
    if (received.length > UNREAD_MAX) socket.pause();
    wake();
  });
  socket.on('close', () => {
    closed = true;
    wake();
  });
  socket.on('error', () => {});
  let sent = Promise.resolve();
  const inTurn = (write: () => void | Promise<void>): Promise<void> => {
    sent = sent.then(write);
    return sent;
  };
  return {
    messages: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          const message = received.shift();
          if (received.length === 0) socket.resume();
          if (message) yield message;
          else if (closed) return;
          else
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
        }
      },
    },
    send: (message) =>
      inTurn(
        () =>
          new Promise((resolve) => {
            // What cannot be sent is as good as sent: the end of the messages tells.
            if (socket.readyState === socket.OPEN) socket.send(message, () => resolve());
            else resolve();
          }),
      ),
    close: () =>
      void inTurn(() => {
        socket.close(1000);
        // Some clients do not answer: they notice this.
        connection.end();
      }),
  };
}
