import { describe, expect, test } from 'vitest';
import { Simulation } from '../../sim/index.ts';
import { named, vectors } from '../../testing/vectors.ts';
import { ResyncTimer } from './resync-timer.ts';

/** A timer, and when it asked whether a handler is due and when it resynced, in seconds. */
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
  test('asks every period, and resyncs when a handler is due', async () => {
    const { sim, timer, asked, resynced, signal } = timing({ periodMs: 10_000, isDue: (at) => at !== 20 });
    timer.start(signal);
    await sim.run({ forMs: 45_000 });
    expect(asked).toEqual([10, 20, 30, 40]);
    expect(resynced).toEqual([10, 30, 40]);
  });

  test('asks nothing before it is started', async () => {
    const { sim, asked } = timing({ periodMs: 10_000 });
    await sim.run({ forMs: 45_000 });
    expect(asked).toEqual([]);
  });

  test('never asks with a period of 0, even if a handler joins', async () => {
    const { sim, timer, asked, signal } = timing({ periodMs: 0 });
    expect(timer.join(5_000)).toBe(0);
    timer.start(signal);
    await sim.run({ forMs: 45_000 });
    expect(asked).toEqual([]);
  });

  test('asks nothing more when it is aborted', async () => {
    const { sim, timer, asked, signal, abort } = timing({ periodMs: 10_000 });
    timer.start(signal);
    await sim.run({ forMs: 25_000 });
    abort();
    await sim.run({ forMs: 45_000 });
    expect(asked).toEqual([10, 20]);
    expect(sim.pending, 'timers left').toBe(0);
  });

  test('does not begin when it was aborted before', async () => {
    const { sim, timer, asked, signal, abort } = timing({ periodMs: 10_000 });
    abort();
    timer.start(signal);
    await sim.run({ forMs: 45_000 });
    expect(asked).toEqual([]);
  });

  test('ends, too, if it is aborted while it resyncs', async () => {
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
    'before the start gets what it asks for, at least a second: %j',
    async ({ periodMs, requestedMs, gets, asks }) => {
      const { sim, timer, asked, signal } = timing({ periodMs });
      expect(timer.join(requestedMs)).toBe(gets);
      timer.start(signal);
      await sim.run({ forMs: 60_000 });
      expect(asked[0], 'when the timer asks first, in seconds').toBe(asks);
    },
  );

  test.each([
    { requestedMs: 5_000, gets: 10_000 },
    { requestedMs: 30_000, gets: 30_000 },
    { requestedMs: 0, gets: 0 },
  ])('after the start hurries nothing: %j', async ({ requestedMs, gets }) => {
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
    'gets what client-go gives it: %s',
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
