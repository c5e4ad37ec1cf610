import { describe, expect, test } from 'vitest';
import { formatMicroTime, formatTime } from './clock.ts';
import { Simulation } from './simulation.ts';

describe('Clock', () => {
  test('says how far the simulation is since it began', async () => {
    const sim = new Simulation({ startMs: 1_000 });
    await sim.run({ forMs: 250 });
    expect(sim.clock.now()).toBe(1_250);
  });

  test('begins on the day Kubernetes 1.30 came out', () => {
    expect(formatTime(new Simulation().clock.now())).toBe('2024-04-17T00:00:00Z');
  });

  test('sleeps to the millisecond', async () => {
    const sim = new Simulation();
    await sim.settle(sim.clock.sleep(1_500));
    expect(sim.elapsedMs).toBe(1_500);
  });

  test('calls back once, and not at all when cancelled', async () => {
    const sim = new Simulation();
    const told: string[] = [];
    sim.clock.after(10, () => told.push('kept'));
    const cancel = sim.clock.after(10, () => told.push('cancelled'));
    cancel();
    cancel();
    await sim.run({ forMs: 100 });
    expect(told).toEqual(['kept']);
  });

  test('takes a cancellation that comes too late', async () => {
    const sim = new Simulation();
    const told: string[] = [];
    const cancel = sim.clock.after(10, () => told.push('first'));
    await sim.run({ forMs: 10 });
    sim.clock.after(10, () => told.push('second'));
    cancel();
    await sim.run();
    expect(told).toEqual(['first', 'second']);
  });

  test('ends a sleep with the reason of an abort, and leaves no timer behind', async () => {
    const sim = new Simulation();
    const controller = new AbortController();
    const sleep = sim.clock.sleep(60_000, controller.signal);
    sim.clock.after(5, () => controller.abort('enough'));
    await expect(sim.settle(sleep)).rejects.toBe('enough');
    expect(sim.elapsedMs).toBe(5);
    expect(sim.pending).toBe(0);
  });

  test('does not begin to sleep with a signal that is aborted already', async () => {
    const sim = new Simulation();
    await expect(sim.clock.sleep(1, AbortSignal.abort('never'))).rejects.toBe('never');
    expect(sim.pending).toBe(0);
  });

  test('takes a sleep that ended no more notice of its signal', async () => {
    const sim = new Simulation();
    const controller = new AbortController();
    const sleep = sim.clock.sleep(1, controller.signal);
    await sim.settle(sleep);
    controller.abort('late');
    await expect(sleep).resolves.toBeUndefined();
  });

  test('has no sleep that is endless or no number', async () => {
    const { clock } = new Simulation();
    await expect(clock.sleep(Number.NaN)).rejects.toThrow(RangeError);
    await expect(clock.sleep(Number.POSITIVE_INFINITY)).rejects.toThrow(
      'Failed to schedule timer: Infinity ms is not a delay.',
    );
  });
});

describe('formatTime', () => {
  test('writes whole seconds, as metav1.Time', () => {
    expect(formatTime(Date.UTC(2024, 3, 17, 1, 2, 3, 999))).toBe('2024-04-17T01:02:03Z');
  });

  test('writes microseconds, as metav1.MicroTime', () => {
    expect(formatMicroTime(Date.UTC(2024, 3, 17, 1, 2, 3, 45))).toBe('2024-04-17T01:02:03.045000Z');
  });
});
