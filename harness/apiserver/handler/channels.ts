import { bytesOfText, TextDecoding } from '../../contracts/node/index.ts';
import type { CommandStreams, StreamsWanted } from '../../contracts/node/streaming-service.ts';
import type { MessageSocket } from '../../sim/index.ts';

/**
 * The WebSocket protocols for commands, the preferred one first. Each message begins with the number of its channel.
 * Only v5 has a message that closes a channel.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/remotecommand/constants.go
 */
export const CHANNEL_PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;

const [STDIN, STDOUT, STDERR, ERROR, CLOSE] = [0, 1, 2, 3, 255];

/**
 * Returns the streams of a command over a socket whose messages begin with the number of their channel. First sends an
 * empty message on the first output channel to report that the streams are open.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/util/proxy/websocket.go createWebSocketStreams, for the fifth protocol;
 * kubernetes/cri-streaming@v0.36.3 pkg/streaming/remotecommand/websocket.go createWebSocketStreams, for the fourth
 */
export function channelStreams(socket: MessageSocket, wanted: StreamsWanted): CommandStreams {
  const channels = new Channels(socket);
  const silent = (): void => {};
  channels.send(wanted.stdout ? STDOUT : wanted.stderr ? STDERR : ERROR, '');
  return {
    streams: {
      ...(wanted.stdin ? { stdin: channels.stdin() } : {}),
      stdout: wanted.stdout ? (text) => channels.send(STDOUT, text) : silent,
      stderr: wanted.stderr ? (text) => channels.send(STDERR, text) : silent,
      tty: wanted.tty,
      signal: channels.signal,
    },
    async end(status) {
      channels.send(ERROR, status);
      socket.close();
    },
  };
}

class Channels {
  readonly #socket: MessageSocket;
  readonly #gone = new AbortController();
  readonly #typed: string[] = [];
  #stdinOpen = true;
  #wake: () => void = () => {};

  constructor(socket: MessageSocket) {
    this.#socket = socket;
    void this.#receive();
  }

  /** Aborts when the client has closed the connection. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** Yields the input that the client sends to the command. */
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

  send(channel: number, text: string): void {
    const bytes = bytesOfText(text);
    const message = new Uint8Array(bytes.length + 1);
    message[0] = channel;
    message.set(bytes, 1);
    void this.#socket.send(message);
  }

  async #receive(): Promise<void> {
    const decoding = new TextDecoding();
    const end = (): void => {
      const rest = decoding.end();
      if (rest !== '') this.#typed.push(rest);
      this.#stdinOpen = false;
    };
    for await (const message of this.#socket.messages) {
      const [channel, closed] = message;
      if (channel === STDIN) this.#typed.push(decoding.decode(message.subarray(1)));
      else if (channel === CLOSE && closed === STDIN) end();
      this.#wake();
    }
    end();
    this.#wake();
    this.#gone.abort();
  }
}
