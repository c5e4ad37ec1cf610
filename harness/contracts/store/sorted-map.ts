import type { KeyRange } from './key-value-store.ts';

/**
 * A map whose keys are ordered by their bytes. A write takes constant time. It keeps additions aside and merges them at
 * the next read of a range, so that a thousand writes between two reads cost one merge.
 */
export class SortedMap<V> {
  readonly #values = new Map<string, V>();
  #sorted: string[] = [];
  readonly #added = new Set<string>();
  readonly #removed = new Set<string>();

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: V): void {
    if (!this.#values.has(key) && !this.#removed.delete(key)) this.#added.add(key);
    this.#values.set(key, value);
  }

  delete(key: string): void {
    if (this.#values.delete(key) && !this.#added.delete(key)) this.#removed.add(key);
  }

  /** Returns the values of a range, in the order of their keys. */
  within({ key, end }: KeyRange): V[] {
    if (end === undefined) {
      const value = this.#values.get(key);
      return value === undefined ? [] : [value];
    }
    const keys = this.#ordered();
    const first = lowerBound(keys, key);
    return keys
      .slice(first, Math.max(first, lowerBound(keys, end)))
      .map((each) => this.#values.get(each) as V);
  }

  /** Returns all values, in the order of their keys. */
  all(): V[] {
    return this.#ordered().map((key) => this.#values.get(key) as V);
  }

  #ordered(): readonly string[] {
    if (this.#removed.size > 0) {
      this.#sorted = this.#sorted.filter((key) => !this.#removed.has(key));
      this.#removed.clear();
    }
    if (this.#added.size > 0) {
      // The engine's sort merges two ordered runs in linear time.
      this.#sorted = [...this.#sorted, ...[...this.#added].sort()].sort(byText);
      this.#added.clear();
    }
    return this.#sorted;
  }
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns the index of the first key that is not below `wanted`; `keys` are sorted. */
export function lowerBound(keys: readonly string[], wanted: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as string) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
