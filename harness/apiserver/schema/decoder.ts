import type { Walk } from './walk.ts';

/** Decodes the values of one Go type. */
export interface Decoder {
  /** If `typeof value` is this, the value is itself the result and need not be decoded. */
  readonly plain?: 'string' | 'boolean';

  /** What null stands for where something must stand: in a list or a map, or in a field that is always printed. */
  zero(): unknown;

  /**
   * Is a decoded value what Go leaves out under `omitempty`? Undefined for what is never empty: structs, and the
   * types that decode themselves, which are structs. A pointer is empty only when it is nil.
   */
  readonly isEmpty?: ((value: unknown) => boolean) | undefined;

  /**
   * The decoded value: the very same for what cannot be changed, a copy otherwise. What it finds wrong, it
   * tells the walk; the result does not matter then.
   *
   * @throws Error when the type decodes itself and refuses the value
   */
  decode(value: NonNullable<unknown>, walk: Walk): unknown;
}
