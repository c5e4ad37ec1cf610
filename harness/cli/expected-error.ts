import { StatusError } from '../api/status.ts';
import { ConnectionError } from '../contracts/connection-error.ts';
import { ConsistencyError } from '../contracts/replicaset/consistency-store.ts';

/** Status codes of requests that the server rejects however often they are sent. */
const WRONG = [400, 405, 415, 422];

/** Returns whether a component must expect this error and try again: a conflict, a broken connection, a stale cache. */
export function isExpectedError(error: unknown): boolean {
  if (error instanceof StatusError) return !WRONG.includes(error.status.code);
  return (
    error instanceof ConnectionError ||
    error instanceof ConsistencyError ||
    (error instanceof Error && error.name === 'AbortError')
  );
}

/** The texts of expected errors in a log, and why each is normal. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/\bConsistencyError: /, 'its cache does not show its own last write yet'],
  [/\bthe object has been modified\b/, 'another write came first, so it must read the new version'],
  [/\b(?:ConnectionError|AbortError): /, 'the connection broke'],
];

/**
 * Explains why an error in a line of a log is normal: `its cache does not show its own last write yet`. The component
 * tries again. Undefined for other lines.
 */
export function whyExpected(line: string): string | undefined {
  return REASONS.find(([pattern]) => pattern.test(line))?.[1];
}
