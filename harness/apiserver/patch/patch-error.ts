import { type Json, typeOf } from './json-value.ts';

/** The HTTP status codes of a rejected patch. */
export type PatchErrorCode = 400 | 413 | 415 | 422 | 500;

/**
 * A rejected patch; nothing was changed. A retry cannot help.
 *
 * `code` is the HTTP status of the answer, `message` the message of its Status. 500 is intended: an apiserver maps only
 * a few errors of strategic merge patches to a better code. All others become an internal error with reason Unknown.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go jsonPatcher.applyJSPatch,
 * interpretStrategicMergePatchError
 */
export class PatchError extends Error {
  override readonly name = 'PatchError';
  readonly code: PatchErrorCode;
  /** The reason if the Status message has none: an apiserver's 422 does not reveal it. */
  readonly detail: string;

  constructor(code: PatchErrorCode, message: string, detail: string = message) {
    super(message);
    this.code = code;
    this.detail = detail;
  }
}

/** 400 BadRequest: the patch has the wrong format. */
export function badRequest(message: string): PatchError {
  return new PatchError(400, message);
}

/** 422 Invalid: the patch is well formed but cannot be applied. */
export function unprocessable(detail: string): PatchError {
  return new PatchError(422, 'the server rejected our request due to an error in our request', detail);
}

/** 500 with reason Unknown: an error that the apiserver does not map. */
export function unmapped(message: string): PatchError {
  return new PatchError(500, message);
}

/** 415 UnsupportedMediaType. `accepted` lists the accepted media types in the server's order. */
export function unsupportedMediaType(accepted: readonly string[]): PatchError {
  const types = accepted.join(', ');
  return new PatchError(
    415,
    `the body of the request was in an unknown format - accepted media types include: ${types}`,
  );
}

/** An element of a merging list lacks its merge key. */
export function noMergeKey(element: Json, mergeKey: string): PatchError {
  return unmapped(`map: ${JSON.stringify(element)} does not contain declared merge key: ${mergeKey}`);
}

/** A directive `$patch` has an unknown value. Upstream: mergepatch.ErrBadPatchType */
export function unknownPatchType(directive: Json, map: Json): PatchError {
  const said = typeof directive === 'string' ? directive : JSON.stringify(directive);
  return unmapped(`unknown patch type: ${said} in map: ${JSON.stringify(map)}`);
}

/** A value has the wrong JSON type. */
export function badType(expected: string, actual: Json): PatchError {
  return unmapped(`expected a ${expected}, but received a ${typeOf(actual)}`);
}
