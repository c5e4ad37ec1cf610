import { Simulation } from '../sim/index.ts';

/** The result of {@link soFar} for a pending promise. */
const waiting = 'waits';

/**
 * Returns the state of a promise after everything that can happen without time passing.
 *
 * @param sim the simulation that the promise belongs to, if any
 * @returns its value, or `'waits'`
 * @throws its rejection
 */
export async function soFar<T>(
  promise: Promise<T>,
  sim: Simulation = new Simulation(),
): Promise<T | typeof waiting> {
  let settled = false;
  const done = (): void => {
    settled = true;
  };
  promise.then(done, done);
  await sim.run({ forMs: 0 });
  return settled ? promise : waiting;
}
