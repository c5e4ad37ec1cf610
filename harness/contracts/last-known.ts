import { DeletedFinalStateUnknown } from './informer.ts';

/** Returns the last known state of a deleted object. */
export function lastKnown<T>(last: T | DeletedFinalStateUnknown<T>): T {
  return last instanceof DeletedFinalStateUnknown ? last.object : last;
}
