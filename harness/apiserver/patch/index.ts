import { applyJsonPatch } from './json-patch.ts';
import { isObject, type Json } from './json-value.ts';
import { applyMergePatch } from './merge-patch.ts';
import { badRequest } from './patch-error.ts';
import type { PatchSchema } from './patch-schema.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

/** The kinds of patch that are applied here. Server-side apply is a matter of field management instead. */
type PatchType = 'json' | 'merge' | 'strategic';

/** A patch as it was sent: its kind and its decoded JSON body, of which nothing has been checked. */
export interface Patch {
  readonly type: PatchType;
  readonly body: unknown;
}

/** The media type by which a request names each kind of patch. */
const patchMediaTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const satisfies Record<PatchType, string>;

/**
 * The kind of patch that a Content-Type header announces, whatever its parameters; undefined if it is none
 * of ours, or absent.
 */
export function patchTypeOf(contentType: string | null): PatchType | undefined {
  const [mediaType] = (contentType ?? '').split(';');
  const types = Object.keys(patchMediaTypes) as PatchType[];
  return types.find((type) => patchMediaTypes[type] === mediaType);
}

/**
 * Applies a patch to an object and returns the patched object: `original` itself if nothing changed.
 *
 * Patches: what a PATCH request does to an object. Pure functions over JSON values that never change their
 * arguments and share with the original whatever a patch leaves equal.
 *
 * @param schema of the object's kind, from {@link schemaOf}; only a strategic merge patch consults it.
 * @throws {PatchError} with the HTTP status a real apiserver would answer. Nothing was changed.
 */
export function applyPatch(original: unknown, patch: Patch, schema: PatchSchema | undefined): unknown {
  const object = original as Json;
  const body = patch.body as Json;
  switch (patch.type) {
    case 'json':
      return applyJsonPatch(object, body);
    case 'merge':
      return applyMergePatch(object, body);
    case 'strategic':
      if (!isObject(object)) throw badRequest('invalid JSON document');
      return applyStrategicMergePatch(object, body, schema);
  }
}

export { applyJsonPatch } from './json-patch.ts';
export type { Json, JsonList, JsonObject } from './json-value.ts';
export { applyMergePatch } from './merge-patch.ts';
export { PatchError, type PatchErrorCode, unsupportedMediaType } from './patch-error.ts';
export { type PatchField, type PatchSchema, type PatchStrategy, schemaOf } from './patch-schema.ts';
export { applyStrategicMergePatch } from './strategic-merge-patch.ts';
export {
  createThreeWayMergePatch,
  MergeConflictError,
  PreconditionFailedError,
  type ThreeWay,
  type ThreeWayOptions,
} from './three-way-merge-patch.ts';
export { createTwoWayMergePatch } from './two-way-merge-patch.ts';
