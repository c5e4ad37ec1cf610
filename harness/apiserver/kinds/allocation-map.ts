/**
 * Records the allocated numbers of a range, and finds the next one.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/service/allocator/bitmap.go AllocationBitmap
 *
 * Differs: upstream picks at random, so that no client can rely on the order. We count upwards and wrap around, so
 * that a run can be replayed; a released number is reused last.
 */
export class AllocationMap {
  readonly size: number;
  readonly #reserved: number;
  readonly #taken = new Set<number>();
  /** Where the search for the next number starts; never below `#reserved`. */
  #cursor: number;

  /**
   * @param size the numbers are 0 to `size - 1`
   * @param reserved how many of the lowest numbers are kept for requests by number while other numbers are free
   */
  constructor(size: number, reserved: number) {
    this.size = size;
    this.#reserved = reserved;
    this.#cursor = reserved;
  }

  has(offset: number): boolean {
    return this.#taken.has(offset);
  }

  /** Marks a number as allocated; does nothing if it is already. */
  take(offset: number): void {
    if (this.#taken.has(offset)) return;
    if (offset >= this.#reserved && offset === this.next()) this.#cursor = offset + 1;
    this.#taken.add(offset);
  }

  release(offset: number): void {
    this.#taken.delete(offset);
  }

  /**
   * Returns the number to allocate next, without allocating it; `undefined` when the range is full.
   *
   * @param besides additional numbers to exclude
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
