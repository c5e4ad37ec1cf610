import { getOwn } from '../../api/own.ts';
import type { MergeField, MergeSchema } from '../../contracts/apply/index.ts';
import { type DiffOptions, diffLists } from './diff-list.ts';
import {
  DELETE_FROM_PRIMITIVE_LIST,
  PATCH,
  parallelKey,
  RETAIN_KEYS,
  SET_ELEMENT_ORDER,
} from './directives.ts';
import {
  equalJson,
  isList,
  isObject,
  type Json,
  type JsonList,
  type JsonObject,
  setOwn,
  typeOf,
} from './json-value.ts';
import { unmapped } from './patch-error.ts';
import { fieldOf, mergesLists, retainsKeys } from './patch-schema.ts';

/**
 * Returns the strategic merge patch that turns `original` into `modified`, within the limits of `options`. It is empty
 * if both are equal, except that a field with the strategy `replace` is always sent.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go diffMaps
 *
 * @param retainKeys - whether to emit `$retainKeys` for this object
 */
export function diffMaps(
  original: JsonObject,
  modified: JsonObject,
  schema: MergeSchema | undefined,
  options: DiffOptions,
  retainKeys = false,
): JsonObject {
  const patch: Record<string, Json> = {};
  for (const [key, value] of Object.entries(modified)) {
    diffField(patch, key, { before: getOwn(original, key), after: value }, fieldOf(schema, key), options);
  }
  const removed = Object.keys(original).filter((key) => !Object.hasOwn(modified, key));
  if (!options.ignoreDeletions) {
    for (const key of removed) setOwn(patch, key, null);
  }
  if (retainKeys) {
    const retained = Object.keys(modified).filter((key) => modified[key] !== null);
    // Deletions matter even to a diff that ignores them, because $retainKeys clears the fields of other writers.
    const clears = removed.some((key) => original[key] !== null);
    if (retained.length > 0 && (Object.keys(patch).length > 0 || clears))
      patch[RETAIN_KEYS] = retained.sort();
  }
  return patch;
}

function diffField(
  patch: Record<string, Json>,
  key: string,
  { before, after }: { before: Json | undefined; after: Json },
  field: MergeField,
  options: DiffOptions,
): void {
  const ignoresChanges = options.ignoreChangesAndAdditions === true;
  if (before !== undefined && key === PATCH) {
    if (typeof before !== 'string' || typeof after !== 'string')
      throw unmapped(`invalid value for special key: ${PATCH}`);
    if (before !== after) patch[PATCH] = after;
  } else if (before === undefined || typeOf(before) !== typeOf(after)) {
    if (!ignoresChanges) setOwn(patch, key, after);
  } else if (isObject(before) && isObject(after) && field.patchStrategy !== 'replace') {
    const difference = diffMaps(before, after, field.schema, options, retainsKeys(field));
    if (Object.keys(difference).length > 0) setOwn(patch, key, difference);
  } else if (isList(before) && isList(after) && mergesLists(field)) {
    diffMergingList(patch, key, { before, after }, field, options);
  } else if (
    !ignoresChanges &&
    ((isObject(after) && field.patchStrategy === 'replace') || !equalJson(before, after))
  ) {
    setOwn(patch, key, after);
  }
}

function diffMergingList(
  patch: Record<string, Json>,
  key: string,
  { before, after }: { before: JsonList; after: JsonList },
  field: MergeField,
  options: DiffOptions,
): void {
  const { list, deletions, order } = diffLists(before, after, {
    mergeKey: field.patchMergeKey,
    options,
    diffItem: (original, modified) => diffMaps(original, modified, field.schema, options, retainsKeys(field)),
  });
  if (list.length > 0) setOwn(patch, key, list);
  if (deletions.length > 0) patch[parallelKey(DELETE_FROM_PRIMITIVE_LIST, key)] = deletions;
  if (order.length > 0) patch[parallelKey(SET_ELEMENT_ORDER, key)] = order;
}
