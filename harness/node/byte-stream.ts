/** A connection that carries bytes both ways, as one of its sides has it. */
export interface ByteStream {
  /** What the other side sends, until it says that this is all, or breaks off. For one reader. */
  readonly incoming: AsyncIterable<Uint8Array>;
  /** Sends bytes. Resolves when there is room for more; does nothing when the other side has broken off. */
  write(bytes: Uint8Array): Promise<void>;
}
