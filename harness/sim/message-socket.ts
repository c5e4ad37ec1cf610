/** A connection that carries messages both ways: a WebSocket, or one of bytes, which are messages as they come. */
export interface MessageSocket {
  /** What comes in, until the other side has closed. */
  readonly messages: AsyncIterable<Uint8Array>;
  /** Resolves when it has gone out, so that a sender that waits for that is no faster than the other side reads. Does nothing once it is closed. */
  send(message: Uint8Array): Promise<void>;
  /** Closes it, after all that was sent. */
  close(): void;
}

/** What a request for an upgrade of its connection is answered with: what is spoken from now on. */
export type Upgrade = WebSocketUpgrade | BareUpgrade;

/** A WebSocket. */
interface WebSocketUpgrade {
  /** What is spoken over it. */
  readonly protocol: string;
  serve(socket: MessageSocket): void;
}

/** Bytes, right behind the answer. */
export interface BareUpgrade {
  /** Those of the answer. `Upgrade` says what is spoken. */
  readonly headers: { readonly Upgrade: string; readonly [name: string]: string };
  serve(socket: MessageSocket): void;
}

/** Answers requests for an upgrade: with one, or with a response that says why not. */
export type UpgradeHandler = (request: Request) => Promise<Upgrade | Response>;
