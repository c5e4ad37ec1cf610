/** How many bytes may wait to be read before the writer must wait. */
const BYTES_MAX = 64 * 1024;

const nothing = (): void => {};

/** A queue of bytes from one writer to one reader, which may be slow. */
export class ByteQueue implements AsyncIterable<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #ended = false;
  #wakeReader = nothing;
  #wakeWriter = nothing;

  /** Appends bytes, and resolves when there is room for more. Does nothing after the end. */
  async push(chunk: Uint8Array): Promise<void> {
    if (this.#ended || chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#wakeReader();
    while (this.#bytes > BYTES_MAX) {
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
    }
  }

  /** Marks the end. Queued bytes can still be read. */
  end(): void {
    this.#ended = true;
    this.#wakeReader();
  }

  /** Drops all queued and future bytes, because the reader has stopped. */
  discard(): void {
    this.#chunks.length = 0;
    this.#bytes = 0;
    this.end();
    this.#wakeWriter();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk) {
        this.#bytes -= chunk.length;
        this.#wakeWriter();
        yield chunk;
      } else if (this.#ended) return;
      else
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
    }
  }
}
