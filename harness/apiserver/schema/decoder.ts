import type { Walk } from './walk.ts';

/** Decodes the values of one Go type. */
export interface Decoder {
  /** If `typeof value` equals this, the value needs no decoding. */
  readonly plain?: 'string' | 'boolean';

  /**
   * Returns the result for null where a value is required: in a list or a map, or in a field that is always printed.
   */
  zero(): unknown;

  /**
   * Reports whether Go omits a decoded value under `omitempty`. Undefined for types that are never empty: structs,
   * including types with their own decoding. A pointer is only empty if it is nil.
   */
  readonly isEmpty?: ((value: unknown) => boolean) | undefined;

  /**
   * Returns the decoded value: the same value if it is immutable, otherwise a copy. Reports errors to the walk; then
   * the result does not matter.
   *
   * @throws Error when a type with its own decoding rejects the value
   */
  decode(value: NonNullable<unknown>, walk: Walk): unknown;
}
