/**
 * A connection that carries messages both ways: a WebSocket, or a byte stream, whose messages are chunks as they
 * arrive.
 */
export interface MessageSocket {
  /** Incoming messages, until the other side closes. */
  readonly messages: AsyncIterable<Uint8Array>;
  /**
   * Resolves when the message has been sent, so that a sender that awaits it is no faster than the reader. Does nothing
   * once the socket is closed.
   */
  send(message: Uint8Array): Promise<void>;
  /** Closes the socket after all sent messages. */
  close(): void;
}

/** The answer to an upgrade request: the new protocol of the connection. */
export type Upgrade = WebSocketUpgrade | BareUpgrade;

/** An upgrade to a WebSocket. */
export interface WebSocketUpgrade {
  /** The subprotocol. */
  readonly protocol: string;
  /** Whether messages are sent as text. @defaultValue as bytes */
  readonly sendsText?: boolean;
  serve(socket: MessageSocket): void;
}

/** An upgrade to a plain byte stream, which begins right after the response. */
export interface BareUpgrade {
  /** Headers of the response. `Upgrade` names the protocol. */
  readonly headers: { readonly Upgrade: string; readonly [name: string]: string };
  serve(socket: MessageSocket): void;
}

/** The client at the other end of a connection. All requests of a connection have the same object. */
export interface Peer {
  /**
   * The certificates that the client presented, in DER: its own first, then those of its issuers. Empty if the client
   * presented none. The client has proved that it has the key of the first one; nobody has checked anything else.
   */
  readonly certificates: readonly Uint8Array[];
}

/**
 * Answers an upgrade request with an upgrade, or with an error response. It returns undefined for a request that
 * upgrades nothing, which is then served like a request without an upgrade.
 *
 * @param peer - the client; absent if the connection has no TLS
 */
export type UpgradeHandler = (request: Request, peer?: Peer) => Promise<Upgrade | Response | undefined>;
