import { getOwn } from '../../api/own.ts';

/**
 * Any JSON value. Read-only at every level, because stored objects are frozen and shared.
 *
 * The patch code accepts any keys that a user sends. It reads and writes only own properties, so `__proto__` and
 * `constructor` are ordinary keys.
 */
export type Json = null | boolean | number | string | JsonList | JsonObject;

/** A JSON array. */
export type JsonList = readonly Json[];

/** A JSON object. Read it with {@link getOwn}: an index expression also finds inherited properties. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** The JSON type names, which distinguish `null`, `list` and `object`. */
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'list' | 'object';

/** Reports whether `value` is a JSON array. Narrows to a read-only list, unlike `Array.isArray`. */
export function isList(value: Json | undefined): value is JsonList {
  return Array.isArray(value);
}

/** Reports whether `value` is a JSON object: neither null nor an array. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the JSON type of `value`. */
export function typeOf(value: Json): JsonType {
  if (value === null) return 'null';
  if (isList(value)) return 'list';
  return typeof value as Exclude<JsonType, 'null' | 'list'>;
}

/** Sets an own property, including `__proto__`; a plain assignment would set the prototype. */
export function setOwn(object: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Reports whether two JSON values are equal, regardless of the order of object keys. */
export function equalJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (isList(left) && isList(right)) {
    return left.length === right.length && left.every((item, index) => equalJson(item, right[index]));
  }
  if (isObject(left) && isObject(right)) {
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key], right[key]))
    );
  }
  return false;
}

/**
 * Returns a value equal to `after`. Each subtree that equals its counterpart in `before` *is* that counterpart, so a
 * comparison by identity finds the unchanged parts.
 */
export function share(before: Json | undefined, after: Json): Json {
  if (isList(before) && isList(after)) {
    return shareList(
      before,
      after.map((item, index) => share(before[index], item)),
    );
  }
  if (isObject(before) && isObject(after)) {
    const keys = Object.keys(after);
    const result: Record<string, Json> = {};
    let same = keys.length === Object.keys(before).length;
    for (const key of keys) {
      const earlier = getOwn(before, key);
      const value = share(earlier, after[key] as Json);
      same &&= value === earlier;
      setOwn(result, key, value);
    }
    return same ? before : result;
  }
  return after;
}

/** Returns `before` if `after` has identical items in the same order, else `after`. */
export function shareList(before: JsonList, after: JsonList): JsonList {
  const same = before.length === after.length && after.every((item, index) => item === before[index]);
  return same ? before : after;
}
