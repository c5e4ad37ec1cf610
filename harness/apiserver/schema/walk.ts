import type { Wording } from './wording.ts';

/** The error for a value that does not fit its type. The message is upstream's, without its prefix. */
export class UnmarshalError extends Error {
  override readonly name = 'UnmarshalError';
}

/**
 * The state of one decoding. Each instance is used once.
 *
 * It tracks the current position in the object, and the errors found so far.
 */
export class Walk {
  /** Field names, item indexes and map keys, from the root to the current value. */
  readonly path: (string | number | { readonly key: string })[] = [];
  /** The struct of the current field, without its package. */
  struct = '';
  readonly wording: Wording;
  readonly isTrusted: (value: object) => boolean;
  readonly #unknownFields = new Set<string>();
  #mismatch: UnmarshalError | undefined;

  constructor(wording: Wording, isTrusted: (value: object) => boolean) {
    this.wording = wording;
    this.isTrusted = isTrusted;
  }

  /** Records an unknown field of the current struct. */
  unknownField(name: string): void {
    // Like upstream, stops at a hundred, so that a strange object does not flood the answer.
    if (this.#unknownFields.size >= UNKNOWN_FIELDS_MAX) return;
    this.#unknownFields.add(this.path.length > 0 ? `${this.#location()}.${name}` : name);
  }

  /** The unknown fields in the order of the walk, each once: `spec.containers[0].imagee`. */
  get unknownFields(): readonly string[] {
    return [...this.#unknownFields];
  }

  /**
   * Records a value of the wrong Go type. Decoding continues, because an error from a type with its own decoding takes
   * precedence. Only the first mismatch is reported.
   */
  mismatch(value: unknown, type: string, underlying: string): undefined {
    this.#mismatch ??= new UnmarshalError(
      this.wording.mismatch(value, { type, underlying, ...this.#place() }),
    );
    return undefined;
  }

  /** Records a value of the right type that cannot be parsed, like {@link mismatch}. */
  malformed(message: string): undefined {
    this.#mismatch ??= new UnmarshalError(message);
    return undefined;
  }

  /** Rejects a value inside a type with its own decoding, which ends the decoding. */
  refuseInner(value: unknown, type: string): never {
    throw new UnmarshalError(this.wording.inner(value, { type, underlying: type, ...this.#place() }));
  }

  /** @throws UnmarshalError when there was a mismatch */
  finish(): void {
    if (this.#mismatch !== undefined) throw this.#mismatch;
  }

  /** Returns the struct and the path of fields; list items and map entries count as the field that holds them. */
  #place(): { struct: string; field: string } {
    return {
      struct: this.struct,
      field: this.path.filter((segment) => typeof segment === 'string').join('.'),
    };
  }

  #location(): string {
    return this.path.reduce<string>((location, segment) => {
      if (typeof segment === 'number') return `${location}[${segment}]`;
      const name = typeof segment === 'string' ? segment : segment.key;
      return location === '' ? name : `${location}.${name}`;
    }, '');
  }
}

const UNKNOWN_FIELDS_MAX = 100;
