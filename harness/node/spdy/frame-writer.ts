import { CONTROL_TYPES, FLAG_FIN, FLAG_UNIDIRECTIONAL, type Frame, VERSION } from './frame.ts';
import { HeaderEncoder } from './header-block.ts';

/**
 * Encodes the frames of one side of a connection.
 *
 * Upstream: moby/spdystream@v0.5.1 spdy/write.go Framer.WriteFrame
 */
export class FrameWriter {
  readonly #headers = new HeaderEncoder();

  write(frame: Frame): Buffer {
    switch (frame.type) {
      case 'DATA':
        return Buffer.concat([words(frame.streamId, flagged(frame, frame.data.length)), frame.data]);
      case 'SYN_STREAM':
        return control(frame, words(frame.streamId, 0), Buffer.alloc(2), this.#headers.encode(frame.headers));
      case 'SYN_REPLY':
      case 'HEADERS':
        return control(frame, words(frame.streamId), this.#headers.encode(frame.headers));
      case 'RST_STREAM':
        return control(frame, words(frame.streamId, frame.status));
      case 'SETTINGS':
        return control(frame, words(0));
      case 'PING':
        return control(frame, words(frame.id));
      case 'GOAWAY':
        return control(frame, words(frame.lastStreamId, frame.status));
      case 'WINDOW_UPDATE':
        return control(frame, words(frame.streamId, frame.delta));
    }
  }
}

function control(frame: Exclude<Frame, { readonly type: 'DATA' }>, ...parts: readonly Buffer[]): Buffer {
  const payload = Buffer.concat(parts);
  const head = words(
    0x8000_0000 + VERSION * 0x1_0000 + CONTROL_TYPES[frame.type],
    flagged(frame, payload.length),
  );
  return Buffer.concat([head, payload]);
}

/** Combines the flags in one byte and a length in three bytes. */
function flagged(frame: Frame, length: number): number {
  const fin = 'fin' in frame && frame.fin ? FLAG_FIN : 0;
  const unidirectional = 'unidirectional' in frame && frame.unidirectional ? FLAG_UNIDIRECTIONAL : 0;
  return (fin + unidirectional) * 0x100_0000 + length;
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => {
    bytes.writeUInt32BE(value, 4 * at);
  });
  return bytes;
}
