import { getOwn, isList, isObject, type Json, type JsonObject, setOwn } from './json-value.ts';
import { badRequest } from './patch-error.ts';

/**
 * In an object: `replace` it with the rest of the patch, or `delete` it.
 *
 * The directives of strategic merge patches: keys that tell how to merge and are never stored.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go (its constants)
 */
export const PATCH = '$patch';

/** In an object: the list of keys to keep; the patched object loses all others. */
export const RETAIN_KEYS = '$retainKeys';

/** `$setElementOrder/<list>`: the order in which the list's elements should stand. */
export const SET_ELEMENT_ORDER = '$setElementOrder';

/** `$deleteFromPrimitiveList/<list>`: scalars to remove from the list. */
export const DELETE_FROM_PRIMITIVE_LIST = '$deleteFromPrimitiveList';

/** The prefixes of the directives that stand beside a list as its parallel list. */
type ParallelList = typeof SET_ELEMENT_ORDER | typeof DELETE_FROM_PRIMITIVE_LIST;

/** The key of the parallel list of `field`. */
export function parallelKey(prefix: ParallelList, field: string): string {
  return `${prefix}/${field}`;
}

/**
 * The field that the parallel list `key` belongs to, or undefined if `key` is not one with this prefix.
 *
 * @throws {PatchError} 400 if `key` has the prefix and names no field.
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

/** Whether `item` is a list element that asks for the element with its key to be deleted. */
export function isDeleteDirective(item: Json): item is JsonObject {
  return isObject(item) && getOwn(item, PATCH) === 'delete';
}

/**
 * `value` without the objects that carry a `$patch`, at any depth: there is nothing yet that they could direct.
 * Undefined if `value` is itself such an object.
 */
export function withoutDirectives(value: Json): Json | undefined {
  if (isList(value)) return value.map((item) => withoutDirectives(item)).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, PATCH)) return undefined;
  return mapEntries(value, (item) => withoutDirectives(item));
}

/**
 * `value` as upstream's decoding into Go structs would leave it: without null properties, and without
 * directives that nothing has obeyed, at any depth. Nulls that are list elements stay.
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
