import { Draft } from './draft.ts';
import { isList, isObject, type Json, setOwn, share } from './json-value.ts';
import { badRequest } from './patch-error.ts';

/**
 * Applies a JSON merge patch (RFC 7386): objects merge key by key, null deletes, and other values, above all lists, are
 * replaced as a whole. Changes neither argument; the result shares equal parts with `original`. Like a real apiserver,
 * and beyond the RFC, removes null keys also from the objects in replaced lists.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go jsonPatcher.applyJSPatch;
 * gopkg.in/evanphx/json-patch.v4@v4.13.0 merge.go MergePatch, pruneNulls
 *
 * @throws {PatchError} 400 if the patch is not a JSON object. By the RFC, it would replace the object.
 */
export function applyMergePatch(original: Json, patch: Json): Json {
  if (!isObject(patch)) throw badRequest('Invalid JSON Patch');
  return merge(original, patch);
}

function merge(original: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return share(original, withoutNullKeys(patch));
  const draft = new Draft(isObject(original) ? original : {});
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) draft.delete(key);
    else draft.set(key, merge(draft.get(key), value));
  }
  return draft.finish();
}

function withoutNullKeys(value: Json): Json {
  if (isList(value)) return value.map(withoutNullKeys);
  if (!isObject(value)) return value;
  const result: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== null) setOwn(result, key, withoutNullKeys(item));
  }
  return result;
}
