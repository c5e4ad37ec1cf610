import { getOwn, type Json, type JsonObject, setOwn } from './json-value.ts';

/**
 * A JSON object under edit, copied on the first write that changes something. Edits that in sum change
 * nothing yield the original object itself.
 */
export class Draft {
  readonly #base: JsonObject;
  #copy: Record<string, Json> | undefined;

  constructor(base: JsonObject) {
    this.#base = base;
  }

  /** The object as edited so far. */
  get current(): JsonObject {
    return this.#copy ?? this.#base;
  }

  /** The edited object: the original itself if all its properties are what they were, by identity. */
  finish(): JsonObject {
    const [before, after] = [this.#base, this.current];
    const keys = Object.keys(after);
    const same =
      keys.length === Object.keys(before).length && keys.every((key) => getOwn(before, key) === after[key]);
    return same ? before : after;
  }

  /** The own property `key`, or undefined where there is none. */
  get(key: string): Json | undefined {
    return getOwn(this.current, key);
  }

  /** Sets `key`. Setting the value it already has, by identity, is no change. */
  set(key: string, value: Json): void {
    if (this.get(key) !== value) setOwn(this.#writable(), key, value);
  }

  /** Removes `key`. Removing what is not there is no change. */
  delete(key: string): void {
    if (Object.hasOwn(this.current, key)) delete this.#writable()[key];
  }

  #writable(): Record<string, Json> {
    // Spread copies an own `__proto__` as an own property.
    this.#copy ??= { ...this.#base };
    return this.#copy;
  }
}
