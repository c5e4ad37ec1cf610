import { describe, expect, test } from 'vitest';
import { Simulation } from '#harness/testing';
import { ParallelPuller } from '#kata/43-images/images';

/** Runs works that take so many ms each, and says when each began. */
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
  test('begins as many as it may, and the next when one has ended', async () => {
    expect(
      await beginnings(2, [100, 30, 100, 10]),
      'when each of 4 works begins, in ms: at most 2 run at once, and the next begins when one ends',
    ).toEqual([0, 0, 30, 100]);
  });

  test('has no limit unless it is given one', async () => {
    expect(
      await beginnings(undefined, [10, 10, 10, 10]),
      'when each work begins, in ms: without a limit all begin at once',
    ).toEqual([0, 0, 0, 0]);
  });

  test('gives the place of one that failed to the next', async () => {
    expect(
      await beginnings(1, [10, 10, 10], [0, 1]),
      'when each work begins, in ms: a failed work must free its place',
    ).toEqual([0, 10, 20]);
  });

  test('gives up what is given up, at once, and keeps no place for it', async () => {
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
