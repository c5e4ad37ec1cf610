import { getOwn, type Json, type JsonObject, setOwn } from './json-value.ts';

/**
 * A JSON object under edit, copied on the first write that changes something. An edit that changes
 * nothing therefore yields the original object itself, by identity.
 */
export class Draft {
  readonly #base: JsonObject;
  #copy: Record<string, Json> | undefined;

  constructor(base: JsonObject) {
    this.#base = base;
  }

  /** The object as edited so far: the one given to the constructor while nothing has changed. */
  get result(): JsonObject {
    return this.#copy ?? this.#base;
  }

  /** The own property `key`, or undefined where there is none. */
  get(key: string): Json | undefined {
    return getOwn(this.result, key);
  }

  /** Sets `key`. Setting the value it already has, by identity, is no change. */
  set(key: string, value: Json): void {
    if (this.get(key) !== value) setOwn(this.#writable(), key, value);
  }

  /** Removes `key`. Removing what is not there is no change. */
  delete(key: string): void {
    if (Object.hasOwn(this.result, key)) delete this.#writable()[key];
  }

  #writable(): Record<string, Json> {
    // Spread copies an own `__proto__` as an own property.
    this.#copy ??= { ...this.#base };
    return this.#copy;
  }
}
