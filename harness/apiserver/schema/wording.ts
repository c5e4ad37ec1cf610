/**
 * The two ways in which upstream says that a value does not fit its Go type: of a body and of a patched
 * object it reads JSON; of an object patched strategically it converts a tree that it has already read.
 */

/** The type that was wanted, and where. */
interface Wanted {
  /** As Go prints it: `v1.PodPhase`. */
  readonly type: string;
  /** What it is underneath: `string`, `int32`, `struct`, `slice`, `map`, … */
  readonly underlying: string;
  /** The innermost struct: `PodSpec`. */
  readonly struct: string;
  /** The path of names from the root: `spec.containers.image`. */
  readonly field: string;
}

/** How a misfit is told. */
export interface Wording {
  /** Of an ordinary value. */
  mismatch(value: unknown, wanted: Wanted): string;
  /** Of a value that a type which decodes itself could not take, as IntOrString takes an int32. */
  inner(value: unknown, wanted: Wanted): string;
  /** The order in which unknown fields are told. */
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
    // Go converts between numbers, and an integer to the text of that character; upstream refuses by name.
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
 * What JSON calls the value. A number is told literally where another number would have done.
 *
 * @throws TypeError for a value that JSON does not have: that is a mistake of the program, not of its input
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
