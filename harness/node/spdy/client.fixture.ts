import { type MessageSocket, Simulation } from '../../sim/index.ts';
import { ByteQueue } from './byte-queue.ts';
import type { Frame } from './frame.ts';
import { FrameReader } from './frame-reader.ts';
import { FrameWriter } from './frame-writer.ts';

/** The client's side of a SPDY connection, and the socket of its server. */
export class SpdyClient {
  readonly socket: MessageSocket;
  /** The frames from the server, one line each: `3 data hello`. */
  readonly heard: string[] = [];
  readonly #reader = new FrameReader();
  readonly #writer = new FrameWriter();
  readonly #said = new ByteQueue();
  #room: Promise<void> = Promise.resolve();
  #makeRoom: () => void = () => {};

  constructor() {
    this.socket = {
      messages: this.#said,
      send: async (message) => {
        for (const frame of this.#reader.read(message)) this.heard.push(formatted(frame));
        await this.#room;
      },
      close: () => {
        this.heard.push('closed');
        this.leave();
      },
    };
  }

  /** Sends frames. Resolves when the server has read most of them. */
  async say(...frames: readonly Frame[]): Promise<void> {
    for (const frame of frames) await this.sayBytes(this.#writer.write(frame));
  }

  sayBytes(bytes: Uint8Array): Promise<void> {
    return this.#said.push(bytes);
  }

  /** Blocks the server's output. @returns a function that unblocks it */
  readNothing(): () => void {
    this.#room = new Promise((resolve) => {
      this.#makeRoom = resolve;
    });
    return () => this.#makeRoom();
  }

  /** Closes the connection. */
  leave(): void {
    this.#said.end();
  }
}

/** Creates the frame that opens a stream. */
export function opens(
  streamId: number,
  headers: Readonly<Record<string, string>> = {},
  flags: { readonly fin?: boolean; readonly unidirectional?: boolean } = {},
): Frame {
  const { fin = false, unidirectional = false } = flags;
  return { type: 'SYN_STREAM', streamId, fin, unidirectional, headers: new Map(Object.entries(headers)) };
}

/** Creates a data frame. */
export function sends(streamId: number, text: string, fin = false): Frame {
  return { type: 'DATA', streamId, fin, data: Buffer.from(text) };
}

/** Runs all pending work. */
export async function settled(): Promise<void> {
  await new Simulation().run();
}

function formatted(frame: Frame): string {
  switch (frame.type) {
    case 'DATA': {
      const text = Buffer.from(frame.data).toString();
      return `${frame.streamId} ${frame.fin ? 'end' : 'data'}${text === '' ? '' : ` ${text}`}`;
    }
    case 'SYN_REPLY':
      return `${frame.streamId} reply`;
    case 'RST_STREAM':
      return `${frame.streamId} reset ${frame.status}`;
    case 'PING':
      return `ping ${frame.id}`;
    case 'GOAWAY':
      return `goaway ${frame.lastStreamId}`;
    default:
      return frame.type;
  }
}
