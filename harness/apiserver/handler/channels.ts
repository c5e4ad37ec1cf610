import type { MessageSocket } from '../../sim/index.ts';

/**
 * The protocols in which commands talk over a WebSocket, best first: each message begins with the number of its channel. The fifth has
 * a message that closes one.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/remotecommand/constants.go
 */
export const CHANNEL_PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;

const [STDIN, STDOUT, STDERR, ERROR, CLOSE] = [0, 1, 2, 3, 255];

/**
 * How a command ended, for the client: a Status.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go Status
 */
export interface Outcome {
  readonly status: 'Success' | 'Failure';
  /** `NonZeroExitCode`, or one of the API's. */
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes: readonly { readonly reason: string; readonly message: string }[] };
  readonly code?: number;
}

/** The channels of one command, over a socket. */
export class Channels {
  readonly #socket: MessageSocket;
  readonly #encoder = new TextEncoder();
  readonly #gone = new AbortController();
  readonly #typed: string[] = [];
  #stdinOpen = true;
  #wake: () => void = () => {};

  constructor(socket: MessageSocket) {
    this.#socket = socket;
    void this.#receive();
  }

  /** Aborted when the client has closed the connection. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  stdout(text: string): void {
    this.#send(STDOUT, text);
  }

  stderr(text: string): void {
    this.#send(STDERR, text);
  }

  /** What the client sends to the command. */
  async *stdin(): AsyncGenerator<string, void> {
    for (;;) {
      const text = this.#typed.shift();
      if (text !== undefined) yield text;
      else if (!this.#stdinOpen) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  /** Says how it ended, and closes the connection. */
  end(outcome: Outcome): void {
    this.#send(ERROR, JSON.stringify({ metadata: {}, ...outcome }));
    this.#socket.close();
  }

  #send(channel: number, text: string): void {
    const bytes = this.#encoder.encode(text);
    const message = new Uint8Array(bytes.length + 1);
    message[0] = channel;
    message.set(bytes, 1);
    void this.#socket.send(message);
  }

  async #receive(): Promise<void> {
    // A character may come in pieces.
    const decoder = new TextDecoder();
    for await (const message of this.#socket.messages) {
      const [channel, closed] = message;
      if (channel === STDIN) this.#typed.push(decoder.decode(message.subarray(1), { stream: true }));
      else if (channel === CLOSE && closed === STDIN) this.#stdinOpen = false;
      this.#wake();
    }
    this.#stdinOpen = false;
    this.#wake();
    this.#gone.abort();
  }
}
