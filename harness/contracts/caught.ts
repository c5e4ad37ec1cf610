import { StatusError } from '../api/status.ts';
import { ConnectionError } from './connection-error.ts';
import { ConsistencyError } from './replicaset/consistency-store.ts';
import { NotImplemented } from './todo.ts';

/** An error that reached no test, because a component reported it, ended with it, or caught it. */
export interface CaughtError {
  readonly name: string;
  readonly message: string;
  /** How many errors had this name and this message. */
  readonly times: number;
  /** The stack of the first of them. */
  readonly stack: string;
}

/** So many different errors are kept, and as many slips: each holds its stack, and what varies from object to object repeats for ever. */
const DIFFERENT_MAX = 16;

/** What the language throws when code has a slip. */
const SLIPS = [TypeError, ReferenceError, RangeError, SyntaxError];

/**
 * The errors that components reported or caught in one run. A loop that retries hides what is wrong with it: a red shows what
 * does not happen, and this shows why.
 */
export class Caught {
  /** Those of the run that is going on. */
  static current = new Caught();

  readonly #errors = new Map<string, { readonly error: Error; times: number }>();
  readonly #noted = new WeakSet<Error>();

  /** As {@link noteCaught} does, for this run. */
  note(error: unknown): void {
    if (!(error instanceof Error) || isExpected(error) || this.#noted.has(error)) return;
    this.#noted.add(error);
    const key = `${error.name}: ${error.message}`;
    const known = this.#errors.get(key);
    if (known) known.times++;
    else if (this.#errors.size < (isSlip(error) ? 2 : 1) * DIFFERENT_MAX)
      this.#errors.set(key, { error, times: 1 });
  }

  /** What the language itself threw first; else in the order in which they came. */
  list(): readonly CaughtError[] {
    return [...this.#errors.values()]
      .toSorted((a, b) => Number(isSlip(b.error)) - Number(isSlip(a.error)))
      .map(({ error: { name, message, stack = '' }, times }) => ({ name, message, times, stack }));
  }
}

/**
 * Notes an error that a component reported, ended with, or caught. If the test at hand fails, the learner is told of it. An
 * error is counted once, however many hear of it.
 *
 * What the cluster refuses, what the network does and a cache that is behind are left out: a component must expect them, and the
 * timeline shows them.
 *
 * @param error what was thrown; what is not an Error says nothing about where it came from, and is left out, too
 */
export function noteCaught(error: unknown): void {
  Caught.current.note(error);
}

/** Whether the language itself threw it, as it does for a slip: `TypeError`, `ReferenceError`, `RangeError`, `SyntaxError`. */
export function isSlip(error: unknown): boolean {
  return SLIPS.some((kind) => error instanceof kind);
}

/** A stub says so itself, and an abort is asked for. */
function isExpected(error: Error): boolean {
  return (
    error instanceof StatusError ||
    error instanceof ConnectionError ||
    error instanceof ConsistencyError ||
    error instanceof NotImplemented ||
    error.name === 'AbortError'
  );
}
