import { describe, expect, test } from 'vitest';
import { type Clock, Simulation } from '../sim/index.ts';
import { RealTime } from './real-time.ts';

/** Returns a clock whose time the test controls. */
function handTurned() {
  const timers: { readonly atMs: number; readonly callback: () => void }[] = [];
  let nowMs = 1_000_000;
  const clock = {
    now: () => nowMs,
    after: (ms, callback) => {
      const timer = { atMs: nowMs + ms, callback };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
    },
  } satisfies Partial<Clock>;
  return {
    clock: clock as unknown as Clock,
    /** Advances the time, and fires the timers that are due. */
    async pass(ms: number): Promise<void> {
      nowMs += ms;
      for (let i = 0; i < 20; i++) {
        for (const { callback } of timers.filter(({ atMs }) => atMs <= nowMs)) callback();
        await new Promise(setImmediate);
      }
    },
    /** Advances the time without firing timers. */
    jump(ms: number): void {
      nowMs += ms;
    },
    timers,
  };
}

function started(options: { readonly speed?: number } = {}) {
  const sim = new Simulation();
  const hand = handTurned();
  const told: number[] = [];
  const at = (...times: readonly number[]): void => {
    for (const ms of times) sim.schedule(ms, 'test', 'tell', () => told.push(sim.elapsedMs));
  };
  return { sim, hand, told, at, time: new RealTime(sim, { ...options, clock: hand.clock }) };
}

describe('A simulation in real time', () => {
  test('runs tasks when they are due in real time, and not before', async () => {
    const { hand, told, at, time } = started();
    at(10, 20);
    await hand.pass(9);
    expect(told).toEqual([]);
    await hand.pass(1);
    expect(told).toEqual([10]);
    await hand.pass(500);
    expect(told).toEqual([10, 20]);
    await time[Symbol.asyncDispose]();
  });

  test('runs faster with a higher speed', async () => {
    const { hand, told, at, sim, time } = started({ speed: 10 });
    at(100);
    await hand.pass(10);
    expect(told).toEqual([100]);
    expect(sim.elapsedMs).toBe(100);
    await time[Symbol.asyncDispose]();
  });

  test('wakes for a task scheduled while it was idle', async () => {
    const { hand, told, at, time } = started();
    await hand.pass(1);
    hand.jump(99);
    await time.caughtUp();
    at(5);
    await hand.pass(5);
    expect(told).toEqual([105]);
    await time[Symbol.asyncDispose]();
  });

  test('handles a request at the current time', async () => {
    const { sim, hand, time } = started();
    const handler = time.inStep(async () => new Response(String(sim.elapsedMs)));
    hand.jump(70);
    const response = await handler(new Request('http://localhost'));
    expect(await response.text()).toBe('70');
    await time[Symbol.asyncDispose]();
  });

  test('handles a request even if the simulation is behind', async () => {
    const { sim, hand, time } = started({ speed: 20 });
    let done = 0;
    const work = (): void => {
      done += 1;
      hand.jump(10);
      sim.schedule(1, 'test', 'work', work);
    };
    sim.schedule(1, 'test', 'work', work);
    const handler = time.inStep(async () => new Response(String(done)));
    hand.jump(1_000);
    const first = handler(new Request('http://localhost'));
    expect(await (await first).text()).toBe('5');
    const second = await handler(new Request('http://localhost'));
    expect(Number(await second.text())).toBeLessThanOrEqual(15);
    await time[Symbol.asyncDispose]();
  });

  test('catches up by at most one second, and loses the rest of the time', async () => {
    const { sim, hand, told, at, time } = started();
    at(2_000);
    await hand.pass(3_600_000);
    expect(sim.elapsedMs).toBe(1_000);
    await hand.pass(999);
    expect(told).toEqual([]);
    await hand.pass(1);
    expect(told).toEqual([2_000]);
    await time[Symbol.asyncDispose]();
  });

  test('ends with the error that broke the simulation, and rejects waiting calls with it', async () => {
    const { sim, hand, time } = started();
    sim.schedule(5, 'test', 'break', () => {
      throw new Error('broken');
    });
    hand.jump(5);
    await expect(time.caughtUp()).rejects.toThrow('broken');
    await expect(time.ended).rejects.toThrow('broken');
  });

  test('runs nothing after it is stopped', async () => {
    const { hand, told, at, time } = started();
    at(10);
    await time[Symbol.asyncDispose]();
    await hand.pass(100);
    expect(told).toEqual([]);
    expect(hand.timers).toEqual([]);
  });

  test('rejects an invalid speed', () => {
    expect(() => new RealTime(new Simulation(), { speed: 0 })).toThrow('0 is not a speed');
  });
});
