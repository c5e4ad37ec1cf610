/**
 * A list that all callers share until an item comes, goes or changes its state. A kubelet lists everything once a
 * second, and most of the time nothing has changed.
 */
export class SharedList<T extends { readonly state: string }, V> {
  #items: readonly T[] | undefined;
  #states: readonly string[] = [];
  #list: readonly V[] = [];

  /**
   * Returns the list of these items.
   *
   * @param make - makes the list, which depends on nothing but the items and their states
   */
  of(items: readonly T[], make: (items: readonly T[]) => readonly V[]): readonly V[] {
    if (this.#isSame(items)) return this.#list;
    this.#items = items;
    this.#states = items.map(({ state }) => state);
    this.#list = Object.freeze(make(items));
    return this.#list;
  }

  #isSame(items: readonly T[]): boolean {
    const before = this.#items;
    if (before?.length !== items.length) return false;
    for (let i = 0; i < items.length; i++)
      if (before[i] !== items[i] || this.#states[i] !== items[i]?.state) return false;
    return true;
  }
}
