import { describe, expect, test } from 'vitest';
import type { StreamsWanted } from '../../contracts/node/streaming-service.ts';
import { Simulation } from '../../sim/index.ts';
import { opens, SpdyClient, sends, settled } from '../spdy/client.fixture.ts';
import { openStreams } from './open-streams.ts';

/** A client that can open streams for a command. */
function client(wanted: Partial<StreamsWanted> = {}) {
  const sim = new Simulation();
  const spdy = new SpdyClient();
  const all = { stdin: false, stdout: true, stderr: true, tty: false, ...wanted };
  const opened = openStreams(spdy.socket, all, sim.clock);
  const open = (...types: readonly string[]): Promise<void> =>
    spdy.say(...types.map((streamtype, at) => opens(2 * at + 1, { streamtype })));
  return { sim, spdy, opened, open };
}

describe('The streams of a command over SPDY', () => {
  test('carry its input and output, then its exit status', async () => {
    const { spdy, opened, open } = client();
    await open('error', 'stdout', 'stderr');
    const command = await opened;
    command?.streams.stdout('out');
    command?.streams.stderr('err');
    expect(command?.streams).not.toHaveProperty('stdin');
    await command?.end('{"status":"Success"}');
    expect(spdy.heard.slice(3, 9)).toEqual([
      '3 data out',
      '5 data err',
      '3 end',
      '5 end',
      '1 data {"status":"Success"}',
      '1 end',
    ]);
    expect(spdy.heard).toContain('closed');
  });

  test('carry a long text completely and in order, even to a slow reader', async () => {
    const { spdy, opened, open } = client();
    await open('error', 'stdout', 'stderr');
    const command = await opened;
    const goOn = spdy.readNothing();
    command?.streams.stdout('a'.repeat(100_000));
    command?.streams.stdout('b\udcff');
    const ended = command?.end('{}');
    await settled();
    goOn();
    await ended;
    const out = spdy.heard
      .filter((line) => line.startsWith('3 data '))
      .map((line) => line.slice('3 data '.length));
    expect(out.join('')).toBe(`${'a'.repeat(100_000)}b\ufffd`);
    expect(spdy.heard.slice(-4)).toEqual(['5 end', '1 data {}', '1 end', 'closed']);
  });

  test("carry the user's input until its end, even if a frame splits a character", async () => {
    const { spdy, opened, open } = client({ stdin: true });
    await open('error', 'stdin', 'stdout', 'stderr');
    const { streams } = (await opened) ?? {};
    const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
    const data = (bytes: Uint8Array) => ({ type: 'DATA', streamId: 3, fin: false, data: bytes }) as const;
    await spdy.say(data(first), data(second), sends(3, 'x', true));
    const typed: string[] = [];
    for await (const text of streams?.stdin ?? []) typed.push(text);
    expect(typed.join('')).toBe('éx');
  });

  test('combine stdout and stderr on a terminal, and accept its size', async () => {
    const { spdy, opened, open } = client({ tty: true, stdin: true });
    await open('error', 'stdin', 'stdout', 'resize');
    expect((await opened)?.streams.tty).toBe(true);
    await spdy.say(sends(7, '{"Width":80,"Height":24}'));
  });

  test('abort the signal when the user disconnects', async () => {
    const { spdy, opened, open } = client();
    await open('error', 'stdout', 'stderr');
    const command = await opened;
    expect(command?.streams.signal.aborted).toBe(false);
    spdy.leave();
    await settled();
    expect(command?.streams.signal.aborted).toBe(true);
  });

  test('time out if the client does not open them all', async () => {
    const { sim, spdy, opened, open } = client();
    await open('error', 'stdout');
    await sim.run({ forMs: 30_001 });
    expect(await opened).toBeUndefined();
    expect(spdy.heard).toContain('closed');
  });

  test('fail if the user disconnects before all are open', async () => {
    const { spdy, opened, open } = client();
    await open('error');
    spdy.leave();
    expect(await opened).toBeUndefined();
  });
});
