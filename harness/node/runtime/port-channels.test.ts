import { describe, expect, test } from 'vitest';
import type { MessageSocket } from '../../sim/index.ts';
import { ByteQueue } from '../spdy/byte-queue.ts';
import { settled } from '../spdy/client.fixture.ts';
import { carryPort } from './carry-port.ts';
import { portChannels } from './port-channels.ts';

/** A client with channels to ports of a sandbox. `forward` carries the connections. */
function connected(ports: readonly number[], forward: Parameters<typeof carryPort>[1]) {
  const said = new ByteQueue();
  const heard: string[] = [];
  const socket: MessageSocket = {
    messages: said,
    send: async ([channel, ...bytes]) => {
      heard.push(`${channel} ${Buffer.from(bytes).toString('latin1')}`);
    },
    close: () => heard.push('closed'),
  };
  void portChannels(carryPort('box', forward))(socket, ports);
  const say = async (channel: number, text: string): Promise<void> => {
    await said.push(Buffer.from([channel, ...Buffer.from(text)]));
    await settled();
  };
  const leave = async (): Promise<void> => {
    said.end();
    await settled();
  };
  return { heard, say, leave };
}

/** The port numbers 80 and 8080 as bytes, as the first message on a channel. */
const [HTTP, ALTERNATIVE] = ['\x50\x00', '\x90\x1f'];

/** Echoes all input. */
const echo: Parameters<typeof carryPort>[1] = async (_, { incoming, write }) => {
  for await (const bytes of incoming) await write(bytes);
};

describe('Channels to ports', () => {
  test('start with the port, on both channels of each port', async () => {
    const { heard } = connected([80, 8080], echo);
    await settled();
    expect(heard).toEqual([`0 ${HTTP}`, `1 ${HTTP}`, `2 ${ALTERNATIVE}`, `3 ${ALTERNATIVE}`]);
  });

  test('carry each port separately, until the client disconnects', async () => {
    const { heard, say, leave } = connected([80, 8080], echo);
    await say(2, 'hi');
    await say(0, 'hello');
    expect(heard.slice(4)).toEqual(['2 hi', '0 hello']);
    await leave();
    expect(heard.slice(6)).toEqual(['closed']);
  });

  test('ignore input on the error channel and on unknown channels', async () => {
    const { heard, say } = connected([80], echo);
    await say(1, 'what?');
    await say(2, 'who?');
    expect(heard.slice(2)).toEqual([]);
  });

  test('report the failure of one port, while the others continue', async () => {
    const { heard, say, leave } = connected([80, 8080], async (port, connection) => {
      if (port === 80) throw new Error('connection refused');
      await echo(port, connection);
    });
    await settled();
    expect(heard.slice(4)).toEqual(['1 error forwarding port 80 to pod box, uid : connection refused']);
    await say(0, 'still there?');
    await say(2, 'hi');
    expect(heard.slice(5)).toEqual(['2 hi']);
    await leave();
    expect(heard.slice(6)).toEqual(['closed']);
  });

  test('close when every connection has ended', async () => {
    const { heard } = connected([80], async (_, { write }) => write(Buffer.from('bye')));
    await settled();
    expect(heard.slice(2)).toEqual(['0 bye', 'closed']);
  });
});
