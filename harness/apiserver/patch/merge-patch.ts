import { Draft } from './draft.ts';
import { isObject, type Json, share } from './json-value.ts';
import { badRequest } from './patch-error.ts';

/**
 * Applies a JSON merge patch (RFC 7386): objects merge key by key, null deletes, and everything else,
 * lists above all, is replaced whole. Neither argument is changed; what the patch leaves equal is shared
 * with `original`.
 *
 * Differs: the library an apiserver uses also drops nulls inside lists that replace a list or a missing
 * value. The RFC keeps them, and so do we.
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/endpoints/handlers/patch.go jsonPatcher.applyJSPatch
 *
 * @throws {PatchError} 400 if the patch is not a JSON object. The RFC would let it replace the object.
 */
export function applyMergePatch(original: Json, patch: Json): Json {
  if (!isObject(patch)) throw badRequest('Invalid JSON Patch');
  return merge(original, patch);
}

function merge(original: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return share(original, patch);
  const draft = new Draft(isObject(original) ? original : {});
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) draft.delete(key);
    else draft.set(key, merge(draft.get(key), value));
  }
  return draft.finish();
}
