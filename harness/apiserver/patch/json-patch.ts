import jsonPatch from 'fast-json-patch';
import { jsonKind } from '../schema/wording.ts';
import { getOwn, isList, isObject, type Json, type JsonObject, share } from './json-value.ts';
import { badRequest, PatchError, unprocessable } from './patch-error.ts';

/** An apiserver takes no more operations than this in one JSON patch. */
const OPERATIONS_MAX = 10_000;

/**
 * Applies a JSON patch (RFC 6902), all of it or nothing. Neither argument is changed; what the patch
 * leaves equal is shared with `original`.
 *
 * As in a real apiserver, whose library reads the RFC generously, `replace` also creates a missing key,
 * `test` for null passes where there is no value, an absent `value` is null, and a negative index counts
 * from the end of its list.
 *
 * Differs: `copy` from a missing key fails, as the RFC says, where upstream writes null; a path through
 * `__proto__` or `constructor/prototype` is refused.
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/endpoints/handlers/patch.go jsonPatcher.applyJSPatch
 *
 * @throws {PatchError} 400 if the body is not a list of operations, 413 if it has more than 10,000 of
 * them, 422 if a test fails or an operation does not apply; `detail` says which.
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
  // The library edits in place, so it gets a copy; sharing afterwards undoes the copy where nothing changed.
  let document = jsonPatch.deepClone(original) as Json;
  for (const operation of operations) {
    document = apply(document, operation);
  }
  return share(original, document);
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
  if (!isList(body)) throw refuse(body, 'value of type []handlers.jsonPatchOp');
  return body.map((item) => {
    if (!isObject(item)) throw refuse(item, 'value of type handlers.jsonPatchOp');
    return {
      op: text(item, 'op'),
      path: text(item, 'path'),
      from: text(item, 'from'),
      value: getOwn(item, 'value') ?? null,
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

function apply(document: Json, { op, path, from, value }: Operation): Json {
  switch (op) {
    case 'add':
      return edit(document, { op, path: locate(document, path, 'insert').pointer, value });
    case 'remove':
      return edit(document, { op, path: existing(document, path).pointer });
    case 'replace':
      return replace(document, path, value);
    case 'test':
      return test(document, path, value);
    case 'copy':
      return apply(document, { op: 'add', path, from, value: existing(document, from).value });
    case 'move': {
      const moved = existing(document, from);
      const without = edit(document, { op: 'remove', path: moved.pointer });
      return apply(without, { op: 'add', path, from, value: moved.value });
    }
    default:
      throw unprocessable(`Unexpected kind: ${op}`);
  }
}

function replace(document: Json, path: string, value: Json): Json {
  if (path === '') {
    if (!isObject(value) && !isList(value))
      throw unprocessable('the whole document can only become an object or a list');
    return edit(document, { op: 'replace', path, value });
  }
  const target = locate(document, path);
  if (target.value !== undefined) return edit(document, { op: 'replace', path: target.pointer, value });
  if (target.inList) throw unprocessable(`replace operation does not apply: doc is missing key: ${path}`);
  return edit(document, { op: 'add', path: target.pointer, value });
}

function test(document: Json, path: string, value: Json): Json {
  if (path === '') return edit(document, { op: 'test', path, value });
  const target = locate(document, path);
  if (target.value === undefined && !target.inList && value === null) return document;
  if (target.value === undefined) throw unprocessable(`testing value ${path} failed`);
  return edit(document, { op: 'test', path: target.pointer, value });
}

type Edit = { op: 'add' | 'replace' | 'test'; path: string; value: Json } | { op: 'remove'; path: string };

function edit(document: Json, step: Edit): Json {
  try {
    // A value written earlier may be edited by a later operation, and the patch itself may be frozen.
    return jsonPatch.applyOperation(document, jsonPatch.deepClone(step), true).newDocument;
  } catch (error) {
    throw unprocessable(error instanceof Error ? error.message : String(error));
  }
}

interface Target {
  /** The path with its list indices made absolute. */
  readonly pointer: string;
  /** What stands there, undefined if nothing does. */
  readonly value: Json | undefined;
  readonly inList: boolean;
}

function existing(document: Json, path: string): Target & { readonly value: Json } {
  const { pointer, value, inList } = locate(document, path);
  if (value === undefined) throw unprocessable(`doc is missing path: ${path}`);
  return { pointer, value, inList };
}

/** Follows a JSON pointer to a place whose parent must exist. Only `replace` and `test` reach the root. */
function locate(document: Json, path: string, purpose: 'read' | 'insert' = 'read'): Target {
  const [root, ...tokens] = path.split('/');
  if (root !== '' || tokens.length === 0) throw unprocessable(`doc is missing path: ${path}`);
  let pointer = '';
  let value: Json | undefined = document;
  let inList = false;
  for (const [depth, token] of tokens.entries()) {
    inList = isList(value);
    if (isList(value)) {
      const inserting = purpose === 'insert' && depth === tokens.length - 1;
      const index = absoluteIndex(token, inserting ? value.length + 1 : value.length);
      pointer += `/${index}`;
      value = value[Number(index)];
    } else if (isObject(value)) {
      pointer += `/${token}`;
      value = getOwn(value, token.replaceAll('~1', '/').replaceAll('~0', '~'));
    } else {
      throw unprocessable(`doc is missing path: ${path}`);
    }
  }
  return { pointer, value, inList };
}

function absoluteIndex(token: string, length: number): string {
  if (token === '-') return token;
  if (!/^-?\d+$/.test(token)) throw unprocessable(`value was not a proper array index: '${token}'`);
  const index = token.startsWith('-') ? Number(token) + length : Number(token);
  if (index < 0) throw unprocessable(`Unable to access invalid index: ${token}`);
  return String(index);
}
