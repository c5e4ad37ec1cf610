/** One side of a connection that carries bytes in both directions. */
export interface ByteStream {
  /** The bytes from the other side, until it finishes or resets the stream. Supports one reader. */
  readonly incoming: AsyncIterable<Uint8Array>;
  /** Sends bytes. Resolves when there is room for more; does nothing after a reset by the other side. */
  write(bytes: Uint8Array): Promise<void>;
}
