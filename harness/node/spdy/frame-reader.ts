import { CONTROL_TYPES, FLAG_FIN, FLAG_UNIDIRECTIONAL, type Frame, SpdyError, VERSION } from './frame.ts';
import { HeaderDecoder } from './header-block.ts';

/** The size of a frame's header, in bytes. */
const HEADER_BYTES = 8;

/** The maximum size of a control frame, in bytes. */
const CONTROL_BYTES_MAX = 16 * 1024;

/** A data frame that has not arrived completely. */
interface Unfinished {
  readonly streamId: number;
  readonly fin: boolean;
  readonly leftBytes: number;
}

/**
 * Splits incoming bytes into frames. It yields data on arrival: the data of one frame may become several, and only the
 * last one has the FIN flag.
 *
 * Upstream: moby/spdystream@v0.5.1 spdy/read.go Framer.ReadFrame
 *
 * Differs: it rejects a control frame of more than 16 KiB; upstream accepts sixteen mebibytes.
 */
export class FrameReader {
  readonly #headers = new HeaderDecoder();
  /** The beginning of an incomplete frame. */
  #held: Buffer = Buffer.alloc(0);
  #unfinished: Unfinished | undefined;

  /** Yields all frames before the first error. @throws SpdyError at the first error */
  *read(bytes: Uint8Array): Generator<Frame, void> {
    let rest = Buffer.concat([this.#held, bytes]);
    this.#held = Buffer.alloc(0);
    for (;;) {
      if (this.#unfinished) {
        const { leftBytes } = this.#unfinished;
        if (rest.length === 0 && leftBytes > 0) return;
        yield this.#data(this.#unfinished, rest.subarray(0, leftBytes));
        rest = rest.subarray(leftBytes);
        continue;
      }
      const length = lengthOf(rest);
      if (length === undefined || (isControl(rest) && rest.length < HEADER_BYTES + length)) {
        this.#held = rest;
        return;
      }
      const head = rest.subarray(0, HEADER_BYTES);
      rest = rest.subarray(HEADER_BYTES);
      if (isControl(head)) {
        yield this.#control(head, rest.subarray(0, length));
        rest = rest.subarray(length);
      } else {
        const fin = (head.readUInt8(4) & FLAG_FIN) !== 0;
        this.#unfinished = { streamId: streamIdIn(head), fin, leftBytes: length };
      }
    }
  }

  #data(of: Unfinished, data: Buffer): Frame {
    const leftBytes = of.leftBytes - data.length;
    this.#unfinished = leftBytes > 0 ? { ...of, leftBytes } : undefined;
    return { type: 'DATA', streamId: of.streamId, fin: of.fin && leftBytes === 0, data };
  }

  #control(head: Buffer, payload: Buffer): Frame {
    const flags = head.readUInt8(4);
    const fin = (flags & FLAG_FIN) !== 0;
    switch (head.readUInt16BE(2)) {
      case CONTROL_TYPES.SYN_STREAM: {
        const unidirectional = (flags & FLAG_UNIDIRECTIONAL) !== 0;
        // The skipped bytes are the associated stream, the priority and the slot of a certificate.
        const headers = this.#headers.decode(atLeast(payload, 10).subarray(10));
        return { type: 'SYN_STREAM', streamId: streamIdIn(payload), fin, unidirectional, headers };
      }
      case CONTROL_TYPES.SYN_REPLY:
        return { type: 'SYN_REPLY', fin, ...this.#headersIn(payload) };
      case CONTROL_TYPES.HEADERS:
        return { type: 'HEADERS', fin, ...this.#headersIn(payload) };
      case CONTROL_TYPES.RST_STREAM: {
        const [streamId, status] = [streamIdIn(exactly(payload, 8)), payload.readUInt32BE(4)];
        if (status === 0) throw new SpdyError('a stream is reset for no reason');
        return { type: 'RST_STREAM', streamId, status };
      }
      case CONTROL_TYPES.SETTINGS:
        if (atLeast(payload, 4).readUInt32BE() > (payload.length - 4) / 8) {
          throw new SpdyError('there are fewer settings than it says');
        }
        return { type: 'SETTINGS' };
      case CONTROL_TYPES.PING: {
        const id = exactly(payload, 4).readUInt32BE();
        if (id === 0 || flags !== 0) throw new SpdyError('a ping that has no id, or a flag');
        return { type: 'PING', id };
      }
      case CONTROL_TYPES.GOAWAY:
        return {
          type: 'GOAWAY',
          lastStreamId: exactly(payload, 8).readUInt32BE(),
          status: payload.readUInt32BE(4),
        };
      case CONTROL_TYPES.WINDOW_UPDATE:
        return {
          type: 'WINDOW_UPDATE',
          streamId: exactly(payload, 8).readUInt32BE(),
          delta: payload.readUInt32BE(4),
        };
      default:
        throw new SpdyError(`a frame of the unknown type ${head.readUInt16BE(2)}`);
    }
  }

  #headersIn(payload: Buffer) {
    const headers = this.#headers.decode(atLeast(payload, 4).subarray(4));
    return { streamId: streamIdIn(payload), headers };
  }
}

function isControl(frame: Buffer): boolean {
  return (frame.readUInt8() & 0x80) !== 0;
}

/** Returns the length of a frame after its first eight bytes; undefined until these have arrived. */
function lengthOf(frame: Buffer): number | undefined {
  if (frame.length < HEADER_BYTES) return undefined;
  const length = frame.readUIntBE(5, 3);
  if (!isControl(frame)) return length;
  const version = frame.readUInt16BE() & 0x7fff;
  if (version !== VERSION) throw new SpdyError(`a frame of version ${version}`);
  if (length > CONTROL_BYTES_MAX) throw new SpdyError(`a control frame of ${length} bytes`);
  return length;
}

function streamIdIn(payload: Buffer): number {
  const id = payload.readUInt32BE();
  if (id === 0) throw new SpdyError('a frame of stream 0');
  return id;
}

function atLeast(payload: Buffer, bytes: number): Buffer {
  if (payload.length < bytes) throw new SpdyError(`a control frame of only ${payload.length} bytes`);
  return payload;
}

function exactly(payload: Buffer, bytes: number): Buffer {
  if (payload.length !== bytes)
    throw new SpdyError(`a control frame of ${payload.length} bytes, not ${bytes}`);
  return payload;
}
