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
