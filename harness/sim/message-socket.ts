/** A connection that carries messages both ways: a WebSocket. */
export interface MessageSocket {
  /** What comes in, until the other side has closed. */
  readonly messages: AsyncIterable<Uint8Array>;
  /** Resolves when it has gone out, so that who waits for that sends no faster than the other side reads. Does nothing once it is closed. */
  send(message: Uint8Array): Promise<void>;
  /** Closes it, after all that was sent. */
  close(): void;
}

/** What a request for an upgrade is answered with: the protocol that is spoken from now on. */
export interface Upgrade {
  readonly protocol: string;
  serve(socket: MessageSocket): void;
}

/** Answers requests for an upgrade to a WebSocket: with one, or with a response that says why not. */
export type UpgradeHandler = (request: Request) => Promise<Upgrade | Response>;
