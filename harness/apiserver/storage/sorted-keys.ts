/**
 * A set of keys that is read in order. It keeps additions aside and merges them at the next read, so that a thousand
 * creates between two lists cost one merge.
 */
export class SortedKeys {
  #sorted: string[] = [];
  #added = new Set<string>();
  #removed = new Set<string>();

  /** Adds a missing key. */
  add(key: string): void {
    if (!this.#removed.delete(key)) this.#added.add(key);
  }

  /** Removes an existing key. */
  delete(key: string): void {
    if (!this.#added.delete(key)) this.#removed.add(key);
  }

  /**
   * Returns all keys, ordered by code units as etcd orders bytes. Callers must not change the array; it is valid until
   * the next change.
   */
  all(): readonly string[] {
    if (this.#removed.size > 0) {
      this.#sorted = this.#sorted.filter((key) => !this.#removed.has(key));
      this.#removed.clear();
    }
    if (this.#added.size > 0) {
      this.#sorted = merge(this.#sorted, [...this.#added].sort());
      this.#added.clear();
    }
    return this.#sorted;
  }
}

function merge(a: readonly string[], b: readonly string[]): string[] {
  const result: string[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const left = a[i] as string;
    const right = b[j] as string;
    if (left < right) {
      result.push(left);
      i++;
    } else {
      result.push(right);
      j++;
    }
  }
  while (i < a.length) result.push(a[i++] as string);
  while (j < b.length) result.push(b[j++] as string);
  return result;
}
