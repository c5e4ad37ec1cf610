import { diffMaps } from './diff-map.ts';
import type { JsonObject } from './json-value.ts';
import type { PatchSchema } from './patch-schema.ts';

/**
 * The strategic merge patch that yields `modified` when applied to `original`. Elements of one merging list
 * must differ in their merge key, or be different scalars.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go CreateTwoWayMergeMapPatch
 *
 * @throws {PatchError} if a merging list is malformed; the code means nothing on the client's side.
 */
export function createTwoWayMergePatch(
  original: JsonObject,
  modified: JsonObject,
  schema: PatchSchema | undefined,
): JsonObject {
  return diffMaps(original, modified, schema, { setElementOrder: true });
}
