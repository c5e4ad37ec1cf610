import type { Wording } from './wording.ts';

/** A value that does not fit its type. The message is upstream's, without the place where it is reported. */
export class UnmarshalError extends Error {
  override readonly name = 'UnmarshalError';
}

/**
 * One decoding. It is used once.
 *
 * The state of one decoding: where in the object it is, and what it found that should not be there.
 */
export class Walk {
  /** Names of fields, indexes of items and keys of maps, from the root down to the value at hand. */
  readonly path: (string | number | { readonly key: string })[] = [];
  /** The struct whose field is at hand, without its package. */
  struct = '';
  readonly wording: Wording;
  readonly isTrusted: (value: object) => boolean;
  readonly #unknownFields = new Set<string>();
  #mismatch: UnmarshalError | undefined;

  constructor(wording: Wording, isTrusted: (value: object) => boolean) {
    this.wording = wording;
    this.isTrusted = isTrusted;
  }

  /** Notes a field that the struct at hand does not have. */
  unknownField(name: string): void {
    // Upstream stops collecting at a hundred, too: a strange object should not flood the answer.
    if (this.#unknownFields.size >= UNKNOWN_FIELDS_MAX) return;
    this.#unknownFields.add(this.path.length > 0 ? `${this.#location()}.${name}` : name);
  }

  /** In the order in which they were met, each once: `spec.containers[0].imagee`. */
  get unknownFields(): readonly string[] {
    return [...this.#unknownFields];
  }

  /**
   * Notes a value that is not of the Go type. Decoding goes on, for a value that a type decodes itself and
   * refuses counts more than this; only the first mismatch is told.
   */
  mismatch(value: unknown, type: string, underlying: string): undefined {
    this.#mismatch ??= new UnmarshalError(
      this.wording.mismatch(value, { type, underlying, ...this.#place() }),
    );
    return undefined;
  }

  /** Notes a value of the right type that cannot be read, like {@link mismatch}. */
  malformed(message: string): undefined {
    this.#mismatch ??= new UnmarshalError(message);
    return undefined;
  }

  /** Refuses a value inside of a type that decodes itself; this ends the decoding. */
  refuseInner(value: unknown, type: string): never {
    throw new UnmarshalError(this.wording.inner(value, { type, underlying: type, ...this.#place() }));
  }

  /** @throws UnmarshalError when there was a mismatch */
  finish(): void {
    if (this.#mismatch !== undefined) throw this.#mismatch;
  }

  /** Items of lists and of maps count as the field that holds them. */
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
