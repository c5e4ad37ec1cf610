/**
 * Upstream has two wordings for a value that does not fit its Go type. It decodes a request body and a patched object
 * from JSON. After a strategic merge patch, it converts an already parsed tree.
 */

/** The required type and its place. */
interface Wanted {
  /** The Go name of the type: `v1.PodPhase`. */
  readonly type: string;
  /** The underlying type: `string`, `int32`, `struct`, `slice`, `map`, … */
  readonly underlying: string;
  /** The innermost struct: `PodSpec`. */
  readonly struct: string;
  /** The path of names from the root: `spec.containers.image`. */
  readonly field: string;
}

/** The wording of type errors. */
export interface Wording {
  /** Returns the message for an ordinary value. */
  mismatch(value: unknown, wanted: Wanted): string;
  /** Returns the message for a value inside a type with its own decoding, such as the int32 of an IntOrString. */
  inner(value: unknown, wanted: Wanted): string;
  /** Sorts unknown fields for the report. */
  order(unknownFields: readonly string[]): readonly string[];
}

/**
 * Upstream: kubernetes-sigs/json@v0.0.0-20250730193827-2d320260d730 internal/golang/encoding/json/decode.go
 * UnmarshalTypeError
 */
export const jsonWording: Wording = {
  mismatch: cannotUnmarshal,
  inner: cannotUnmarshal,
  order: (unknownFields) => unknownFields,
};

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/runtime/converter.go fromUnstructured */
export const converterWording: Wording = {
  mismatch(value, { type, underlying }) {
    const kind = goKind(value);
    if (underlying === 'map') return `cannot restore map from ${kind}`;
    if (underlying === 'slice') return `cannot restore slice from ${kind}`;
    if (underlying === 'struct') return `cannot restore struct from: ${kind}`;
    // Go can convert between numbers, and from an integer to a character; upstream rejects both with this message.
    const convertible = underlying === 'string' ? kind === 'int64' : /^(int|float)64$/.test(kind);
    if (convertible && underlying !== 'bool') return `cannot convert ${kind} to ${type}`;
    return `unrecognized type: ${underlying}`;
  },
  inner(value, { type }) {
    return `json: cannot unmarshal ${jsonKind(value, type)} into Go value of type ${type}`;
  },
  order: (unknownFields) => [...unknownFields].sort(),
};

function cannotUnmarshal(value: unknown, { type, underlying, struct, field }: Wanted): string {
  return `json: cannot unmarshal ${jsonKind(value, underlying)} into Go struct field ${struct}.${field} of type ${type}`;
}

/**
 * Returns the JSON type of a value. If another number would fit, includes the number itself.
 *
 * Differs: Go prints the number as it was sent. Here it has JavaScript's notation: `1e500` is Infinity.
 *
 * @throws TypeError for a value that JSON does not have, which is a programming error and not invalid input
 */
export function jsonKind(value: unknown, wanted: string): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'number':
      return /^u?int\d+$/.test(wanted) ? `number ${value}` : 'number';
    case 'string':
    case 'object':
      return typeof value;
    case 'boolean':
      return 'bool';
    default:
      throw new TypeError(`Failed to decode a ${typeof value}: JSON has no such value. Send plain data.`);
  }
}

function goKind(value: unknown): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'int64' : 'float64';
  const kind = jsonKind(value, '');
  return kind === 'array' ? 'slice' : kind === 'object' ? 'map' : kind;
}
