import type { MergeSchema } from '../../contracts/apply/index.ts';
import { diffMaps } from './diff-map.ts';
import type { JsonObject } from './json-value.ts';

/**
 * Returns the strategic merge patch that turns `original` into `modified`. Elements of a merging list must have
 * different merge keys, or be different scalars.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go CreateTwoWayMergeMapPatch
 *
 * @throws {PatchError} if a merging list is malformed; its code is meaningless on the client's side.
 */
export function createTwoWayMergePatch(
  original: JsonObject,
  modified: JsonObject,
  schema: MergeSchema | undefined,
): JsonObject {
  return diffMaps(original, modified, schema, { setElementOrder: true });
}
