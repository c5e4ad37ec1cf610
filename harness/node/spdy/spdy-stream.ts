import type { ByteStream } from '../byte-stream.ts';
import { ByteQueue } from './byte-queue.ts';
import { type Frame, type HeaderBlock, RST_STATUS } from './frame.ts';

/** How much one frame carries at most, in bytes, so that streams of one connection take turns. */
const FRAME_BYTES_MAX = 32 * 1024;

/** What a stream is made with. */
export interface SpdyStreamOptions {
  readonly id: number;
  readonly headers: HeaderBlock;
  /** Resolves when the frame has gone out. */
  readonly send: (frame: Frame) => Promise<void>;
  /** Told when neither side will send any more. */
  readonly onClosed: () => void;
}

/**
 * A stream that the other side of a connection has opened.
 *
 * There is no window: as in moby/spdystream, updates of it are neither sent nor heeded. Who reads slowly makes the whole
 * connection wait.
 *
 * Upstream: moby/spdystream@v0.5.1 stream.go Stream
 */
export class SpdyStream implements ByteStream {
  readonly id: number;
  readonly headers: HeaderBlock;
  readonly #options: SpdyStreamOptions;
  readonly #incoming = new ByteQueue();
  /** This side has said that it sends no more. */
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

  /** Says that this was all, and reads no more. Does nothing the second time. */
  end(): void {
    this.#incoming.discard();
    if (this.#finished) return;
    this.#finished = true;
    void this.#send(new Uint8Array(), true);
    this.#closeIfDone();
  }

  /** Breaks it off. A stream that this side has ended already is only forgotten. */
  reset(): void {
    const { id, send } = this.#options;
    const wasFinished = this.#finished;
    this.breakOff();
    if (!wasFinished) void send({ type: 'RST_STREAM', streamId: id, status: RST_STATUS.CANCEL });
  }

  /** Reads nothing of what comes, and does not let it wait. */
  discard(): void {
    this.#incoming.discard();
  }

  /** For its connection: takes what has come. Resolves when there is room for more. */
  async receive(data: Uint8Array, fin: boolean): Promise<void> {
    if (this.#remoteFinished) return;
    await this.#incoming.push(data);
    if (fin) this.finishRemote();
  }

  /** For its connection: the other side sends no more. */
  finishRemote(): void {
    this.#remoteFinished = true;
    this.#incoming.end();
    this.#closeIfDone();
  }

  /** For its connection: this side may not send. */
  finishLocal(): void {
    this.#finished = true;
    this.#closeIfDone();
  }

  /** For its connection: the other side has broken off. */
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
