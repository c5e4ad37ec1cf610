import type { Duplex } from 'node:stream';
import type { MessageSocket } from '../sim/index.ts';

/** Returns a message socket over a byte stream. @param head bytes that have already been received */
export function byteSocket(socket: Duplex, head: Uint8Array): MessageSocket {
  const chunks: AsyncIterator<Uint8Array> = socket[Symbol.asyncIterator]();
  return {
    messages: {
      // Do not end the iterator of the socket: that would destroy the socket and lose unsent data.
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
        // A failed send is not an error: the reader notices when the messages end.
        if (socket.writable) socket.write(message, () => resolve());
        else resolve();
      }),
    close: () => void socket.end(),
  };
}
