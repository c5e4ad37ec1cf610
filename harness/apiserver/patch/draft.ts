import { getOwn } from '../../api/own.ts';
import { type Json, type JsonObject, setOwn } from './json-value.ts';

/**
 * A JSON object under edit, copied on the first write that changes something. If the edits cancel out, the result is
 * the original object itself.
 */
export class Draft {
  readonly #base: JsonObject;
  #copy: Record<string, Json> | undefined;

  constructor(base: JsonObject) {
    this.#base = base;
  }

  /** The object with all edits so far. */
  get current(): JsonObject {
    return this.#copy ?? this.#base;
  }

  /** Returns the edited object: the original itself if all its properties are identical to the original ones. */
  finish(): JsonObject {
    const [before, after] = [this.#base, this.current];
    const keys = Object.keys(after);
    const same =
      keys.length === Object.keys(before).length && keys.every((key) => getOwn(before, key) === after[key]);
    return same ? before : after;
  }

  /** Returns the own property `key`, or undefined if it does not exist. */
  get(key: string): Json | undefined {
    return getOwn(this.current, key);
  }

  /** Sets `key`. Setting the identical value changes nothing. */
  set(key: string, value: Json): void {
    if (this.get(key) !== value) setOwn(this.#writable(), key, value);
  }

  /** Removes `key`. Removing a missing key changes nothing. */
  delete(key: string): void {
    if (Object.hasOwn(this.current, key)) delete this.#writable()[key];
  }

  #writable(): Record<string, Json> {
    // Spread copies an own `__proto__` as an own property.
    this.#copy ??= { ...this.#base };
    return this.#copy;
  }
}
