import type { MergeSchema } from '../../contracts/apply/index.ts';
import { isObject, type Json, type JsonObject } from './json-value.ts';
import { mergeMap } from './merge-map.ts';
import { badRequest, unsupportedMediaType } from './patch-error.ts';

/**
 * Applies a strategic merge patch as the apiserver does. It is like a merge patch, but lists can merge by element if
 * their schema says so. Directives in the patch can replace, delete, order and clear. Changes neither argument; the
 * result shares equal parts with `original`. A patch without changes returns `original` itself.
 *
 * Differs: upstream decodes the result into a Go struct, which drops nulls and drops or rejects unknown fields. Without
 * a struct, we drop nulls and directives from added values, and merge an unknown field like one without tags. We ignore
 * an order directive for an empty list, since upstream would not have stored the list.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go StrategicMergeMapPatch;
 * kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go interpretStrategicMergePatchError
 *
 * @param schema - the schema of the object's kind; undefined for a custom resource
 * @throws {PatchError} 415 without a schema; 400 if the patch is not an object, or `$retainKeys` or a parallel list is
 *   malformed; 422 for lists of lists; 500 for all other malformed patches: list elements without their merge key,
 *   unknown directives, a list that contradicts its `$setElementOrder`.
 */
export function applyStrategicMergePatch(
  original: JsonObject,
  patch: Json,
  schema: MergeSchema | undefined,
): JsonObject {
  if (schema === undefined) {
    throw unsupportedMediaType([
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/apply-patch+yaml',
    ]);
  }
  if (!isObject(patch)) throw badRequest('error decoding patch: a strategic merge patch is a JSON object');
  return mergeMap(original, patch, schema);
}
