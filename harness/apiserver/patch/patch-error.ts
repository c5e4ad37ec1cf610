import { type Json, typeOf } from './json-value.ts';

/** HTTP status codes with which an apiserver refuses a patch. */
export type PatchErrorCode = 400 | 413 | 415 | 422 | 500;

/**
 * A patch that was refused; nothing was changed. Sending it again cannot help.
 *
 * `code` is the HTTP status the apiserver answers, `message` the Status message. 500 is no mistake: it
 * is how an apiserver reports most malformed strategic merge patches, because it maps only a few of
 * their errors to a better code and everything else becomes an internal error with reason Unknown.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go jsonPatcher.applyJSPatch,
 * interpretStrategicMergePatchError
 */
export class PatchError extends Error {
  override readonly name = 'PatchError';
  readonly code: PatchErrorCode;
  /** Why, where the Status message does not say: an apiserver's 422 keeps the reason to itself. */
  readonly detail: string;

  constructor(code: PatchErrorCode, message: string, detail: string = message) {
    super(message);
    this.code = code;
    this.detail = detail;
  }
}

/** 400 BadRequest: the patch is not of its format. */
export function badRequest(message: string): PatchError {
  return new PatchError(400, message);
}

/** 422 Invalid: the patch is well formed and does not apply. */
export function unprocessable(detail: string): PatchError {
  return new PatchError(422, 'the server rejected our request due to an error in our request', detail);
}

/** 500 with reason Unknown: an error the apiserver does not map, passed on as it is. */
export function unmapped(message: string): PatchError {
  return new PatchError(500, message);
}

/** 415 UnsupportedMediaType. `accepted` are the media types the resource takes, in the server's order. */
export function unsupportedMediaType(accepted: readonly string[]): PatchError {
  const types = accepted.join(', ');
  return new PatchError(
    415,
    `the body of the request was in an unknown format - accepted media types include: ${types}`,
  );
}

/** An element of a merging list lacks the key by which it would be merged. */
export function noMergeKey(element: Json, mergeKey: string): PatchError {
  return unmapped(`map: ${JSON.stringify(element)} does not contain declared merge key: ${mergeKey}`);
}

/** A directive `$patch` says something that is none. Upstream: mergepatch.ErrBadPatchType */
export function unknownPatchType(directive: Json, map: Json): PatchError {
  const said = typeof directive === 'string' ? directive : JSON.stringify(directive);
  return unmapped(`unknown patch type: ${said} in map: ${JSON.stringify(map)}`);
}

/** A value is of another JSON type than its place requires. */
export function badType(expected: string, actual: Json): PatchError {
  return unmapped(`expected a ${expected}, but received a ${typeOf(actual)}`);
}
