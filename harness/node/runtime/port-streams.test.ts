import { describe, expect, test } from 'vitest';
import { Simulation } from '../../sim/index.ts';
import { opens, SpdyClient, sends, settled } from '../spdy/client.fixture.ts';
import { carryPort } from './carry-port.ts';
import { portStreams } from './port-streams.ts';

/** A sandbox. `forward` carries the connections. */
function serving(forward: Parameters<typeof carryPort>[1] = async () => {}) {
  const sim = new Simulation();
  const client = new SpdyClient();
  const ports: number[] = [];
  const serve = portStreams({
    clock: sim.clock,
    carry: carryPort('box', async (port, connection) => {
      ports.push(port);
      await forward(port, connection);
    }),
  });
  void serve(client.socket);
  return { sim, client, ports, heard: client.heard };
}

const of = (streamtype: string, requestid = '0', port = '80') => ({ streamtype, requestid, port });

describe('A connection to a port', () => {
  test('is a pair of streams, and starts when both are open', async () => {
    const { client, heard, ports } = serving(async (_, { incoming }) => {
      await incoming[Symbol.asyncIterator]().next();
    });
    await client.say(opens(1, of('error')), sends(1, '', true));
    await settled();
    expect(ports).toEqual([]);
    await client.say(opens(3, of('data')));
    await settled();
    expect(ports).toEqual([80]);
    expect(heard).toEqual(['1 reply', '3 reply']);
  });

  test('ends both streams when it ends', async () => {
    const { client, heard } = serving(async (_, connection) => {
      for await (const bytes of connection.incoming) await connection.write(bytes);
    });
    await client.say(opens(1, of('error')), sends(1, '', true), opens(3, of('data')), sends(3, 'hi', true));
    await settled();
    expect(heard).toEqual(['1 reply', '3 reply', '3 data hi', '3 end', '1 end']);
  });

  test('reports an error on the other stream, and resets both', async () => {
    const { client, heard } = serving(async () => {
      throw new Error('connection refused');
    });
    await client.say(opens(1, of('error')), opens(3, of('data')));
    await settled();
    const why = 'error forwarding port 80 to pod box, uid : connection refused';
    expect(heard).toEqual(['1 reply', '3 reply', `1 data ${why}`, '3 reset 5', '1 reset 5']);
  });

  test('can coexist with others, to several ports', async () => {
    const { client, ports } = serving();
    await client.say(opens(1, of('error', '0')), opens(3, of('error', '1', '8080')));
    await client.say(opens(5, of('data', '1', '8080')), opens(7, of('data', '0')));
    await settled();
    expect(ports).toEqual([8080, 80]);
  });

  test('of an old client without request ids is identified by its stream ids', async () => {
    const { client, ports } = serving();
    const old = (streamtype: string) => ({ streamtype, port: '80' });
    await client.say(opens(1, old('error')), opens(3, old('data')));
    await settled();
    expect(ports).toEqual([80]);
  });

  test.each([
    [{ streamtype: 'data', requestid: '0' }],
    [of('data', '0', '0')],
    [of('data', '0', '65536')],
    [of('data', '0', '8x')],
    [of('stdin')],
    [{ port: '80', requestid: '0' }],
  ])('is rejected with %j', async (headers) => {
    const { client, heard } = serving();
    await client.say(opens(1, headers));
    await settled();
    expect(heard).toEqual(['1 reset 5']);
  });

  test('rejects a second stream of the same type', async () => {
    const { client, heard, ports } = serving();
    await client.say(opens(1, of('error')), opens(3, of('error')));
    await settled();
    const why = 'error processing stream for request 0: error stream already assigned';
    expect(heard).toEqual(['1 reply', '3 reply', `1 data ${why}`]);
    expect(ports).toEqual([]);
  });

  test('times out if its other stream is missing', async () => {
    const { sim, client, heard, ports } = serving();
    await client.say(opens(1, of('error')));
    await settled();
    await sim.run({ forMs: 30_001 });
    expect(heard).toEqual(['1 reply', '1 data (request=0) timed out waiting for streams']);
    await client.say(opens(3, of('data')));
    await settled();
    expect(ports).toEqual([]);
  });
});
