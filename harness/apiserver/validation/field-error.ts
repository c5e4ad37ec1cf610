import { quote } from '../../api/names.ts';
import type { Cause } from '../../api/status.ts';
import { goNumber } from '../schema/go-format.ts';

/**
 * The value is malformed or out of range. Upstream: Invalid
 *
 * Field errors describe a violation in one field of an object, with the message that a client reads in a 422.
 *
 * A path is the text that the client sees: `spec.containers[0].name`, or `metadata.labels[app]` for a map key. The
 * messages equal upstream's to the character, because people search for them and controllers match them.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/field/errors.go
 */
export function invalid(path: string, value: unknown, detail: string): Cause {
  return cause('FieldValueInvalid', path, `Invalid value: ${valueText(value)}`, detail);
}

/** Like {@link invalid}, but does not print the value. Upstream: Invalid, of OmitValueType */
export function invalidUnshown(path: string, detail: string): Cause {
  return cause('FieldValueInvalid', path, 'Invalid value', detail);
}

/** The field is required but not set. Upstream: Required */
export function required(path: string, detail = ''): Cause {
  return cause('FieldValueRequired', path, 'Required value', detail);
}

/** The value is not one of the few supported values. Upstream: NotSupported */
export function notSupported(path: string, value: unknown, supported: readonly string[]): Cause {
  const detail = supported.length > 0 ? `supported values: ${supported.map(quote).join(', ')}` : '';
  return cause('FieldValueNotSupported', path, `Unsupported value: ${valueText(value)}`, detail);
}

/** The value must be unique among its siblings but is not. Upstream: Duplicate */
export function duplicate(path: string, value: unknown): Cause {
  return cause('FieldValueDuplicate', path, `Duplicate value: ${valueText(value)}`);
}

/** The value is well formed, but not permitted in this context. Upstream: Forbidden */
export function forbidden(path: string, detail: string): Cause {
  return cause('FieldValueForbidden', path, 'Forbidden', detail);
}

/** The text has too many bytes; the message does not repeat it. Upstream: TooLong */
export function tooLong(path: string, bytesMax: number): Cause {
  return cause(
    'FieldValueTooLong',
    path,
    'Too long',
    `may not be more than ${bytesMax} ${bytesMax === 1 ? 'byte' : 'bytes'}`,
  );
}

/** The list has too many items. Upstream: TooMany */
export function tooMany(path: string, actual: number, itemsMax: number): Cause {
  return cause(
    'FieldValueTooMany',
    path,
    `Too many: ${actual}`,
    `must have at most ${itemsMax} ${itemsMax === 1 ? 'item' : 'items'}`,
  );
}

/** The value has the wrong type. Upstream: TypeInvalid */
export function typeInvalid(path: string, value: unknown, detail: string): Cause {
  return cause('FieldValueTypeInvalid', path, `Invalid value: ${valueText(value)}`, detail);
}

/** The value refers to something that does not exist. Upstream: NotFound */
export function notFound(path: string, value: unknown): Cause {
  return cause('FieldValueNotFound', path, `Not found: ${valueText(value)}`);
}

/** An error of the server, not of the client. Upstream: InternalError */
export function internal(path: string, detail: string): Cause {
  return cause('InternalError', path, 'Internal error', detail);
}

/** Returns {@link invalid} for each of `reasons`, such as the results of the checks in `harness/api/names.ts`. */
export function invalidEach(path: string, value: unknown, reasons: readonly string[]): Cause[] {
  return reasons.map((reason) => invalid(path, value, reason));
}

function cause(reason: string, field: string, what: string, detail = ''): Cause {
  return { reason, message: detail ? `${what}: ${detail}` : what, field };
}

/**
 * Prints a string in Go's quotes, and other values as Go's JSON: a missing value is `null`, labels are sorted.
 *
 * Differs: for a named string type (the type of a Service, an operator) upstream quotes like JSON, which differs for
 * unprintable characters. Some Go types also have no JSON names; their callers write out the value.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/field/errors.go Error.ErrorBody
 */
function valueText(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return goNumber(value);
  return JSON.stringify(value ?? null, sortedMaps).replace(HTML, asEscape);
}

function sortedMaps(key: string, value: unknown): unknown {
  if (key !== 'matchLabels' || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The characters that Go's encoder escapes so that JSON is safe in HTML. Upstream: Go's encoding/json HTMLEscape */
const HTML = /[<>&\u2028\u2029]/g;
const asEscape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
