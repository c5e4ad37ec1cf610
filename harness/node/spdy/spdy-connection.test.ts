import { describe, expect, test } from 'vitest';
import { opens, SpdyClient, sends, settled } from './client.fixture.ts';
import { serveSpdy } from './spdy-connection.ts';
import type { SpdyStream } from './spdy-stream.ts';

/** A server that passes each stream to `use`, and rejects streams with the name `unwanted`. */
function serving(use: (stream: SpdyStream) => Promise<void> | void = () => {}) {
  const client = new SpdyClient();
  const streams: SpdyStream[] = [];
  let ended = false;
  const end = serveSpdy(client.socket, {
    accept: ({ headers }) => headers.get('name') !== 'unwanted',
    opened: (stream) => {
      streams.push(stream);
      void use(stream);
    },
  }).then(() => {
    ended = true;
  });
  return { client, streams, end, hasEnded: () => ended, heard: client.heard };
}

/** Echoes all input in upper case until its end. */
async function shout(stream: SpdyStream): Promise<void> {
  for await (const bytes of stream.incoming) {
    await stream.write(Buffer.from(Buffer.from(bytes).toString().toUpperCase()));
  }
  stream.end();
}

describe('A SPDY connection', () => {
  test('accepts a stream, carries data both ways, and ends each direction separately', async () => {
    const { client, heard } = serving(shout);
    await client.say(opens(1), sends(1, 'a'), sends(1, 'b'));
    await settled();
    expect(heard).toEqual(['1 reply', '1 data A', '1 data B']);
    await client.say(sends(1, '', true));
    await settled();
    expect(heard.slice(3)).toEqual(['1 end']);
  });

  test('keeps streams apart', async () => {
    const { client, heard } = serving(shout);
    await client.say(opens(1), opens(3), sends(3, 'c'), sends(1, 'a'));
    await settled();
    expect(heard).toEqual(['1 reply', '3 reply', '3 data C', '1 data A']);
  });

  test('resets an unwanted stream, and a stream with an old id', async () => {
    const { client, heard, streams } = serving();
    await client.say(opens(3, { name: 'unwanted' }), opens(3), opens(1), opens(5));
    await settled();
    expect(heard).toEqual(['3 reset 5', '3 reset 1', '1 reset 1', '5 reply']);
    expect(streams.map(({ id }) => id)).toEqual([5]);
  });

  test('rejects streams above the limit, until others have closed', async () => {
    const { client, heard } = serving(shout);
    for (let i = 0; i < 4_096; i++) await client.say(opens(2 * i + 1));
    await settled();
    heard.length = 0;
    await client.say(opens(9_001), sends(1, '', true));
    await settled();
    await client.say(opens(9_003));
    await settled();
    expect(heard).toEqual(['9001 reset 3', '1 end', '9003 reply']);
  });

  test("answers the client's pings, but not answers to its own", async () => {
    const { client, heard } = serving();
    await client.say({ type: 'PING', id: 7 }, { type: 'PING', id: 8 });
    await settled();
    expect(heard).toEqual(['ping 7']);
  });

  test('ignores frames of unknown streams, and window updates', async () => {
    const { client, heard } = serving(shout);
    await client.say(
      sends(9, 'x'),
      { type: 'RST_STREAM', streamId: 9, status: 5 },
      { type: 'SETTINGS' },
      { type: 'WINDOW_UPDATE', streamId: 1, delta: 1 },
      { type: 'HEADERS', streamId: 9, fin: false, headers: new Map() },
      opens(1),
      sends(1, 'still'),
    );
    await settled();
    expect(heard).toEqual(['1 reply', '1 data STILL']);
  });

  test('sends nothing on a stream that the client has reset', async () => {
    const { client, heard, streams } = serving();
    await client.say(opens(1), { type: 'RST_STREAM', streamId: 1, status: 5 });
    await settled();
    await streams[0]?.write(Buffer.from('x'));
    streams[0]?.end();
    streams[0]?.reset();
    expect(heard).toEqual(['1 reply']);
  });

  test('sends nothing on a unidirectional stream of the client', async () => {
    const { client, heard, streams } = serving();
    await client.say(opens(1, {}, { unidirectional: true }));
    await settled();
    await streams[0]?.write(Buffer.from('x'));
    expect(heard).toEqual(['1 reply']);
  });

  test('splits long data, so that streams take turns', async () => {
    const { client, heard } = serving(async (stream) => {
      await stream.write(Buffer.alloc(70_000, 'x'));
    });
    await client.say(opens(1));
    await settled();
    expect(heard.slice(1).map((line) => line.length - '1 data '.length)).toEqual([32_768, 32_768, 4_464]);
  });
});

describe('The end of a connection', () => {
  test('comes when the client disconnects, and resets its streams', async () => {
    const { client, heard, end } = serving(shout);
    await client.say(opens(1), opens(3));
    await settled();
    client.leave();
    await end;
    expect(heard.slice(2)).toEqual(['1 reset 5', '3 reset 5', 'goaway 3', 'closed']);
  });

  test('comes when the client sends GOAWAY', async () => {
    const { client, heard, end, streams } = serving();
    await client.say(opens(1), { type: 'GOAWAY', lastStreamId: 0, status: 0 }, opens(3));
    await end;
    expect(heard).toEqual(['1 reply', '1 reset 5', 'closed']);
    expect(streams).toHaveLength(1);
  });

  test('comes with the first invalid frame', async () => {
    const { client, heard, end } = serving(shout);
    await client.sayBytes(Buffer.from('8003ffff00000000', 'hex'));
    await end;
    expect(heard).toEqual(['goaway 0', 'closed']);
  });
});

describe('Slowness', () => {
  test('of the server blocks the client', async () => {
    const { client, streams } = serving();
    await client.say(opens(1));
    const sent: number[] = [];
    const sending = (async () => {
      for (let i = 0; i < 20; i++) {
        await client.say(sends(1, 'x'.repeat(20_000)));
        sent.push(i);
      }
    })();
    await settled();
    expect(sent.length).toBeLessThan(12);
    let bytes = 0;
    const reading = (async () => {
      for await (const piece of streams[0]?.incoming ?? []) bytes += piece.length;
    })();
    await sending;
    client.leave();
    await reading;
    expect(bytes).toBe(400_000);
  });

  test('of the client blocks the server', async () => {
    let written = 0;
    const { client } = serving(async (stream) => {
      for (; written < 20; written++) await stream.write(Buffer.from('x'));
    });
    const goOn = client.readNothing();
    await client.say(opens(1));
    await settled();
    expect(written).toBe(0);
    goOn();
    await settled();
    expect(written).toBe(20);
  });

  test('does not block other streams if the server has ended the stream', async () => {
    const { client, heard } = serving((stream) => {
      if (stream.id === 1) stream.end();
      else void shout(stream);
    });
    await client.say(opens(1), opens(3));
    for (let i = 0; i < 20; i++) await client.say(sends(1, 'x'.repeat(20_000)));
    await client.say(sends(3, 'on'));
    await settled();
    expect(heard).toEqual(['1 reply', '1 end', '3 reply', '3 data ON']);
  });
});
