import { describe, expect, test } from 'vitest';
import { Simulation, soFar } from '#harness/testing';
import { newWorkQueue, runWorkers } from '#kata/22-workqueue/workqueue';
import { abortListeners } from '#laws/22-workqueue';
import { broken, crew, failures } from './crew.fixture.ts';
import { begun } from './queue.fixture.ts';

describe('Level 8 · All workers', () => {
  test('has as many items in hand as workers, and no more', async () => {
    const { sim, queue, diary, start } = crew({ workers: 2, sync: () => sim.clock.sleep(50) });
    start();
    for (const item of ['a', 'b', 'c', 'd', 'e']) queue.add(item);
    await sim.run({ forMs: 1_000 });
    expect(diary.toSorted(), 'when each sync began: two workers, two items at a time').toEqual([
      '0 a',
      '0 b',
      '100 e',
      '50 c',
      '50 d',
    ]);
  });

  test('runs ten workers', async () => {
    const { sim, queue, diary, start } = crew({ workers: 10, sync: () => sim.clock.sleep(50) });
    start();
    for (let i = 0; i < 12; i++) queue.add(`item-${i}`);
    await sim.run({ forMs: 49 });
    expect(diary, 'syncs that began at once, with ten workers').toHaveLength(10);
    await sim.run({ forMs: 1 });
    expect(diary, 'syncs when the first ten have ended').toHaveLength(12);
  });

  test('processes other items while one fails again and again', async () => {
    const { sim, queue, diary, start } = crew({
      sync: (item) => (item === 'bad' ? Promise.reject(broken) : sim.clock.sleep(5)),
    });
    start();
    for (const item of ['bad', 'b', 'c', 'd']) queue.add(item);
    await sim.run({ forMs: 20 });
    expect(
      diary,
      'when each sync began: an item that fails must wait (addRateLimited, Level 5) and let the others go on',
    ).toEqual(['0 bad', '0 b', '5 c', '10 d', '15 bad']);
  });

  test('keeps every worker, whatever sync throws', async () => {
    for (const [how, fail] of failures) {
      let failing = true;
      const { sim, queue, diary, start } = crew({
        workers: 2,
        sync: () => (failing ? fail() : sim.clock.sleep(50)),
      });
      start();
      for (const item of ['a', 'b', 'c']) queue.add(item);
      await sim.run({ forMs: 5 });
      failing = false;
      diary.length = 0;
      await sim.run({ forMs: 10 });
      expect(diary.length, `syncs that began within 15 ms, after sync ${how}: both workers must go on`).toBe(
        2,
      );
    }
  });

  test('does not treat 0, an empty string or null as the end', async () => {
    const sim = new Simulation();
    const queue = newWorkQueue<number | string | null>({ clock: sim.clock });
    const seen: unknown[] = [];
    const { signal } = new AbortController();
    begun(
      runWorkers({
        queue,
        workers: 1,
        signal,
        sync: async (item) => {
          seen.push(item);
        },
      }),
    );
    for (const item of [0, '', null, 'a']) queue.add(item);
    await sim.run({ forMs: 0 });
    expect(seen, 'the items of sync: only undefined is the end').toEqual([0, '', null, 'a']);
  });

  test('begins no sync after the abort, and returns when the running ones have settled', async () => {
    const { sim, queue, diary, start, abort } = crew({ workers: 2, sync: () => sim.clock.sleep(50) });
    const ended = start();
    for (const item of ['a', 'b', 'c']) queue.add(item);
    await sim.run({ forMs: 20 });
    abort();
    expect(queue.shuttingDown(), 'runWorkers must shut its queue down at the abort').toBe(true);
    await sim.run({ forMs: 29 });
    expect(await soFar(ended, sim), 'runWorkers must not resolve while a sync is running').toBe('waits');
    await sim.run({ forMs: 1 });
    expect(await soFar(ended, sim), 'runWorkers must resolve when the last sync has settled').toBeUndefined();
    expect(diary.toSorted(), 'syncs that began: none after the abort').toEqual(['0 a', '0 b']);
  });

  test('begins no sync for an item that was handed out at the moment of the abort', async () => {
    const { sim, queue, diary, start, abort } = crew();
    const ended = start();
    await sim.run({ forMs: 1 });
    queue.add('a');
    abort();
    expect(await soFar(ended, sim), 'runWorkers must resolve after the abort').toBeUndefined();
    expect(
      diary,
      'an item that was handed out in the instant of the abort must not be synced: check the signal after get',
    ).toEqual([]);
  });

  test('begins no sync after the abort, however close it comes to the add', async () => {
    for (let turns = 0; turns <= 20; turns++) {
      let aborted = false;
      const late: string[] = [];
      const { sim, queue, start, abort } = crew({
        sync: async (item) => {
          if (aborted) late.push(item);
        },
      });
      const ended = start();
      await sim.run({ forMs: 1 });
      queue.add('a');
      for (let i = 0; i < turns; i++) await undefined;
      aborted = true;
      abort();
      expect(await soFar(ended, sim), 'runWorkers must resolve after the abort').toBeUndefined();
      expect(late, `syncs that began after an abort that came ${turns} microtasks after the add`).toEqual([]);
    }
  });

  test('returns even if a running sync fails after the abort', async () => {
    const { sim, queue, start, abort } = crew({
      sync: async () => {
        await sim.clock.sleep(50);
        throw broken;
      },
    });
    const ended = start();
    queue.add('a');
    await sim.run({ forMs: 20 });
    abort();
    await sim.run({ forMs: 30 });
    expect(
      await soFar(ended, sim),
      'runWorkers must resolve, although the running sync failed after the abort',
    ).toBeUndefined();
  });

  test('returns at once if the signal was aborted before', async () => {
    const { sim, queue, diary, start, abort } = crew();
    queue.add('a');
    abort();
    expect(
      await soFar(start(), sim),
      'runWorkers must resolve when its signal is aborted from the start',
    ).toBeUndefined();
    expect(queue.shuttingDown(), 'runWorkers must also shut the queue down then').toBe(true);
    expect(diary, 'no sync may begin').toEqual([]);
  });

  test('leaves no listener on the signal', async () => {
    const { sim, queue, signal, start } = crew({ workers: 2 });
    const ended = start();
    queue.shutDown();
    expect(
      await soFar(ended, sim),
      'the queue is shut down and empty: runWorkers must resolve',
    ).toBeUndefined();
    expect(
      abortListeners(signal),
      'listeners for "abort" that are left on the signal: each call of runWorkers would add another one',
    ).toBe(0);
  });

  test('processes the items in line, and returns, if other code shuts the queue down', async () => {
    const { sim, queue, diary, start } = crew();
    const ended = start();
    for (const item of ['a', 'b']) queue.add(item);
    queue.shutDown();
    expect(
      await soFar(ended, sim),
      'runWorkers must resolve when the queue is shut down and empty',
    ).toBeUndefined();
    expect(diary, 'the items in line at the shutdown must be synced').toEqual(['0 a', '0 b']);
  });
});
