import { setImmediate } from 'node:timers/promises';

/**
 * Pauses now and then for the rest of the process: to the watchdog, thousands of inputs without a pause look like an
 * endless loop.
 *
 * @param every the number of calls between pauses
 * @returns a function to await once for each input
 */
export function takingTurns(every: number): () => Promise<void> {
  let calls = 0;
  return async () => {
    if (++calls % every === 0) await setImmediate();
  };
}
