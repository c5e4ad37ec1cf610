import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atRandom, scripted } from './chooser.ts';
import { seededRandom } from './random.ts';
import { HotLoop, NeverSettled, Simulation, type SimulationOptions } from './simulation.ts';

/** Creates a simulation with tasks of these names, due at these times. `told` records the runs. */
function simulation(tasks: Record<string, number>, options: SimulationOptions = {}) {
  const sim = new Simulation(options);
  const told: string[] = [];
  for (const [name, atMs] of Object.entries(tasks)) {
    sim.schedule(atMs, 'test', name, () => told.push(`${name} ${sim.elapsedMs}`));
  }
  return { sim, told };
}

describe('Simulation', () => {
  test('runs tasks by due time, and tasks of one instant in the order they were scheduled', async () => {
    const { sim, told } = simulation({ c: 20, a: 10, d: 20, b: 10 });
    await sim.run();
    expect(told).toEqual(['a 10', 'b 10', 'c 20', 'd 20']);
  });

  test('lets the chooser pick among the tasks of one instant', async () => {
    const { sim, told } = simulation({ a: 1, b: 1, c: 1, d: 2 }, { choose: scripted([2, 1]) });
    await sim.run();
    expect(told).toEqual(['c 1', 'b 1', 'a 1', 'd 2']);
  });

  test('Time never goes back and no task is lost, whatever the chooser picks', async () => {
    const delays = fc.array(fc.nat({ max: 9 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.integer(), delays, async (seed, dueMs) => {
        const tasks = Object.fromEntries(dueMs.map((atMs, i) => [`task-${i}`, atMs]));
        const { sim, told } = simulation(tasks, { choose: atRandom(seededRandom(seed)) });
        await sim.run();
        const times = told.map((line) => Number(line.split(' ')[1]));
        expect(times).toEqual(dueMs.toSorted((a, b) => a - b));
        expect(told.toSorted()).toEqual(
          Object.entries(tasks)
            .map((entry) => entry.join(' '))
            .toSorted(),
        );
      }),
    );
  });

  test('runs chores at their times, before the tasks due then', async () => {
    const { sim, told } = simulation({ a: 10, b: 20, c: 65 });
    sim.every(20, () => told.push(`chore ${sim.elapsedMs}`));
    sim.every(30, () => told.push(`other ${sim.elapsedMs}`));
    await sim.run();
    expect(told).toEqual([
      'a 10',
      'chore 20',
      'b 20',
      'other 30',
      'chore 40',
      'chore 60',
      'other 60',
      'c 65',
    ]);
    await sim.run({ forMs: 15 });
    expect(told.at(-1)).toBe('chore 80');
    expect(() => sim.every(0, () => {})).toThrow('0 ms is not a period');
  });

  test('stops repeating a chore that has ended', async () => {
    const { sim, told } = simulation({ a: 50 });
    const end = sim.every(20, () => {
      told.push(`chore ${sim.elapsedMs}`);
      if (sim.elapsedMs === 40) end();
    });
    await sim.run({ forMs: 100 });
    end();
    expect(told).toEqual(['chore 20', 'chore 40', 'a 50']);
    expect(sim.nextDueMs).toBeUndefined();
  });

  test('ends although chores exist, and ignores chores in its choices', async () => {
    const choices: number[] = [];
    const choose = (count: number): number => choices.push(count) && 0;
    const { sim } = simulation({ a: 10, b: 10 }, { choose });
    sim.every(10, () => {});
    await sim.run();
    expect([sim.elapsedMs, sim.pending, choices]).toEqual([10, 0, [2]]);
  });

  test('lets every promise settle before the next task', async () => {
    const sim = new Simulation();
    const told: string[] = [];
    sim.schedule(1, 'test', 'deep', async () => {
      for (let i = 0; i < 50; i++) await Promise.resolve();
      told.push('settled');
    });
    sim.schedule(1, 'test', 'next', () => told.push('next'));
    await sim.run();
    expect(told).toEqual(['settled', 'next']);
  });

  test('lets earlier promises settle before the first task', async () => {
    const { sim, told } = simulation({ task: 0 });
    void Promise.resolve().then(() => told.push('before'));
    await sim.run();
    expect(told).toEqual(['before', 'task 0']);
  });

  test('rounds fractions of a millisecond up', async () => {
    const { sim, told } = simulation({ a: 0.1, b: 1, c: 1.0001 });
    await sim.run();
    expect(told).toEqual(['a 1', 'b 1', 'c 2']);
  });

  test('rejects an invalid delay', () => {
    const schedule = (afterMs: number) => () => new Simulation().schedule(afterMs, 'test', 'it', () => {});
    for (const delay of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(schedule(delay)).toThrow(`Failed to schedule it: ${delay} ms is not a delay.`);
    }
  });

  test('rethrows an error of a task', async () => {
    const sim = new Simulation();
    sim.schedule(1, 'test', 'throws', () => {
      throw new Error('as it was told');
    });
    await expect(sim.run()).rejects.toThrow('as it was told');
    await sim.run({ forMs: 1 });
    expect(sim.elapsedMs).toBe(2);
  });
});

describe('Simulation.run', () => {
  test('stops exactly after its time, and includes the tasks due then', async () => {
    const { sim, told } = simulation({ a: 10, b: 11 });
    await sim.run({ forMs: 10 });
    expect([told, sim.elapsedMs, sim.pending]).toEqual([['a 10'], 10, 1]);
  });

  test('advances to the end of its time even without tasks', async () => {
    const { sim } = simulation({ a: 10 });
    await sim.run({ forMs: 25 });
    await sim.run({ forMs: 25 });
    expect(sim.elapsedMs).toBe(50);
  });

  test('without a limit ends with the last task', async () => {
    const { sim } = simulation({ a: 10 });
    await sim.run();
    expect(sim.elapsedMs).toBe(10);
  });

  test('stops as soon as a condition holds, even before the first task', async () => {
    const { sim, told } = simulation({ a: 1, b: 1, c: 2 });
    await sim.run({ until: () => true });
    expect(told).toEqual([]);
    await sim.run({ until: () => told.length === 1, forMs: 100 });
    expect([told, sim.elapsedMs]).toEqual([['a 1'], 1]);
  });

  test('cannot run twice at once', async () => {
    const sim = new Simulation();
    const first = sim.run();
    await expect(sim.run()).rejects.toThrow('it is running already');
    await first;
  });
});

describe('Simulation.settle', () => {
  test('runs until the promise settles, no further', async () => {
    const { sim } = simulation({ later: 60 });
    expect(await sim.settle(sim.clock.sleep(50).then(() => 'slept'))).toBe('slept');
    expect([sim.elapsedMs, sim.pending]).toEqual([50, 1]);
  });

  test("rejects with the promise's error", async () => {
    const sim = new Simulation();
    const failing = sim.clock.sleep(5).then(() => Promise.reject(new Error('no')));
    await expect(sim.settle(failing)).rejects.toThrow('no');
  });

  test('fails if no task is left that could settle the promise', async () => {
    const sim = new Simulation();
    await expect(sim.settle(new Promise(() => {}))).rejects.toThrow(NeverSettled);
    await expect(sim.settle(new Promise(() => {}))).rejects.toThrow('no task is left');
  });

  test('fails if the promise takes too long', async () => {
    const sim = new Simulation();
    const tick = (): void => void sim.clock.after(1_000, tick);
    tick();
    await expect(sim.settle(new Promise(() => {}), 5_000)).rejects.toThrow(
      'did not settle within 5 s of virtual time',
    );
  });
});

describe('HotLoop', () => {
  test('reports a loop that calls and lets no time pass', async () => {
    const sim = new Simulation();
    let calls = 0;
    sim.schedule(1, 'reflector', 'starts', async () => {
      for (;;) {
        await sim.spend('reflector', 'list pods');
        calls++;
      }
    });
    const run = sim.run({ forMs: 1_000 });
    await expect(run).rejects.toThrow(HotLoop);
    await expect(run).rejects.toThrow(
      'reflector called list pods 1000 times in a row without letting any time pass',
    );
    expect(calls).toBe(1_000);
  });

  test('does not report many actors that each call a few times', async () => {
    const sim = new Simulation();
    sim.schedule(1, 'cluster', 'starts', async () => {
      for (let i = 0; i < 2_000; i++) await sim.spend(`kubelet-node-${i}`, 'list pods');
    });
    await sim.run();
  });

  test('reports a loop of timers with delay 0', async () => {
    const sim = new Simulation();
    const clock = sim.clockFor('queue');
    void (async () => {
      for (;;) await clock.sleep(0);
    })();
    await expect(sim.run({ forMs: 1 })).rejects.toThrow(
      'queue had 10,000 turns while no virtual time passed: a hot loop. The last 1,000 calls:\n  1,000 × timer of 0 ms',
    );
  });

  test('reports an actor that receives the same item again and again', async () => {
    const sim = new Simulation();
    let handed = 0;
    sim.schedule(1, 'controller', 'starts', async () => {
      while (!sim.handOut('controller', '"default/web"')) {
        handed++;
        sim.asked('controller', '"default/web"', () => 'addAfter("default/web", 0)');
        await null;
      }
    });
    await expect(sim.run()).rejects.toThrow(
      'controller got "default/web" 1,000 times while no virtual time passed: a hot loop. Wait before the next try: ' +
        'addRateLimited, or addAfter with a delay. The last 100 calls:\n  100 × addAfter("default/web", 0)',
    );
    expect(handed).toBe(1_000);
  });

  test('does not report an actor that receives many items', async () => {
    const sim = new Simulation();
    sim.schedule(1, 'controller', 'starts', () => {
      for (let i = 0; i < 10_000; i++) expect(sim.handOut('controller', `"default/web-${i}"`)).toBe(false);
    });
    await sim.run();
  });

  test('does not report a loop that lets a millisecond pass', async () => {
    const sim = new Simulation();
    let turns = 0;
    void (async () => {
      for (;;) {
        for (let i = 0; i < 900; i++) await sim.spend('busy', 'get');
        await sim.clock.sleep(1);
        turns++;
      }
    })();
    await sim.run({ forMs: 20 });
    expect(turns).toBe(20);
  });

  test('does not report many actors that each do a little at one instant', async () => {
    const sim = new Simulation();
    let done = 0;
    for (let i = 0; i < 10_001; i++) sim.schedule(1, `kubelet-${i}`, 'timer', () => done++);
    await sim.run();
    expect(done).toBe(10_001);
  });
});
