/**
 * Returns `previous` if it has the same elements as `next`, and otherwise `next`. A view that is built from reused parts
 * is reused itself.
 */
export function sameList<T>(previous: readonly T[] | undefined, next: readonly T[]): readonly T[] {
  if (previous?.length !== next.length) return next;
  return next.every((each, i) => each === previous[i]) ? previous : next;
}

/** Returns `previous` if it has the same fields as `next`, compared by identity, and otherwise `next`. */
export function sameFields<T extends object>(previous: T | undefined, next: T): T {
  if (!previous) return next;
  const keys = Object.keys(next) as (keyof T)[];
  if (keys.length !== Object.keys(previous).length) return next;
  return keys.every((key) => next[key] === previous[key]) ? previous : next;
}

/** Keeps the last value of each name. */
export class Kept<T extends object> {
  readonly #values = new Map<string, T>();

  /** Returns the last value of this name if it has the same fields, and otherwise this one. */
  keep(name: string, next: T): T {
    const kept = sameFields(this.#values.get(name), next);
    this.#values.set(name, kept);
    return kept;
  }

  get(name: string): T | undefined {
    return this.#values.get(name);
  }
}

/** Returns a function that computes each object's result once, as long as the object lives. */
export function once<K extends object, V>(compute: (object: K) => V): (object: K) => V {
  const known = new WeakMap<K, V>();
  return (object) => {
    if (known.has(object)) return known.get(object) as V;
    const value = compute(object);
    known.set(object, value);
    return value;
  };
}
