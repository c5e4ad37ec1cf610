import { Simulation } from '../sim/index.ts';

/** What {@link soFar} gives of a promise that has not settled. */
const waiting = 'waits';

/**
 * What a promise has come to when everything has happened that can happen while no time passes.
 *
 * @param sim the simulation that the promise belongs to, if it does
 * @returns its value, or `'waits'`
 * @throws what it rejects with
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
