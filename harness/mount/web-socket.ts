import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { MessageSocket, WebSocketUpgrade } from '../sim/index.ts';

/** More unread messages than this pause reading from the network. */
const UNREAD_MAX = 64;

/**
 * Returns a message socket over a WebSocket. A message is written only after the previous one was sent, so each has its
 * own TLS record, as from a server in Go. Some clients ignore all but the first message of a record.
 *
 * @param connection the connection under the WebSocket
 */
export function messageSocket(
  socket: WebSocket,
  connection: Duplex,
  { sendsText = false }: Pick<WebSocketUpgrade, 'sendsText'>,
): MessageSocket {
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
            // A failed send is not an error: the reader notices when the messages end.
            if (socket.readyState === socket.OPEN)
              socket.send(message, { binary: !sendsText }, () => resolve());
            else resolve();
          }),
      ),
    close: () =>
      void inTurn(() => {
        socket.close(1000);
        // Some clients do not answer the close message, but notice the end of the connection.
        connection.end();
      }),
  };
}
