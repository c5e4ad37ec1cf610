import { getOwn } from '../../api/own.ts';
import type { MergeField } from '../../contracts/apply/index.ts';
import { asStored, isDeleteDirective, PATCH } from './directives.ts';
import { type Json, type JsonList, type JsonObject, share, shareList } from './json-value.ts';
import { arrange, elementTypeOf, identityOf } from './list-order.ts';
import { unknownPatchType, unmapped } from './patch-error.ts';
import { mergesLists } from './patch-schema.ts';

/** Merges a patch into an object of a given schema. */
type MergeItem = (original: JsonObject, patch: JsonObject) => JsonObject;

/**
 * Merges a list in a patch into the list that it patches, by the strategy of the field.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go mergeSliceHandler, mergeSlice
 *
 * @param mergeItem - merges two objects with the same merge key
 * @returns `original` itself if nothing changed.
 * @throws {PatchError} 422 for lists of lists, 500 for elements of mixed types, without merge key or with
 * an unknown directive.
 */
export function mergeList(
  original: JsonList,
  patch: JsonList,
  { field, mergeItem }: { field: MergeField; mergeItem: MergeItem },
): JsonList {
  if (!mergesLists(field)) return share(original, asStored(patch)) as JsonList;
  const { patchMergeKey: mergeKey } = field;
  if (elementTypeOf(original, patch) !== 'object') {
    const merged = [...new Set([...original, ...patch])];
    return shareList(original, arrange(merged, { order: patch, serverOrder: original, mergeKey }));
  }
  if (mergeKey === undefined) throw unmapped('cannot merge lists without merge key for struct');
  const { base, items } = obeyDirectives(original as readonly JsonObject[], patch as readonly JsonObject[], {
    mergeKey,
  });
  const merged = mergeItems(base, items, { mergeKey, mergeItem });
  return shareList(original, arrange(merged, { order: items, serverOrder: base, mergeKey }));
}

/**
 * Removes scalars from a list, whatever its strategy.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go deleteFromSlice
 */
export function deleteFromList(original: JsonList, toDelete: JsonList): JsonList {
  if (elementTypeOf(original, toDelete) === 'object') {
    throw unmapped('cannot merge lists without merge key for struct');
  }
  const deleted = new Set(toDelete);
  return shareList(
    original,
    original.filter((item) => !deleted.has(item)),
  );
}

/** Executes the elements that are directives. Returns the rest of the list and of the patch. */
function obeyDirectives(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  { mergeKey }: { mergeKey: string },
): { base: readonly JsonObject[]; items: readonly JsonObject[] } {
  const deleted = new Set(patch.filter(isDeleteDirective).map((item) => identityOf(item, mergeKey)));
  const items = patch.filter((item) => !Object.hasOwn(item, PATCH));
  let replace = false;
  for (const item of patch) {
    switch (getOwn(item, PATCH)) {
      case undefined:
      case 'delete':
        break;
      case 'replace':
        replace = true;
        break;
      case 'merge':
        throw unmapped('merging lists cannot yet be specified in the patch');
      default:
        throw unknownPatchType(getOwn(item, PATCH) as Json, item);
    }
  }
  if (replace) {
    const before = new Map(original.map((item) => [getOwn(item, mergeKey), item]));
    const base = items.map((item) => share(before.get(getOwn(item, mergeKey)), asStored(item)) as JsonObject);
    return { base, items: [] };
  }
  if (deleted.size === 0) return { base: original, items };
  return { base: original.filter((item) => !deleted.has(getOwn(item, mergeKey) ?? null)), items };
}

function mergeItems(
  base: readonly JsonObject[],
  items: readonly JsonObject[],
  { mergeKey, mergeItem }: { mergeKey: string; mergeItem: MergeItem },
): JsonList {
  const merged: JsonObject[] = [...base];
  const places = new Map<Json, number>();
  for (const [index, item] of base.entries()) {
    const identity = identityOf(item, mergeKey);
    // If several items have one key, the first is patched.
    if (!places.has(identity)) places.set(identity, index);
  }
  for (const item of items) {
    const identity = identityOf(item, mergeKey);
    const place = places.get(identity);
    if (place === undefined) {
      places.set(identity, merged.length);
      merged.push(asStored(item) as JsonObject);
    } else {
      merged[place] = mergeItem(merged[place] as JsonObject, item);
    }
  }
  return merged;
}
