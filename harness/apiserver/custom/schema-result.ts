import type { Cause } from '../../api/status.ts';
import { invalid } from '../validation/field-error.ts';

/** Creates the cause of a failure once the path of the value is known. */
type AsCause = (path: string, message: string) => Cause;

/** A failure at a path such as `spec.replicas`, or without a path. */
interface Failure {
  readonly at?: string;
  readonly message: string;
  readonly asCause: AsCause;
}

/**
 * The result of the checks of a value.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/validation/validate/result.go Result
 */
export class Result {
  /** The number of checks on the value and its parts. A higher number means a closer match. */
  matches: number;
  /** Failures by message, so that each message is reported once. */
  readonly #failures = new Map<string, Failure>();

  constructor(matches = 0) {
    this.matches = matches;
  }

  /** Returns a result with one failure. */
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

  /** Adds a failure whose path appears only in its message. */
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

  /** Returns the same result without its failures. */
  forgiven(): Result {
    return new Result(this.matches);
  }

  /**
   * Returns the failures as causes.
   *
   * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/validation/validation.go kubeOpenAPIResultToFieldErrors
   *
   * @param root - the path of the value
   */
  causes(root: string): Cause[] {
    return [...this.#failures.values()].map(({ at = '', message, asCause }) => {
      const name = at.replace(/^\./, '');
      const path = [root, name].filter((part) => part !== '').join('.');
      return asCause(path || NOWHERE, message);
    });
  }
}

/** Go's text for a missing path. */
const NOWHERE = '<nil>';

/** Reports whether Go parses the number as an integer. */
export const isInt64 = (value: number): boolean => Number.isInteger(value) && Math.abs(value) <= 2 ** 63;
