import { quote } from '../../api/names.ts';
import type { Cause } from '../../api/status.ts';

/**
 * The value is malformed, or out of bounds. Upstream: Invalid
 *
 * Field errors: what is wrong with one field of an object, in the words that a client reads in a 422.
 *
 * A path is the text that the client sees, `spec.containers[0].name`, or `metadata.labels[app]` for the key
 * of a map. The words are upstream's, character for character: people search for them, and controllers match
 * them.
 *
 * Upstream: kubernetes/apimachinery@v0.30.0 pkg/util/validation/field/errors.go
 */
export function invalid(path: string, value: unknown, detail: string): Cause {
  return cause('FieldValueInvalid', path, `Invalid value: ${valueText(value)}`, detail);
}

/** The field must be set and is not. Upstream: Required */
export function required(path: string, detail = ''): Cause {
  return cause('FieldValueRequired', path, 'Required value', detail);
}

/** The field takes one of a few values, and this is none of them. Upstream: NotSupported */
export function notSupported(path: string, value: unknown, supported: readonly string[]): Cause {
  const detail = supported.length > 0 ? `supported values: ${supported.map(quote).join(', ')}` : '';
  return cause('FieldValueNotSupported', path, `Unsupported value: ${valueText(value)}`, detail);
}

/** The value must be unique among its siblings and is not. Upstream: Duplicate */
export function duplicate(path: string, value: unknown): Cause {
  return cause('FieldValueDuplicate', path, `Duplicate value: ${valueText(value)}`);
}

/** The value is well formed, but not permitted as things are. Upstream: Forbidden */
export function forbidden(path: string, detail: string): Cause {
  return cause('FieldValueForbidden', path, 'Forbidden', detail);
}

/** The text has too many bytes; it is not repeated. Upstream: TooLong */
export function tooLong(path: string, bytesMax: number): Cause {
  return cause('FieldValueTooLong', path, 'Too long', `must have at most ${bytesMax} bytes`);
}

/** The list has too many items. Upstream: TooMany */
export function tooMany(path: string, actual: number, itemsMax: number): Cause {
  return cause('FieldValueTooMany', path, `Too many: ${actual}`, `must have at most ${itemsMax} items`);
}

/** The value has a type that the field does not take. Upstream: TypeInvalid */
export function typeInvalid(path: string, value: unknown, detail: string): Cause {
  return cause('FieldValueTypeInvalid', path, `Invalid value: ${valueText(value)}`, detail);
}

/** The value refers to something that does not exist. Upstream: NotFound */
export function notFound(path: string, value: unknown): Cause {
  return cause('FieldValueNotFound', path, `Not found: ${valueText(value)}`);
}

/** Not the client's fault. Upstream: InternalError */
export function internal(path: string, detail: string): Cause {
  return cause('InternalError', path, 'Internal error', detail);
}

/** {@link invalid} once for each of `reasons`, such as the checks of `harness/api/names.ts` return. */
export function invalidEach(path: string, value: unknown, reasons: readonly string[]): Cause[] {
  return reasons.map((reason) => invalid(path, value, reason));
}

/**
 * A time as messages show it, which is neither how it travels nor in quotes: `2024-05-01 10:00:00 +0000 UTC`.
 */
export function timeValue(rfc3339: string | null | undefined): unknown {
  if (!rfc3339) return undefined;
  const text = new Date(rfc3339)
    .toISOString()
    .replace('T', ' ')
    .replace(/(\.\d*?)?0*Z$/, '$1');
  return { toString: () => `${text.replace(/\.$/, '')} +0000 UTC` };
}

function cause(reason: string, field: string, what: string, detail = ''): Cause {
  return { reason, message: detail ? `${what}: ${detail}` : what, field };
}

/**
 * Differs: upstream prints a list or an object in Go's syntax, with the names of its internal types. That
 * says nothing to a reader of this workbook; we print JSON.
 *
 * Upstream: kubernetes/apimachinery@v0.30.0 pkg/util/validation/field/errors.go Error.ErrorBody
 */
function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'object' && Object.hasOwn(value, 'toString')) return String(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
