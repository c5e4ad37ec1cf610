/**
 * Which numbers of a range are taken, and which is the next.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/service/allocator/bitmap.go AllocationBitmap
 *
 * Differs: upstream picks at random, so that no client can rely on the order. We count upwards and start again
 * from the beginning, so that a run can be replayed; a number that was released comes back last.
 */
export class AllocationMap {
  readonly size: number;
  readonly #reserved: number;
  readonly #taken = new Set<number>();
  /** Where the search for the next number begins; never below `#reserved`. */
  #cursor: number;

  /**
   * @param size the numbers are 0 to `size - 1`
   * @param reserved how many of the lowest are kept, as long as there are others, for those who ask by number
   */
  constructor(size: number, reserved: number) {
    this.size = size;
    this.#reserved = reserved;
    this.#cursor = reserved;
  }

  has(offset: number): boolean {
    return this.#taken.has(offset);
  }

  /** Marks a number as taken. Nothing happens if it is. */
  take(offset: number): void {
    if (this.#taken.has(offset)) return;
    if (offset >= this.#reserved && offset === this.next()) this.#cursor = offset + 1;
    this.#taken.add(offset);
  }

  release(offset: number): void {
    this.#taken.delete(offset);
  }

  /**
   * The number that should be taken next; `undefined` when the range is full. It is not taken by this.
   *
   * @param besides numbers to leave out, too
   */
  next(besides: ReadonlySet<number> = new Set()): number | undefined {
    return (
      this.#free(this.#cursor, this.size, besides) ??
      this.#free(this.#reserved, this.#cursor, besides) ??
      this.#free(0, this.#reserved, besides)
    );
  }

  #free(from: number, to: number, besides: ReadonlySet<number>): number | undefined {
    for (let offset = from; offset < to; offset++) {
      if (!this.#taken.has(offset) && !besides.has(offset)) return offset;
    }
    return undefined;
  }
}
