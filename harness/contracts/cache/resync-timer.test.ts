import { describe, expect, test } from 'vitest';
import { Simulation } from '../../sim/index.ts';
import { named, vectors } from '../../testing/vectors.ts';
import { ResyncTimer } from './resync-timer.ts';

/** Creates a timer, and records the times of its checks and of its resyncs, in seconds. */
function timing({
  periodMs,
  isDue = () => true,
}: {
  periodMs: number;
  isDue?: (atSeconds: number) => boolean;
}) {
  const sim = new Simulation();
  const asked: number[] = [];
  const resynced: number[] = [];
  const seconds = (): number => sim.elapsedMs / 1_000;
  const timer = new ResyncTimer({
    clock: sim.clock,
    periodMs,
    shouldResync: () => {
      asked.push(seconds());
      return isDue(seconds());
    },
    resync: () => void resynced.push(seconds()),
  });
  const controller = new AbortController();
  return { sim, timer, asked, resynced, signal: controller.signal, abort: () => controller.abort() };
}

describe('A resync timer', () => {
  test('checks every period, and resyncs when a handler is due', async () => {
    const { sim, timer, asked, resynced, signal } = timing({ periodMs: 10_000, isDue: (at) => at !== 20 });
    timer.start(signal);
    await sim.run({ forMs: 45_000 });
    expect(asked).toEqual([10, 20, 30, 40]);
    expect(resynced).toEqual([10, 30, 40]);
  });

  test('makes no checks before its start', async () => {
    const { sim, asked } = timing({ periodMs: 10_000 });
    await sim.run({ forMs: 45_000 });
    expect(asked).toEqual([]);
  });

  test('never checks with a period of 0, even if a handler joins', async () => {
    const { sim, timer, asked, signal } = timing({ periodMs: 0 });
    expect(timer.join(5_000)).toBe(0);
    timer.start(signal);
    await sim.run({ forMs: 45_000 });
    expect(asked).toEqual([]);
  });

  test('makes no more checks after an abort', async () => {
    const { sim, timer, asked, signal, abort } = timing({ periodMs: 10_000 });
    timer.start(signal);
    await sim.run({ forMs: 25_000 });
    abort();
    await sim.run({ forMs: 45_000 });
    expect(asked).toEqual([10, 20]);
    expect(sim.pending, 'timers left').toBe(0);
  });

  test('does not start if it was aborted before', async () => {
    const { sim, timer, asked, signal, abort } = timing({ periodMs: 10_000 });
    abort();
    timer.start(signal);
    await sim.run({ forMs: 45_000 });
    expect(asked).toEqual([]);
  });

  test('also ends if it is aborted during a check', async () => {
    const { sim, timer, asked, signal, abort } = timing({
      periodMs: 10_000,
      isDue: () => {
        abort();
        return false;
      },
    });
    timer.start(signal);
    await sim.run({ forMs: 45_000 });
    expect(asked).toEqual([10]);
    expect(sim.pending, 'timers left').toBe(0);
  });
});

describe('A handler that joins', () => {
  test.each([
    { periodMs: 60_000, requestedMs: 5_000, gets: 5_000, asks: 5 },
    { periodMs: 60_000, requestedMs: 0, gets: 0, asks: 60 },
    { periodMs: 60_000, requestedMs: 5, gets: 1_000, asks: 1 },
    { periodMs: 10_000, requestedMs: 30_000, gets: 30_000, asks: 10 },
  ])(
    'before the start gets the period that it requests, at least a second: %j',
    async ({ periodMs, requestedMs, gets, asks }) => {
      const { sim, timer, asked, signal } = timing({ periodMs });
      expect(timer.join(requestedMs)).toBe(gets);
      timer.start(signal);
      await sim.run({ forMs: 60_000 });
      expect(asked[0], 'when the timer checks first, in seconds').toBe(asks);
    },
  );

  test.each([
    { requestedMs: 5_000, gets: 10_000 },
    { requestedMs: 30_000, gets: 30_000 },
    { requestedMs: 0, gets: 0 },
  ])('after the start does not shorten the period: %j', async ({ requestedMs, gets }) => {
    const { sim, timer, asked, signal } = timing({ periodMs: 10_000 });
    timer.start(signal);
    expect(timer.join(requestedMs)).toBe(gets);
    await sim.run({ forMs: 25_000 });
    expect(asked).toEqual([10, 20]);
  });

  interface Input {
    readonly informerSeconds: number;
    readonly handlersAddedSeconds: readonly number[];
  }
  interface Expected {
    readonly checkPeriodAfterEach: readonly number[];
    readonly handlerPeriods: readonly number[];
  }
  test.each(named(vectors<Input, Expected>('informer', 'resyncPeriod', 1)))(
    'gets the same period as in client-go: %s',
    async (_, { input, expect: expected }) => {
      const periodMs = input.informerSeconds * 1_000;
      for (const [last, checkSeconds] of expected.checkPeriodAfterEach.entries()) {
        const { sim, timer, asked, signal } = timing({ periodMs });
        const joined = input.handlersAddedSeconds.slice(0, last + 1);
        const handlers = joined.map((seconds) => timer.join(seconds * 1_000) / 1_000);
        expect(handlers).toEqual(expected.handlerPeriods.slice(0, last + 1));
        timer.start(signal);
        await sim.run({ until: () => asked.length > 0 });
        expect(asked, `after handlers of ${joined.join(', ')} s`).toEqual([checkSeconds]);
      }
    },
  );
});
