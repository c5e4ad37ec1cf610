/** The largest chunk of an {@link OrderedList}. A removal moves at most so many items. */
const CHUNK = 256;

/**
 * A list from whose middle items are often removed. In an array each removal moves all later items, and an instant of a
 * large cluster has tens of thousands of tasks.
 */
export class OrderedList<T> {
  /** The items, in order. No chunk is empty, except the only one. */
  readonly #chunks: T[][] = [[]];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  *[Symbol.iterator](): Generator<T> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  push(item: T): void {
    const last = this.#chunks[this.#chunks.length - 1] as T[];
    if (last.length < CHUNK) last.push(item);
    else this.#chunks.push([item]);
    this.#length++;
  }

  /** Removes and returns the item at this index; undefined if there is none. The others keep their order. */
  take(index: number): T | undefined {
    let which = 0;
    let at = index;
    let chunk = this.#chunks[which];
    while (chunk && at >= chunk.length) {
      at -= chunk.length;
      chunk = this.#chunks[++which];
    }
    return chunk && this.#take(which, at);
  }

  /** Removes an item. Returns whether it was in the list. */
  remove(item: T): boolean {
    for (const [which, chunk] of this.#chunks.entries()) {
      const at = chunk.indexOf(item);
      if (at < 0) continue;
      this.#take(which, at);
      return true;
    }
    return false;
  }

  #take(which: number, at: number): T | undefined {
    const chunk = this.#chunks[which] as T[];
    const item = chunk[at];
    // Most lists have one item.
    if (at === chunk.length - 1) chunk.pop();
    else chunk.splice(at, 1);
    if (chunk.length === 0 && this.#chunks.length > 1) this.#chunks.splice(which, 1);
    this.#length--;
    return item;
  }
}
