import { isObject, type Json, type JsonObject } from './json-value.ts';
import { mergeMap } from './merge-map.ts';
import { badRequest, unsupportedMediaType } from './patch-error.ts';
import type { PatchSchema } from './patch-schema.ts';

/**
 * Applies a strategic merge patch as the apiserver does: like a merge patch, except that lists whose schema
 * says so merge element by element, and that directives in the patch can replace, delete, order and clear.
 * Neither argument is changed, and what the patch leaves equal is shared with `original`; a patch that
 * changes nothing returns `original` itself.
 *
 * Differs: upstream decodes the result into a Go struct, which drops nulls and unknown fields, or under
 * strict field validation refuses the latter. Having no struct, we drop here nulls and directives in what a
 * patch adds, and a field that the schema does not list merges as an untagged one would. An order directive
 * for an empty list is ignored, since upstream would not have stored the list.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go StrategicMergeMapPatch;
 * kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go interpretStrategicMergePatchError
 *
 * @param schema of the object's kind; undefined for a custom resource.
 * @throws {PatchError} 415 without a schema; 400 if the patch is no object or `$retainKeys` or a parallel
 * list is malformed; 422 for lists of lists; 500 for all other malformed patches: list elements without
 * their merge key, unknown directives, a list that contradicts its `$setElementOrder`.
 */
export function applyStrategicMergePatch(
  original: JsonObject,
  patch: Json,
  schema: PatchSchema | undefined,
): JsonObject {
  if (schema === undefined) {
    throw unsupportedMediaType([
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/apply-patch+yaml',
    ]);
  }
  if (!isObject(patch)) throw badRequest('error decoding patch: a strategic merge patch is a JSON object');
  return mergeMap(original, patch, schema, 'apply');
}
