import type { MergeSchema } from '../../contracts/apply/index.ts';
import { applyJsonPatch } from './json-patch.ts';
import { isObject, type Json } from './json-value.ts';
import { applyMergePatch } from './merge-patch.ts';
import { badRequest } from './patch-error.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

/** The kinds of patch in this module. Server-side apply belongs to field management. */
type PatchType = 'json' | 'merge' | 'strategic';

/** A patch as sent: its kind and its decoded but unchecked JSON body. */
export interface Patch {
  readonly type: PatchType;
  readonly body: unknown;
}

/** The media types that select each kind of patch. */
const patchMediaTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const satisfies Record<PatchType, string>;

/**
 * Returns the kind of patch that a Content-Type header selects, whatever its parameters. Returns undefined for another
 * type, or without the header.
 */
export function patchTypeOf(contentType: string | null): PatchType | undefined {
  const [mediaType] = (contentType ?? '').split(';');
  const types = Object.keys(patchMediaTypes) as PatchType[];
  return types.find((type) => patchMediaTypes[type] === mediaType);
}

/**
 * Applies a patch to an object and returns the patched object, or `original` itself if nothing changed.
 *
 * This module implements PATCH requests as pure functions over JSON values. They never change their arguments, and the
 * result shares all unchanged parts with the original.
 *
 * @param schema - the schema of the object's kind, from {@link schemaOf}; only a strategic merge patch uses it
 * @throws {PatchError} with the HTTP status of a real apiserver. Nothing was changed.
 */
export function applyPatch(original: unknown, patch: Patch, schema: MergeSchema | undefined): unknown {
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

export type { JsonObject } from './json-value.ts';
export { PatchError, type PatchErrorCode } from './patch-error.ts';
export { schemaOf } from './patch-schema.ts';
