import { getOwn } from '../../api/own.ts';
import type { MergeField, MergeSchema } from '../../contracts/apply/index.ts';
import {
  asStored,
  DELETE_FROM_PRIMITIVE_LIST,
  fieldOfParallelKey,
  PATCH,
  RETAIN_KEYS,
  SET_ELEMENT_ORDER,
  withoutDirectives,
} from './directives.ts';
import { Draft } from './draft.ts';
import { isList, isObject, type Json, type JsonObject, share, shareList } from './json-value.ts';
import { arrange, checkAgainstOrder, expectList } from './list-order.ts';
import { deleteFromList, mergeList } from './merge-list.ts';
import { badRequest, unknownPatchType } from './patch-error.ts';
import { fieldOf } from './patch-schema.ts';

/**
 * Merges a strategic merge patch into an object. Changes neither argument; the result shares equal parts with
 * `original`.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go mergeMap
 *
 * @throws {PatchError} in the same cases as applyStrategicMergePatch.
 */
export function mergeMap(
  original: JsonObject,
  patch: JsonObject,
  schema: MergeSchema | undefined,
): JsonObject {
  const directive = getOwn(patch, PATCH);
  if (directive !== undefined) return obeyDirective(directive, original, patch);

  const result = new Draft(original);
  const rest = new Draft(patch);
  retainKeys(result, rest);
  setElementOrder(result, rest, schema);
  for (const [key, value] of Object.entries(rest.current)) {
    if (fieldOfParallelKey(DELETE_FROM_PRIMITIVE_LIST, key) === undefined) {
      mergeField(result, key, value, fieldOf(schema, key));
    }
  }
  // Deletions follow the additions, so that the result does not depend on the order of the patch's keys.
  for (const [key, value] of Object.entries(rest.current)) {
    const field = fieldOfParallelKey(DELETE_FROM_PRIMITIVE_LIST, key);
    if (field !== undefined) deleteScalars(result, { field, value, before: getOwn(original, field) });
  }
  return result.finish();
}

function obeyDirective(directive: Json, original: JsonObject, patch: JsonObject): JsonObject {
  switch (directive) {
    case 'replace': {
      const rest = new Draft(patch);
      rest.delete(PATCH);
      return share(original, asStored(rest.current)) as JsonObject;
    }
    case 'delete':
      return share(original, {}) as JsonObject;
    default:
      throw unknownPatchType(directive, patch);
  }
}

function mergeField(result: Draft, key: string, value: Json, field: MergeField): void {
  const before = result.get(key);
  if (value === null) {
    result.delete(key);
  } else if (isObject(before) && isObject(value)) {
    const replaces = field.patchStrategy === 'replace';
    result.set(key, replaces ? share(before, asStored(value)) : mergeMap(before, value, field.schema));
  } else if (isList(before) && isList(value)) {
    result.set(key, mergeList(before, value, listOptions(field)));
  } else {
    const adopted = withoutDirectives(value);
    if (adopted === undefined) result.delete(key);
    else result.set(key, asStored(adopted));
  }
}

function listOptions(field: MergeField): Parameters<typeof mergeList>[2] {
  return {
    field,
    mergeItem: (original, patch) => mergeMap(original, patch, field.schema),
  };
}

/**
 * Clears the keys that `$retainKeys` does not name.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go applyRetainKeysDirective
 */
function retainKeys(result: Draft, rest: Draft): void {
  const retained = rest.get(RETAIN_KEYS);
  if (retained === undefined) return;
  rest.delete(RETAIN_KEYS);
  if (!isList(retained)) throw badRequest('invalid patch format of retainKeys');
  const keys = new Set(retained);
  for (const [key, value] of Object.entries(rest.current)) {
    const parallel = key.startsWith(DELETE_FROM_PRIMITIVE_LIST) || key.startsWith(SET_ELEMENT_ORDER);
    if (value !== null && !parallel && !keys.has(key)) throw badRequest('invalid patch format of retainKeys');
  }
  for (const key of Object.keys(result.current)) {
    if (!keys.has(key)) result.delete(key);
  }
}

/**
 * Merges the lists that have a `$setElementOrder`, and orders their elements by it.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go mergePatchIntoOriginal
 */
function setElementOrder(result: Draft, rest: Draft, schema: MergeSchema | undefined): void {
  for (const [key, value] of Object.entries(rest.current)) {
    const name = fieldOfParallelKey(SET_ELEMENT_ORDER, key);
    if (name === undefined) continue;
    rest.delete(key);
    orderList(result, rest, { name, order: value, field: fieldOf(schema, name) });
  }
}

function orderList(
  result: Draft,
  rest: Draft,
  directive: { name: string; order: Json; field: MergeField },
): void {
  const { name, field } = directive;
  const { patchMergeKey: mergeKey } = field;
  const order = expectList(directive.order);
  const [before, patched] = [result.get(name), rest.get(name)];
  const original = before === undefined ? undefined : expectList(before);
  const patch = patched === undefined ? undefined : expectList(patched);
  if (patch) checkAgainstOrder(patch, order, mergeKey);
  rest.delete(name);

  let merged = original;
  if (patch) {
    merged = original
      ? mergeList(original, patch, listOptions(field))
      : expectList(asStored(withoutDirectives(patch) ?? []));
  }
  if (!merged) return;
  const serverOrder = original ?? [];
  result.set(name, shareList(serverOrder, arrange(merged, { order, serverOrder, mergeKey })));
}

function deleteScalars(
  result: Draft,
  directive: { field: string; value: Json; before: Json | undefined },
): void {
  const { field, value, before } = directive;
  const list = result.get(field);
  if (isList(list) && isList(value)) result.set(field, share(before, deleteFromList(list, value)));
}
