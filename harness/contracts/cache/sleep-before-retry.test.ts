import { describe, expect, test } from 'vitest';
import { errors } from '../../api/status.ts';
import { Simulation } from '../../sim/index.ts';
import { sleepBeforeRetry } from './sleep-before-retry.ts';

describe('The wait before a retry', () => {
  /** How long it takes, in ms. */
  async function waitMs(error: unknown, backoffMs: number): Promise<number> {
    const sim = new Simulation();
    await sim.settle(sleepBeforeRetry(error, backoffMs, sim.clock, new AbortController().signal));
    return sim.elapsedMs;
  }

  test.each([
    ['the backoff, when the server asks for nothing', errors.internal('no leader'), 800, 800],
    ['as long as the server asks for, when that is longer', errors.tooManyRequests('busy', 20), 800, 20_000],
    ['the backoff, when the server asks for less', errors.tooManyRequests('busy', 1), 6_400, 6_400],
    ['the backoff, when no server answered', new Error('connection refused'), 1_600, 1_600],
    ['the backoff, when nothing failed', undefined, 1_600, 1_600],
  ])('is %s', async (_, error, backoffMs, ms) => {
    expect(await waitMs(error, backoffMs)).toBe(ms);
  });

  test('ends when it is aborted, without an error', async () => {
    const sim = new Simulation();
    const controller = new AbortController();
    const waiting = sleepBeforeRetry(undefined, 30_000, sim.clock, controller.signal);
    await sim.run({ forMs: 500 });
    controller.abort();
    await sim.settle(waiting);
    expect(sim.elapsedMs).toBe(500);
  });

  test('is none when it was aborted before', async () => {
    const sim = new Simulation();
    await sim.settle(sleepBeforeRetry(undefined, 30_000, sim.clock, AbortSignal.abort()));
    expect(sim.elapsedMs).toBe(0);
  });
});
