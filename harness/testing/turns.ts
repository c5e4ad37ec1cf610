import { setImmediate } from 'node:timers/promises';

/**
 * Lets the rest of the process have a turn now and then: code that goes on for thousands of inputs without a pause looks to the
 * watchdog like a loop that never ends.
 *
 * @param every after how many calls there is a pause
 * @returns a function to await once for each input
 */
export function takingTurns(every: number): () => Promise<void> {
  let calls = 0;
  return async () => {
    if (++calls % every === 0) await setImmediate();
  };
}
