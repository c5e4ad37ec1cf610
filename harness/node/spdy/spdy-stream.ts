import type { ByteStream } from '../byte-stream.ts';
import { ByteQueue } from './byte-queue.ts';
import { type Frame, type HeaderBlock, RST_STATUS } from './frame.ts';

/** The maximum payload of one frame, in bytes, so that the streams of a connection take turns. */
const FRAME_BYTES_MAX = 32 * 1024;

/** Options of {@link SpdyStream}. */
interface SpdyStreamOptions {
  readonly id: number;
  readonly headers: HeaderBlock;
  /** Resolves when the frame has been sent. */
  readonly send: (frame: Frame) => Promise<void>;
  /** Called when both sides have finished. */
  readonly onClosed: () => void;
}

/**
 * A stream that the other side of a connection has opened.
 *
 * It has no flow-control window: like moby/spdystream, it neither sends nor obeys window updates. A slow reader delays
 * the whole connection.
 *
 * Upstream: moby/spdystream@v0.5.1 stream.go Stream
 */
export class SpdyStream implements ByteStream {
  readonly id: number;
  readonly headers: HeaderBlock;
  readonly #options: SpdyStreamOptions;
  readonly #incoming = new ByteQueue();
  /** Whether this side has finished sending. */
  #finished = false;
  #remoteFinished = false;

  constructor(options: SpdyStreamOptions) {
    this.id = options.id;
    this.headers = options.headers;
    this.#options = options;
  }

  get incoming(): AsyncIterable<Uint8Array> {
    return this.#incoming;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length && !this.#finished; at += FRAME_BYTES_MAX) {
      await this.#send(bytes.subarray(at, at + FRAME_BYTES_MAX), false);
    }
  }

  /** Finishes sending, and stops reading. Does nothing the second time. */
  end(): void {
    this.#incoming.discard();
    if (this.#finished) return;
    this.#finished = true;
    void this.#send(new Uint8Array(), true);
    this.#closeIfDone();
  }

  /** Resets the stream. If this side has finished already, it sends nothing. */
  reset(): void {
    const { id, send } = this.#options;
    const wasFinished = this.#finished;
    this.breakOff();
    if (!wasFinished) void send({ type: 'RST_STREAM', streamId: id, status: RST_STATUS.CANCEL });
  }

  /** Drops all incoming bytes, without blocking the sender. */
  discard(): void {
    this.#incoming.discard();
  }

  /** For the connection only: receives data. Resolves when there is room for more. */
  async receive(data: Uint8Array, fin: boolean): Promise<void> {
    if (this.#remoteFinished) return;
    await this.#incoming.push(data);
    if (fin) this.finishRemote();
  }

  /** For the connection only: the other side has finished sending. */
  finishRemote(): void {
    this.#remoteFinished = true;
    this.#incoming.end();
    this.#closeIfDone();
  }

  /** For the connection only: this side may not send. */
  finishLocal(): void {
    this.#finished = true;
    this.#closeIfDone();
  }

  /** For the connection only: the other side has reset the stream. */
  breakOff(): void {
    this.#finished = true;
    this.#remoteFinished = true;
    this.#incoming.discard();
    this.#options.onClosed();
  }

  #send(data: Uint8Array, fin: boolean): Promise<void> {
    const { id, send } = this.#options;
    return send({ type: 'DATA', streamId: id, fin, data });
  }

  #closeIfDone(): void {
    if (this.#finished && this.#remoteFinished) this.#options.onClosed();
  }
}
