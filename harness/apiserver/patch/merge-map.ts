import { getOwn } from '../../api/own.ts';
import type { MergeField, MergeSchema } from '../../contracts/apply/index.ts';
import {
  DELETE_FROM_PRIMITIVE_LIST,
  fieldOfParallelKey,
  PATCH,
  RETAIN_KEYS,
  SET_ELEMENT_ORDER,
  withoutDirectives,
} from './directives.ts';
import { Draft } from './draft.ts';
import { equalJson, isList, isObject, type Json, type JsonObject, share, shareList } from './json-value.ts';
import { arrange, checkAgainstOrder, expectList } from './list-order.ts';
import { admit, deleteFromList, type MergeMode, mergeList } from './merge-list.ts';
import { badRequest, unknownPatchType } from './patch-error.ts';
import { fieldOf } from './patch-schema.ts';

/**
 * Merges a strategic merge patch into an object, or in mode `combine` into another patch. Changes neither argument; the
 * result shares equal parts with `original`.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go mergeMap
 *
 * @throws {PatchError} in the same cases as applyStrategicMergePatch.
 */
export function mergeMap(
  original: JsonObject,
  patch: JsonObject,
  schema: MergeSchema | undefined,
  mode: MergeMode,
): JsonObject {
  const directive = getOwn(patch, PATCH);
  if (directive !== undefined) return obeyDirective(directive, original, patch, mode);

  const result = new Draft(original);
  const rest = new Draft(patch);
  retainKeys(result, rest, mode);
  setElementOrder(result, rest, schema, mode);
  for (const [key, value] of Object.entries(rest.current)) {
    if (fieldOfParallelKey(DELETE_FROM_PRIMITIVE_LIST, key) === undefined) {
      mergeField(result, key, value, fieldOf(schema, key), mode);
    }
  }
  // Deletions follow the additions, so that the result does not depend on the order of the patch's keys.
  for (const [key, value] of Object.entries(rest.current)) {
    const field = fieldOfParallelKey(DELETE_FROM_PRIMITIVE_LIST, key);
    if (field !== undefined)
      deleteScalars(result, { key, field, value, before: getOwn(original, field) }, mode);
  }
  return result.finish();
}

function obeyDirective(
  directive: Json,
  original: JsonObject,
  patch: JsonObject,
  mode: MergeMode,
): JsonObject {
  switch (directive) {
    case 'replace': {
      const rest = new Draft(patch);
      rest.delete(PATCH);
      return share(original, admit(rest.current, mode)) as JsonObject;
    }
    case 'delete':
      return share(original, {}) as JsonObject;
    default:
      throw unknownPatchType(directive, patch);
  }
}

function mergeField(result: Draft, key: string, value: Json, field: MergeField, mode: MergeMode): void {
  const before = result.get(key);
  if (value === null) {
    if (mode === 'apply') result.delete(key);
    else result.set(key, null);
  } else if (isObject(before) && isObject(value)) {
    const replaces = field.patchStrategy === 'replace';
    result.set(
      key,
      replaces ? share(before, admit(value, mode)) : mergeMap(before, value, field.schema, mode),
    );
  } else if (isList(before) && isList(value)) {
    result.set(key, mergeList(before, value, listOptions(field, mode)));
  } else {
    const adopted = withoutDirectives(value);
    if (adopted === undefined) result.delete(key);
    else result.set(key, admit(adopted, mode));
  }
}

function listOptions(field: MergeField, mode: MergeMode): Parameters<typeof mergeList>[2] {
  return {
    field,
    mode,
    mergeItem: (original, patch) => mergeMap(original, patch, field.schema, mode),
  };
}

/**
 * Clears the keys that `$retainKeys` does not name.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go applyRetainKeysDirective
 */
function retainKeys(result: Draft, rest: Draft, mode: MergeMode): void {
  const retained = rest.get(RETAIN_KEYS);
  if (retained === undefined) return;
  rest.delete(RETAIN_KEYS);
  if (mode === 'combine') {
    carryOver(result, RETAIN_KEYS, retained, 'invalid patch format of retainKeys');
    return;
  }
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
function setElementOrder(result: Draft, rest: Draft, schema: MergeSchema | undefined, mode: MergeMode): void {
  for (const [key, value] of Object.entries(rest.current)) {
    const name = fieldOfParallelKey(SET_ELEMENT_ORDER, key);
    if (name === undefined) continue;
    rest.delete(key);
    if (mode === 'combine') carryOver(result, key, value, 'invalid patch format of setElementOrder list');
    orderList(result, rest, { name, order: value, field: fieldOf(schema, name) }, mode);
  }
}

function orderList(
  result: Draft,
  rest: Draft,
  directive: { name: string; order: Json; field: MergeField },
  mode: MergeMode,
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
      ? mergeList(original, patch, listOptions(field, mode))
      : expectList(admit(withoutDirectives(patch) ?? [], mode));
  }
  if (!merged) return;
  const serverOrder = original ?? [];
  result.set(name, shareList(serverOrder, arrange(merged, { order, serverOrder, mergeKey })));
}

/** Copies a directive of the later patch into the combined one. Two different directives are an error. */
function carryOver(result: Draft, key: string, value: Json, message: string): void {
  const earlier = result.get(key);
  if (earlier === undefined) result.set(key, value);
  else if (!equalJson(earlier, value)) throw badRequest(message);
}

function deleteScalars(
  result: Draft,
  directive: { key: string; field: string; value: Json; before: Json | undefined },
  mode: MergeMode,
): void {
  const { key, field, value, before } = directive;
  if (mode === 'combine') {
    result.set(key, value);
    return;
  }
  const list = result.get(field);
  if (isList(list) && isList(value)) result.set(field, share(before, deleteFromList(list, value)));
}
