import { describe, expect, test } from 'vitest';
import { Simulation } from '#harness/testing';
import { SerialPuller } from '#kata/43-images/images';

/** Creates work that takes a second, and records its start and end. */
function workOn(sim: Simulation, seen: string[]) {
  return (name: string, end: 'ends' | 'fails' = 'ends') =>
    async (): Promise<string> => {
      seen.push(`${name} begins`);
      await sim.clock.sleep(1_000);
      seen.push(`${name} ${end}`);
      if (end === 'fails') throw new Error(`${name} failed`);
      return name;
    };
}

describe('Level 7 · One at a time', () => {
  test('runs one after the other, in the order of the calls', async () => {
    const [sim, seen, puller] = [new Simulation(), [] as string[], new SerialPuller()];
    const work = workOn(sim, seen);
    const all = Promise.all(['a', 'b', 'c'].map((name) => puller.run(work(name))));
    expect(await sim.settle(all), 'the results, in the order of the calls').toEqual(['a', 'b', 'c']);
    expect(seen, 'each run must end before the next begins').toEqual([
      'a begins',
      'a ends',
      'b begins',
      'b ends',
      'c begins',
      'c ends',
    ]);
    expect(sim.elapsedMs, 'three times one second').toBe(3_000);
  });

  test('runs the next after a failure', async () => {
    const [sim, seen, puller] = [new Simulation(), [] as string[], new SerialPuller()];
    const work = workOn(sim, seen);
    const first = puller.run(work('a', 'fails')).catch((error: Error) => error.message);
    const second = puller.run(work('b')).catch((error: Error) => error.message);
    expect(
      await sim.settle(Promise.all([first, second])),
      'the results of a and b: the failure of a belongs to a alone, and b must run after it',
    ).toEqual(['a failed', 'b']);
  });

  test('rejects an aborted run at once, and never starts it', async () => {
    const [sim, seen, puller] = [new Simulation(), [] as string[], new SerialPuller()];
    const work = workOn(sim, seen);
    const controller = new AbortController();
    void puller.run(work('a'));
    const given = puller.run(work('b'), controller.signal).catch((error: Error) => error.message);
    const last = puller.run(work('c'));
    await sim.run({ forMs: 500 });
    controller.abort(new Error('context canceled'));
    expect(await sim.settle(given), 'an aborted run must reject with signal.reason').toBe('context canceled');
    expect(sim.elapsedMs, 'an aborted run must reject at once, and not wait for its turn').toBe(500);
    await sim.settle(last);
    expect(seen, 'the aborted b must never begin, and c must follow a').toEqual([
      'a begins',
      'a ends',
      'c begins',
      'c ends',
    ]);
  });

  test('runs again after the queue was empty', async () => {
    const [sim, seen, puller] = [new Simulation(), [] as string[], new SerialPuller()];
    await sim.settle(puller.run(workOn(sim, seen)('a')));
    expect(
      await sim.settle(puller.run(workOn(sim, seen)('b'))),
      'a run after all earlier runs have ended',
    ).toBe('b');
  });
});
