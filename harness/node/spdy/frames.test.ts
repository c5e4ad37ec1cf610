import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Frame, SpdyError } from './frame.ts';
import { FrameReader } from './frame-reader.ts';
import { FrameWriter } from './frame-writer.ts';
import { recorded } from './recorded.fixture.ts';

function read(pieces: readonly Uint8Array[], reader = new FrameReader()): readonly Frame[] {
  return pieces.flatMap((piece) => [...reader.read(piece)]);
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** Joins the data frames that belong to one original frame. */
function joined(frames: readonly Frame[]): readonly Frame[] {
  const all: Frame[] = [];
  for (const frame of frames) {
    const last = all.at(-1);
    const isMore =
      frame.type === 'DATA' && last?.type === 'DATA' && last.streamId === frame.streamId && !last.fin;
    if (isMore) all.splice(-1, 1, { ...frame, data: Buffer.concat([last.data, frame.data]) });
    else all.push(frame);
  }
  return all;
}

describe('The frames of kubectl', () => {
  const request = (path: string, rest: string) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:18080\r\n${rest}\r\n\r\n`);
  const opened = (streamId: number, streamtype: string, requestid: string): Frame => ({
    type: 'SYN_STREAM',
    streamId,
    fin: false,
    unidirectional: false,
    headers: new Map(Object.entries({ streamtype, port: '80', requestid })),
  });
  const data = (streamId: number, bytes: Buffer, fin: boolean): Frame => ({
    type: 'DATA',
    streamId,
    fin,
    data: bytes,
  });
  const nothing = Buffer.alloc(0);
  const frames: readonly Frame[] = [
    opened(1, 'error', '0'),
    data(1, nothing, true),
    opened(3, 'data', '0'),
    { type: 'PING', id: 1 },
    data(3, request('/', 'User-Agent: curl/7.88.1\r\nAccept: */*'), false),
    data(3, nothing, true),
    opened(5, 'error', '1'),
    data(5, nothing, true),
    opened(7, 'data', '1'),
    data(7, request('/x', 'Accept: */*\r\nUser-Agent: t'), false),
    data(7, nothing, true),
    { type: 'GOAWAY', lastStreamId: 0, status: 0 },
  ];
  // A data frame and the end in the next frame join into one.
  const whole = joined(frames);

  test('are read from the recording', () => {
    expect(read(recorded)).toEqual(frames);
  });

  test('are the same wherever the bytes are split', () => {
    const bytes = Buffer.concat(recorded);
    const places = fc.array(fc.nat(bytes.length), { maxLength: 20 });
    fc.assert(
      fc.property(places, (cuts) => {
        const ends = [...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
        expect(joined(read(pieces))).toEqual(whole);
      }),
    );
    expect(joined(read([...bytes].map((byte) => Uint8Array.of(byte))))).toEqual(whole);
  });
});

describe('A frame', () => {
  const streamId = fc.integer({ min: 1, max: 0x7fff_ffff });
  const word = fc.integer({ min: 1, max: 0xffff_ffff });
  const name = fc
    .stringMatching(/^[a-z\d-]{1,20}$/)
    .filter((text) => !/^(connection|host|keep-alive)$/.test(text));
  const headers = fc
    .array(fc.tuple(name, fc.stringMatching(/^[ -~]{0,40}$/)), { maxLength: 5 })
    .map((entries) => new Map(entries));
  const frame: fc.Arbitrary<Frame> = fc.oneof(
    fc.record({
      type: fc.constant('SYN_STREAM' as const),
      streamId,
      fin: fc.boolean(),
      unidirectional: fc.boolean(),
      headers,
    }),
    fc.record({
      type: fc.constantFrom('SYN_REPLY' as const, 'HEADERS' as const),
      streamId,
      fin: fc.boolean(),
      headers,
    }),
    fc.record({ type: fc.constant('RST_STREAM' as const), streamId, status: word }),
    fc.constant({ type: 'SETTINGS' as const }),
    fc.record({ type: fc.constant('PING' as const), id: word }),
    fc.record({ type: fc.constant('GOAWAY' as const), lastStreamId: word, status: word }),
    fc.record({ type: fc.constant('WINDOW_UPDATE' as const), streamId, delta: word }),
    fc.record({
      type: fc.constant('DATA' as const),
      streamId,
      fin: fc.boolean(),
      data: fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
    }),
  );

  test('survives writing and reading', () => {
    fc.assert(
      fc.property(fc.array(frame), (frames) => {
        const writer = new FrameWriter();
        expect(read(frames.map((each) => writer.write(each)))).toEqual(frames);
      }),
    );
  });

  test('may contain unknown settings', () => {
    const settings = hex('80030004 0000000c 00000001 00000007 00010000');
    expect(read([settings])).toEqual([{ type: 'SETTINGS' }]);
  });

  const bomb = (bytes: number): Buffer => {
    const block = deflateRawSync(Buffer.alloc(bytes), { finishFlush: 2 });
    const length = block.length + 16;
    return Buffer.concat([
      hex('80030001'),
      Buffer.from([0, length >> 16, (length >> 8) & 255, length & 255]),
      hex('00000001 00000000 0000 78f9e3c6a7c2'),
      block,
    ]);
  };

  test.each([
    ['an unknown type', hex('80030005 00000000'), 'unknown type 5'],
    ['another version', hex('80020006 00000004 00000001'), 'version 2'],
    ['a length of 16 MiB', hex('80030001 00ffffff'), '16777215 bytes'],
    ['a ping without an id', hex('80030006 00000004 00000000'), 'ping'],
    ['a ping with a flag', hex('80030006 01000004 00000001'), 'ping'],
    ['a ping that is too long', hex('80030006 00000008 00000001 00000001'), 'not 4'],
    ['a reset for no reason', hex('80030003 00000008 00000001 00000000'), 'no reason'],
    ['a reset of stream 0', hex('80030003 00000008 00000000 00000001'), 'stream 0'],
    ['data of stream 0', hex('00000000 00000001 00'), 'stream 0'],
    ['a reset that is too short', hex('80030003 00000004 00000001'), 'not 8'],
    ['a stream without headers', hex('80030001 00000004 00000001'), 'only 4 bytes'],
    ['fewer settings than declared', hex('80030004 0000000c 00000002 00000007 00010000'), 'fewer settings'],
    [
      'headers that are not compressed',
      hex('80030001 0000000e 00000001 00000000 0000 00000000'),
      'header check',
    ],
    [
      'another dictionary',
      hex('80030001 00000010 00000001 00000000 0000 78f9 00000001'),
      'unknown dictionary',
    ],
    ['a decompression bomb', bomb(10_000_000), 'header block: '],
    [
      'headers that are not valid deflate',
      hex('80030001 00000012 00000001 00000000 0000 78f9e3c6a7c2 ffff'),
      'header block: ',
    ],
  ])('is rejected if it has %s', (_, bytes, message) => {
    expect(() => read([bytes])).toThrow(SpdyError);
    expect(() => read([bytes])).toThrow(message);
  });

  test.each([
    ['in upper case', new Map([['Port', '80']]), 'not in lower case'],
    ['valid for one hop only', new Map([['host', 'x']]), 'no place here'],
  ])('is rejected if a header is %s', (_, headers, message) => {
    const bytes = new FrameWriter().write({ type: 'SYN_REPLY', streamId: 1, fin: false, headers });
    expect(() => read([bytes])).toThrow(message);
  });

  test('is yielded before the error behind it', () => {
    const seen: Frame[] = [];
    const bytes = Buffer.concat([hex('80030006 00000004 00000001'), hex('80030005 00000000')]);
    expect(() => {
      for (const each of new FrameReader().read(bytes)) seen.push(each);
    }).toThrow(SpdyError);
    expect(seen).toEqual([{ type: 'PING', id: 1 }]);
  });

  test('causes no error other than SpdyError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(recorded.length), (noise, at) => {
        const bytes = Buffer.concat([...recorded.slice(0, at), Buffer.from([0x80, 0x03]), noise]);
        try {
          read([bytes]);
        } catch (error) {
          expect(error).toBeInstanceOf(SpdyError);
        }
      }),
    );
  });
});
