import type { MessageSocket } from '../../sim/index.ts';
import { type Frame, RST_STATUS, SpdyError } from './frame.ts';
import { FrameReader } from './frame-reader.ts';
import { FrameWriter } from './frame-writer.ts';
import { SpdyStream } from './spdy-stream.ts';

/** The maximum number of open streams. */
const STREAMS_MAX = 4_096;

const STREAM_ID_MAX = 0x7fff_ffff;

/** Handles the streams that a client opens. */
interface StreamHandler {
  /** Whether to accept a stream. A rejected stream is reset. */
  accept(stream: SpdyStream): boolean;
  /** Called with an accepted stream, after the reply to the client. */
  opened(stream: SpdyStream): void;
}

/**
 * Serves SPDY/3.1 to a client, until the client leaves or sends invalid frames. Then it resets all streams, and closes
 * the socket.
 *
 * Upstream: moby/spdystream@v0.5.1 connection.go Connection; kubernetes/streaming@v0.36.3 pkg/httpstream/spdy/connection.go connection
 *
 * Differs: at most 4096 streams may be open; upstream has no limit.
 */
export async function serveSpdy(socket: MessageSocket, handler: StreamHandler): Promise<void> {
  await new SpdyConnection(socket, handler).serve();
}

class SpdyConnection {
  readonly #socket: MessageSocket;
  readonly #handler: StreamHandler;
  readonly #reader = new FrameReader();
  readonly #writer = new FrameWriter();
  readonly #streams = new Map<number, SpdyStream>();
  /** The minimum id of the next stream. */
  #nextId = 1;
  #goneAway = false;

  constructor(socket: MessageSocket, handler: StreamHandler) {
    this.#socket = socket;
    this.#handler = handler;
  }

  async serve(): Promise<void> {
    try {
      for await (const message of this.#socket.messages) {
        for (const frame of this.#reader.read(message)) await this.#take(frame);
        if (this.#goneAway) break;
      }
    } catch (error) {
      if (!(error instanceof SpdyError)) throw error;
    } finally {
      this.#close();
    }
  }

  async #take(frame: Frame): Promise<void> {
    if (this.#goneAway) return;
    switch (frame.type) {
      case 'SYN_STREAM':
        return this.#open(frame);
      case 'DATA':
        return this.#streams.get(frame.streamId)?.receive(frame.data, frame.fin);
      case 'RST_STREAM':
        return this.#streams.get(frame.streamId)?.breakOff();
      case 'PING':
        // An even id would answer a ping from this side.
        if (frame.id % 2 === 1) await this.#send(frame);
        return;
      case 'GOAWAY':
        this.#goneAway = true;
        return;
      default:
        // Other frames have no effect, as in upstream.
        return;
    }
  }

  async #open({ streamId: id, headers, fin, unidirectional }: Frame & { type: 'SYN_STREAM' }): Promise<void> {
    const refuse = (status: number) => this.#send({ type: 'RST_STREAM', streamId: id, status });
    if (id < this.#nextId || id > STREAM_ID_MAX) return refuse(RST_STATUS.PROTOCOL_ERROR);
    this.#nextId = id + 2;
    if (this.#streams.size >= STREAMS_MAX) return refuse(RST_STATUS.REFUSED_STREAM);
    const send = (frame: Frame) => this.#send(frame);
    const stream = new SpdyStream({ id, headers, send, onClosed: () => this.#streams.delete(id) });
    this.#streams.set(id, stream);
    if (fin) stream.finishRemote();
    if (unidirectional) stream.finishLocal();
    if (!this.#handler.accept(stream)) return stream.reset();
    await this.#send({ type: 'SYN_REPLY', streamId: id, fin: false, headers: new Map() });
    this.#handler.opened(stream);
  }

  #send(frame: Frame): Promise<void> {
    return this.#socket.send(this.#writer.write(frame));
  }

  #close(): void {
    for (const stream of [...this.#streams.values()]) stream.reset();
    if (!this.#goneAway)
      void this.#send({ type: 'GOAWAY', lastStreamId: Math.max(0, this.#nextId - 2), status: 0 });
    this.#socket.close();
  }
}
