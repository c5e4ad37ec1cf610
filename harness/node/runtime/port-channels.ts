import type { ServePorts } from '../../contracts/node/streaming-service.ts';
import { ByteQueue } from '../spdy/byte-queue.ts';
import type { CarryPort } from './carry-port.ts';

/**
 * Serves connections over channels, one for each port in a list. For the port at index i, channel 2i carries the data,
 * and channel 2i + 1 the error. The first message on both is the port. The socket closes when all connections have
 * ended; a single connection cannot be closed alone.
 *
 * Upstream: kubernetes/cri-streaming@v0.36.3 pkg/streaming/portforward/websocket.go handleWebSocketStreams
 *
 * Differs: an idle connection stays open; upstream closes it after four hours.
 */
export function portChannels(carry: CarryPort): ServePorts['channels'] {
  return async (socket, ports) => {
    const send = (channel: number, bytes: Uint8Array): Promise<void> =>
      socket.send(Buffer.concat([Uint8Array.of(channel), bytes]));
    const pairs = ports.map((port, i) => ({
      port,
      data: 2 * i,
      error: 2 * i + 1,
      incoming: new ByteQueue(),
    }));

    const receive = async (): Promise<void> => {
      for await (const message of socket.messages) {
        const pair = pairs.find(({ data }) => data === message[0]);
        await pair?.incoming.push(message.subarray(1));
      }
      for (const { incoming } of pairs) incoming.end();
    };
    void receive();

    for (const { port, data, error } of pairs) {
      const littleEndian = Uint8Array.of(port & 0xff, port >> 8);
      await send(data, littleEndian);
      await send(error, littleEndian);
    }
    await Promise.all(
      pairs.map(async ({ port, data, error, incoming }) => {
        const why = await carry(port, { incoming, write: (bytes) => send(data, bytes) });
        if (why !== undefined) await send(error, Buffer.from(why));
        incoming.discard();
      }),
    );
    socket.close();
  };
}
