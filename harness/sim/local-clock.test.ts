import { describe, expect, test } from 'vitest';
import { Simulation } from './simulation.ts';

describe('LocalClock', () => {
  test('can be set wrong without affecting other clocks', () => {
    const sim = new Simulation({ startMs: 1_000 });
    const [wrong, right] = [sim.clockFor('a'), sim.clockFor('b')];
    wrong.skewMs = -300;
    expect([wrong.now(), right.now(), sim.clock.now()]).toEqual([700, 1_000, 1_000]);
  });

  test('keeps delays correct, even if it is set wrong meanwhile', async () => {
    const sim = new Simulation();
    const clock = sim.clockFor('a');
    const slept = clock.sleep(100);
    clock.skewMs = 3_600_000;
    await sim.settle(slept);
    expect(sim.elapsedMs).toBe(100);
  });

  test('treats a negative delay as 0', async () => {
    const sim = new Simulation();
    await sim.settle(sim.clockFor('a').sleep(-5));
    expect(sim.elapsedMs).toBe(0);
  });

  test('stops permanently once it is severed', async () => {
    const sim = new Simulation();
    const [dead, alive] = [sim.clockFor('a'), sim.clockFor('b')];
    const told: string[] = [];
    dead.after(10, () => told.push('before'));
    alive.after(10, () => told.push('alive'));
    dead.sever();
    dead.after(10, () => told.push('after'))();
    void dead.sleep(10).then(() => told.push('slept'));
    expect(sim.pending).toBe(1);
    await sim.run({ forMs: 100 });
    expect(told).toEqual(['alive']);
  });
});
