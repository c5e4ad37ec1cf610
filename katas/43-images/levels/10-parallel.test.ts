import { describe, expect, test } from 'vitest';
import { Simulation } from '#harness/testing';
import { ParallelPuller } from '#kata/43-images/images';

/** Runs work of these durations, and returns the start times. */
async function beginnings(
  max: number | undefined,
  times: readonly number[],
  failing: readonly number[] = [],
) {
  const sim = new Simulation();
  const puller = new ParallelPuller(max);
  const began: number[] = [];
  const all = times.map((ms, i) =>
    puller
      .run(async () => {
        began[i] = sim.elapsedMs;
        await sim.clock.sleep(ms);
        if (failing.includes(i)) throw new Error('failed');
      })
      .catch(() => {}),
  );
  await sim.settle(Promise.all(all));
  return began;
}

describe('Level 10 ★ · Several at once', () => {
  test('starts up to the limit, and the next when one ends', async () => {
    expect(
      await beginnings(2, [100, 30, 100, 10]),
      'the start times of 4 runs, in ms: at most 2 run at once, and the next starts when one ends',
    ).toEqual([0, 0, 30, 100]);
  });

  test('has no limit by default', async () => {
    expect(
      await beginnings(undefined, [10, 10, 10, 10]),
      'the start times, in ms: without a limit all start at once',
    ).toEqual([0, 0, 0, 0]);
  });

  test('frees the place of a failed run', async () => {
    expect(
      await beginnings(1, [10, 10, 10], [0, 1]),
      'the start times, in ms: a failed run must free its place',
    ).toEqual([0, 10, 20]);
  });

  test('rejects an aborted run at once, and frees its place', async () => {
    const sim = new Simulation();
    const puller = new ParallelPuller(1);
    const controller = new AbortController();
    const began: string[] = [];
    const work = (name: string) => async () => {
      began.push(name);
      await sim.clock.sleep(1_000);
    };
    void puller.run(work('a'));
    const given = puller.run(work('b'), controller.signal).catch((error: Error) => error.message);
    const last = puller.run(work('c'));
    await sim.run({ forMs: 500 });
    controller.abort(new Error('context canceled'));
    expect(await sim.settle(given), 'an aborted run must reject with signal.reason').toBe('context canceled');
    await sim.settle(last);
    expect(began, 'the aborted b must never begin').toEqual(['a', 'c']);
    expect(sim.elapsedMs, 'c must begin when a ends').toBe(2_000);
  });
});
