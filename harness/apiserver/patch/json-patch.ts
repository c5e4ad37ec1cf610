import { getOwn } from '../../api/own.ts';
import { jsonKind } from '../schema/wording.ts';
import { JsonDocument } from './json-document.ts';
import { equalJson, isList, isObject, type Json, type JsonObject, share } from './json-value.ts';
import { badRequest, PatchError, unprocessable } from './patch-error.ts';

/** The maximum number of operations that an apiserver accepts in one JSON patch. */
const OPERATIONS_MAX = 10_000;

/**
 * The maximum size that all `copy` operations of a patch may add, in bytes of JSON.
 *
 * Upstream: Config.JSONPatchMaxCopyBytes
 */
const COPIED_BYTES_MAX = 3 * 1024 * 1024;

/**
 * Applies a JSON patch (RFC 6902) completely or not at all. Changes neither argument; the result shares unchanged parts
 * with `original`.
 *
 * The library of a real apiserver reads the RFC generously, and so do we. `replace` also creates a missing key. `test`
 * for null passes if the value is missing. `copy` of a missing key writes null, and an absent `value` is null. A
 * negative index counts from the end of its list. Everything before a path's first slash is ignored. `__proto__` is an
 * ordinary key.
 *
 * Differs: compares numbers and strings by value; upstream compares their spelling.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go jsonPatcher.applyJSPatch,
 * pkg/server/config.go Config.JSONPatchMaxCopyBytes; gopkg.in/evanphx/json-patch.v4@v4.13.0 patch.go
 *
 * @throws {PatchError} 400 if the body is not a list of operations, 413 if it has more than 10,000 of
 * them, 422 if a test fails, an operation does not apply, or copies add up to more than 3 MiB; `detail`
 * says which.
 */
export function applyJsonPatch(original: Json, body: Json): Json {
  const operations = decode(body);
  if (operations.length > OPERATIONS_MAX) {
    throw new PatchError(
      413,
      'Request entity too large: ' +
        `The allowed maximum operations in a JSON patch is ${OPERATIONS_MAX}, got ${operations.length}`,
    );
  }
  const document = new JsonDocument(original);
  let copiedBytes = 0;
  for (const operation of operations) {
    if (operation.op === 'copy') copiedBytes += copy(document, operation, COPIED_BYTES_MAX - copiedBytes);
    else apply(document, operation);
  }
  return share(original, document.finish());
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from: string;
  readonly value: Json;
}

function decode(body: Json): readonly Operation[] {
  const refuse = (what: Json, where: string): Error =>
    badRequest(`error decoding patch: json: cannot unmarshal ${jsonKind(what, 'struct')} into Go ${where}`);
  if (body === null) return [];
  if (!isList(body)) throw refuse(body, 'value of type []handlers.jsonPatchOp');
  return body.map((item) => {
    const operation = item ?? {};
    if (!isObject(operation)) throw refuse(item, 'value of type handlers.jsonPatchOp');
    return {
      op: text(operation, 'op'),
      path: text(operation, 'path'),
      from: text(operation, 'from'),
      value: getOwn(operation, 'value') ?? null,
    };
  });
}

function text(operation: JsonObject, field: 'op' | 'path' | 'from'): string {
  const value = getOwn(operation, field) ?? '';
  if (typeof value !== 'string') {
    const what = jsonKind(value, 'string');
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${what} into Go struct field jsonPatchOp.${field} of type string`,
    );
  }
  return value;
}

function apply(document: JsonDocument, { op, path, from, value }: Operation): void {
  switch (op) {
    case 'add':
      document.add(path, value);
      break;
    case 'remove':
      document.remove(path);
      break;
    case 'replace':
      document.replace(path, value);
      break;
    case 'test':
      if (equalJson(path === '' ? document.root : (document.get(path) ?? null), value)) break;
      throw unprocessable(`testing value ${path} failed: test failed`);
    case 'move': {
      const moved = document.get(from) ?? null;
      document.remove(from);
      document.add(path, moved);
      break;
    }
    default:
      throw unprocessable(`Unexpected kind: ${op}`);
  }
}

/** Carries out a `copy`. @returns the number of bytes of JSON that it added */
function copy(document: JsonDocument, { path, from }: Operation, bytesMax: number): number {
  const encoded = encode(document.get(from));
  const bytes = Buffer.byteLength(encoded);
  if (bytes > bytesMax) throw unprocessable('Unable to complete the copy: it exceeds the limit on copies');
  // Both places need separate values, because a later operation may change either.
  document.add(path, JSON.parse(encoded) as Json);
  return bytes;
}

function encode(value: Json | undefined): string {
  try {
    return JSON.stringify(value ?? null);
  } catch (error) {
    // A depth that exceeds the engine's stack also exceeds the limit of upstream's encoder.
    if (error instanceof RangeError) throw unprocessable('exceeded max depth');
    throw error;
  }
}
