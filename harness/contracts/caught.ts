import { type Reason, StatusError } from '../api/status.ts';
import { ConnectionError } from './connection-error.ts';
import { ConsistencyError } from './replicaset/consistency-store.ts';
import { NotImplemented } from './todo.ts';

/** An error that no test received, because a component reported it, ended with it, or caught it. */
export interface CaughtError {
  readonly name: string;
  readonly message: string;
  /** The number of errors with this name and this message. */
  readonly times: number;
  /** The stack of the first of these errors. */
  readonly stack: string;
}

/**
 * The maximum number of different errors that are kept, and as many programming errors. Each error keeps its stack, and
 * messages that name objects would otherwise accumulate without limit.
 */
const DIFFERENT_MAX = 16;

/** The refusals of requests that no state of the cluster makes right: their sender has a mistake. */
const WRONG_REQUESTS: ReadonlySet<Reason> = new Set<Reason>([
  'BadRequest',
  'Invalid',
  'MethodNotAllowed',
  'UnsupportedMediaType',
]);

/** The classes of errors that the language throws for programming errors. */
const PROGRAMMING_ERRORS = [TypeError, ReferenceError, RangeError, SyntaxError];

/**
 * The errors that components reported or caught in one run. A loop that retries hides its errors: a failing test shows
 * the missing effect, and these errors show the cause.
 */
export class Caught {
  /** The errors of the current run. */
  static current = new Caught();

  readonly #errors = new Map<string, { readonly error: Error; times: number }>();
  readonly #noted = new WeakSet<Error>();

  /** Notes an error of this run, as {@link noteCaught} does. */
  note(error: unknown): void {
    if (!(error instanceof Error) || isExpected(error) || this.#noted.has(error)) return;
    this.#noted.add(error);
    const key = `${error.name}: ${error.message}`;
    const known = this.#errors.get(key);
    if (known) known.times++;
    else if (this.#errors.size < (isProgrammingError(error) ? 2 : 1) * DIFFERENT_MAX)
      this.#errors.set(key, { error, times: 1 });
  }

  /** Returns errors of the language first, then refused requests, then the others, each group in order of arrival. */
  list(): readonly CaughtError[] {
    const rank = ({ error }: { readonly error: Error }): number =>
      isProgrammingError(error) ? 0 : error instanceof StatusError ? 1 : 2;
    return [...this.#errors.values()]
      .toSorted((a, b) => rank(a) - rank(b))
      .map(({ error: { name, message, stack = '' }, times }) => ({ name, message, times, stack }));
  }
}

/**
 * Notes an error that a component reported, ended with, or caught. If the current test fails, the learner sees the
 * error. Each error counts once, even if it is noted several times.
 *
 * Network errors, errors of a stale cache and most refusals of the apiserver are ignored: a component must expect them,
 * and the timeline shows them. A refusal of a request that is wrong in itself, such as a 400 or a 422, is noted.
 *
 * @param error the thrown value; a value that is not an Error is ignored, because it does not show its origin
 */
export function noteCaught(error: unknown): void {
  Caught.current.note(error);
}

/**
 * Returns whether the language itself threw the error, as it does for a programming error: `TypeError`,
 * `ReferenceError`, `RangeError`, `SyntaxError`.
 */
export function isProgrammingError(error: unknown): boolean {
  return PROGRAMMING_ERRORS.some((kind) => error instanceof kind);
}

/** Returns whether a component must expect the error. An unwritten stub reports itself, and an abort is intended. */
function isExpected(error: Error): boolean {
  return (
    (error instanceof StatusError && !WRONG_REQUESTS.has(error.reason)) ||
    error instanceof ConnectionError ||
    error instanceof ConsistencyError ||
    error instanceof NotImplemented ||
    error.name === 'AbortError'
  );
}
