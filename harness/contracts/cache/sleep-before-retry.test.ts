import { describe, expect, test } from 'vitest';
import { errors } from '../../api/status.ts';
import { Simulation } from '../../sim/index.ts';
import { sleepBeforeRetry } from './sleep-before-retry.ts';

describe('The wait before a retry', () => {
  /** Returns the duration of the wait, in ms. */
  async function waitMs(error: unknown, backoffMs: number): Promise<number> {
    const sim = new Simulation();
    await sim.settle(sleepBeforeRetry(error, backoffMs, sim.clock, new AbortController().signal));
    return sim.elapsedMs;
  }

  test.each([
    ['the backoff, without a Retry-After', errors.internal('no leader'), 800, 800],
    ['the Retry-After of the server, when it is longer', errors.tooManyRequests('busy', 20), 800, 20_000],
    ['the backoff, when Retry-After is shorter', errors.tooManyRequests('busy', 1), 6_400, 6_400],
    ['the backoff, when the server did not answer', new Error('connection refused'), 1_600, 1_600],
    ['the backoff, without an error', undefined, 1_600, 1_600],
  ])('is %s', async (_, error, backoffMs, ms) => {
    expect(await waitMs(error, backoffMs)).toBe(ms);
  });

  test('ends without an error when it is aborted', async () => {
    const sim = new Simulation();
    const controller = new AbortController();
    const waiting = sleepBeforeRetry(undefined, 30_000, sim.clock, controller.signal);
    await sim.run({ forMs: 500 });
    controller.abort();
    await sim.settle(waiting);
    expect(sim.elapsedMs).toBe(500);
  });

  test('is 0 ms when it was aborted before', async () => {
    const sim = new Simulation();
    await sim.settle(sleepBeforeRetry(undefined, 30_000, sim.clock, AbortSignal.abort()));
    expect(sim.elapsedMs).toBe(0);
  });
});
