import type { Cause } from '../../api/status.ts';
import { invalid } from '../validation/field-error.ts';

/** Makes the cause of a failure, once it is known where the value stands. */
type AsCause = (path: string, message: string) => Cause;

/** A failure that speaks of a place, as `spec.replicas`, or of none. */
interface Failure {
  readonly at?: string;
  readonly message: string;
  readonly asCause: AsCause;
}

/**
 * What the checks of a value came to.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/validation/validate/result.go Result
 */
export class Result {
  /** How many checks were made of the parts of the value: the more, the closer it came. */
  matches: number;
  /** By message, because what is told once is not told again. */
  readonly #failures = new Map<string, Failure>();

  constructor(matches = 0) {
    this.matches = matches;
  }

  /** A result of one failure. */
  static failed(at: string, message: string, asCause: AsCause): Result {
    const result = new Result();
    result.add(at, message, asCause);
    return result;
  }

  get isValid(): boolean {
    return this.#failures.size === 0;
  }

  add(at: string, message: string, asCause: AsCause): void {
    this.#add({ at, message, asCause });
  }

  /** Adds a failure that names in its message alone where it is. */
  addPlain(message: string): void {
    this.#add({ message, asCause: (path) => invalid(path, '', message) });
  }

  #add(failure: Failure): void {
    if (!this.#failures.has(failure.message)) this.#failures.set(failure.message, failure);
  }

  merge(other: Result | undefined): this {
    if (!other) return this;
    for (const failure of other.#failures.values()) this.#add(failure);
    this.matches += other.matches;
    return this;
  }

  /** The same, without its failures. */
  forgiven(): Result {
    return new Result(this.matches);
  }

  /**
   * The failures as causes.
   *
   * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/validation/validation.go kubeOpenAPIResultToFieldErrors
   *
   * @param root - where the value stands
   */
  causes(root: string): Cause[] {
    return [...this.#failures.values()].map(({ at = '', message, asCause }) => {
      const name = at.replace(/^\./, '');
      const path = [root, name].filter((part) => part !== '').join('.');
      return asCause(path || NOWHERE, message);
    });
  }
}

/** How Go prints that there is no path. */
const NOWHERE = '<nil>';

/** A number that Go reads as an integer. */
export const isInt64 = (value: number): boolean => Number.isInteger(value) && Math.abs(value) <= 2 ** 63;
