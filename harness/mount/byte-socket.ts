import type { Duplex } from 'node:stream';
import type { MessageSocket } from '../sim/index.ts';

/** A connection of bytes, to read and write. @param head what has come over it already */
export function byteSocket(socket: Duplex, head: Uint8Array): MessageSocket {
  const chunks: AsyncIterator<Uint8Array> = socket[Symbol.asyncIterator]();
  return {
    messages: {
      // The iterator of the socket is not returned to, as that would destroy the socket with what is still to be sent.
      async *[Symbol.asyncIterator]() {
        if (head.length > 0) yield head;
        for (;;) {
          const { done, value } = await chunks.next().catch(() => ({ done: true, value: undefined }));
          if (done || !value) return;
          yield value;
        }
      },
    },
    send: (message) =>
      new Promise((resolve) => {
        // What cannot be sent is as good as sent: the end of the messages tells.
        if (socket.writable) socket.write(message, () => resolve());
        else resolve();
      }),
    close: () => void socket.end(),
  };
}
