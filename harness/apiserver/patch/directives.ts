import { getOwn } from '../../api/own.ts';
import { isList, isObject, type Json, type JsonObject, setOwn } from './json-value.ts';
import { badRequest } from './patch-error.ts';

/**
 * In an object: `replace` the object with the rest of the patch, or `delete` it.
 *
 * The directives of strategic merge patches are keys that control the merge and are never stored.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go (its constants)
 */
export const PATCH = '$patch';

/** In an object: the list of keys to keep. The patched object loses all other keys. */
export const RETAIN_KEYS = '$retainKeys';

/** `$setElementOrder/<list>`: the desired order of the list's elements. */
export const SET_ELEMENT_ORDER = '$setElementOrder';

/** `$deleteFromPrimitiveList/<list>`: scalars to remove from the list. */
export const DELETE_FROM_PRIMITIVE_LIST = '$deleteFromPrimitiveList';

/** The prefixes of directives that accompany a list as its parallel list. */
type ParallelList = typeof SET_ELEMENT_ORDER | typeof DELETE_FROM_PRIMITIVE_LIST;

/**
 * Returns the field of the parallel list `key`, or undefined if `key` does not have this prefix.
 *
 * @throws {PatchError} 400 if `key` has the prefix but names no field.
 */
export function fieldOfParallelKey(prefix: ParallelList, key: string): string | undefined {
  if (!key.startsWith(prefix)) return undefined;
  if (key.startsWith(`${prefix}/`)) return key.slice(prefix.length + 1);
  throw badRequest(
    prefix === SET_ELEMENT_ORDER
      ? 'invalid patch format of setElementOrder list'
      : 'invalid patch format of primitive list',
  );
}

/** Reports whether `item` is a list element that deletes the element with its key. */
export function isDeleteDirective(item: Json): item is JsonObject {
  return isObject(item) && getOwn(item, PATCH) === 'delete';
}

/**
 * Returns `value` without the objects that carry a `$patch`, at any depth, because they find no object to change.
 * Returns undefined if `value` itself is such an object.
 */
export function withoutDirectives(value: Json): Json | undefined {
  if (isList(value)) return value.map((item) => withoutDirectives(item)).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, PATCH)) return undefined;
  return mapEntries(value, (item) => withoutDirectives(item));
}

/**
 * Returns `value` as it is after upstream's decoding into Go structs: without null properties and unused directives, at
 * any depth. Nulls that are list elements stay.
 */
export function asStored(value: Json): Json {
  if (isList(value)) return value.map(asStored);
  if (!isObject(value)) return value;
  return mapEntries(value, (item, key) => (item === null || isDirective(key) ? undefined : asStored(item)));
}

function isDirective(key: string): boolean {
  return (
    key === PATCH ||
    key === RETAIN_KEYS ||
    key.startsWith(SET_ELEMENT_ORDER) ||
    key.startsWith(DELETE_FROM_PRIMITIVE_LIST)
  );
}

function mapEntries(object: JsonObject, change: (value: Json, key: string) => Json | undefined): JsonObject {
  const result: Record<string, Json> = {};
  for (const [key, value] of Object.entries(object)) {
    const changed = change(value, key);
    if (changed !== undefined) setOwn(result, key, changed);
  }
  return result;
}
