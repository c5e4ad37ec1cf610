/** A cache of limited size. It evicts the least recently used entry. */
export class LruCache<V> {
  readonly #max: number;
  /** In order of last use, oldest first. */
  readonly #values = new Map<string, V>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): V | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#max) return;
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest);
      return;
    }
  }
}
