import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns the bytes in use after a garbage collection. The difference of two results is the memory that code holds. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
