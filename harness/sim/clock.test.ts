import { describe, expect, test } from 'vitest';
import { formatMicroTime, formatTime } from './clock.ts';
import { Simulation } from './simulation.ts';

describe('Clock', () => {
  test('adds the elapsed time to the start time', async () => {
    const sim = new Simulation({ startMs: 1_000 });
    await sim.run({ forMs: 250 });
    expect(sim.clock.now()).toBe(1_250);
  });

  test('starts on the release day of Kubernetes 1.30', () => {
    expect(formatTime(new Simulation().clock.now())).toBe('2024-04-17T00:00:00Z');
  });

  test('sleeps to the millisecond', async () => {
    const sim = new Simulation();
    await sim.settle(sim.clock.sleep(1_500));
    expect(sim.elapsedMs).toBe(1_500);
  });

  test('calls back once, or never after a cancellation', async () => {
    const sim = new Simulation();
    const told: string[] = [];
    sim.clock.after(10, () => told.push('kept'));
    const cancel = sim.clock.after(10, () => told.push('cancelled'));
    cancel();
    cancel();
    await sim.run({ forMs: 100 });
    expect(told).toEqual(['kept']);
  });

  test('ignores a cancellation after the callback', async () => {
    const sim = new Simulation();
    const told: string[] = [];
    const cancel = sim.clock.after(10, () => told.push('first'));
    await sim.run({ forMs: 10 });
    sim.clock.after(10, () => told.push('second'));
    cancel();
    await sim.run();
    expect(told).toEqual(['first', 'second']);
  });

  test('rejects a sleep with the reason of the abort, and leaves no timer behind', async () => {
    const sim = new Simulation();
    const controller = new AbortController();
    const sleep = sim.clock.sleep(60_000, controller.signal);
    sim.clock.after(5, () => controller.abort('enough'));
    await expect(sim.settle(sleep)).rejects.toBe('enough');
    expect(sim.elapsedMs).toBe(5);
    expect(sim.pending).toBe(0);
  });

  test('does not start a sleep whose signal is already aborted', async () => {
    const sim = new Simulation();
    await expect(sim.clock.sleep(1, AbortSignal.abort('never'))).rejects.toBe('never');
    expect(sim.pending).toBe(0);
  });

  test('ignores an abort after the sleep has ended', async () => {
    const sim = new Simulation();
    const controller = new AbortController();
    const sleep = sim.clock.sleep(1, controller.signal);
    await sim.settle(sleep);
    controller.abort('late');
    await expect(sleep).resolves.toBeUndefined();
  });

  test('rejects a sleep of infinite or invalid length', async () => {
    const { clock } = new Simulation();
    await expect(clock.sleep(Number.NaN)).rejects.toThrow(RangeError);
    await expect(clock.sleep(Number.POSITIVE_INFINITY)).rejects.toThrow(
      'Failed to schedule timer: Infinity ms is not a delay.',
    );
  });
});

describe('formatTime', () => {
  test('formats whole seconds, as metav1.Time does', () => {
    expect(formatTime(Date.UTC(2024, 3, 17, 1, 2, 3, 999))).toBe('2024-04-17T01:02:03Z');
  });

  test('formats microseconds, as metav1.MicroTime does', () => {
    expect(formatMicroTime(Date.UTC(2024, 3, 17, 1, 2, 3, 45))).toBe('2024-04-17T01:02:03.045000Z');
  });
});
