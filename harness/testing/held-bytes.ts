import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How many bytes of memory are in use when all that can be freed is freed: what code holds is the difference of two of these. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
