import { describe, expect, test } from 'vitest';
import type { core, Pod, ProbeResult, ProbeType } from '#harness';
import { Simulation } from '#harness/testing';
import { Results, Worker } from '#kata/42-probes/probes';
import { containerStatus, probed, START_MS, statusOf } from './probes.fixture.ts';

type Answer = 'Success' | 'Failure' | undefined;

/** A worker with an old kubelet, and with probes whose duration and result the test decides. */
function rigged(
  probe: core.Probe,
  {
    type = 'readiness',
    takesMs = () => 0,
    answer = () => 'Success',
    kubeletAgeMs = 100_000,
    status = () => statusOf(containerStatus({ started: true })),
    stopsAt,
  }: {
    readonly type?: ProbeType;
    readonly takesMs?: (nth: number) => number;
    readonly answer?: (nth: number) => Answer;
    readonly kubeletAgeMs?: number;
    readonly status?: (atMs: number) => Pod['status'] | undefined;
    /** The result at which `onUpdate` stops the worker. */
    readonly stopsAt?: ProbeResult;
  } = {},
) {
  const sim = new Simulation();
  const [asked, updates]: [number[], string[]] = [[], []];
  let ends = 0;
  const results = new Results(type, ({ result }) => {
    updates.push(`${sim.elapsedMs} ${result}`);
    if (result === stopsAt) worker.stop();
  });
  const worker: Worker = new Worker(probed(type, { periodSeconds: 5, failureThreshold: 1, ...probe }), {
    clock: sim.clock,
    random: sim.random,
    startedMs: START_MS - kubeletAgeMs,
    statusOf: () => status(sim.elapsedMs),
    results,
    probe: async () => {
      const nth = asked.push(sim.elapsedMs);
      await sim.clock.sleep(takesMs(nth));
      return answer(nth);
    },
    onEnd: () => {
      ends++;
    },
  });
  return { sim, worker, asked, updates, results, ends: () => ends };
}

describe('Level 8 · In time', () => {
  test('probes at once, and then once per period', async () => {
    const { sim, worker, asked } = rigged({ periodSeconds: 3 });
    void worker.run();
    await sim.run({ forMs: 10_000 });
    expect(asked, 'when probes ran, in ms: at once, then every periodSeconds').toEqual([
      0, 3_000, 6_000, 9_000,
    ]);
  });

  test('stores the initial result, and then the results of its probes', async () => {
    const { sim, worker, updates } = rigged({}, { answer: (nth) => (nth === 2 ? 'Failure' : 'Success') });
    void worker.run();
    await sim.run({ forMs: 11_000 });
    expect(
      updates,
      'the calls of onUpdate, with ms: the initial result of look (Level 5), then each change of count (Level 4)',
    ).toEqual(['0 Failure', '0 Success', '5000 Failure', '10000 Success']);
  });

  test('keeps its period when a probe takes a while', async () => {
    const { sim, worker, asked } = rigged({}, { takesMs: () => 4_000 });
    void worker.run();
    await sim.run({ forMs: 16_000 });
    expect(asked, 'when probes ran, in ms: the period counts from tick to tick, not from the answer').toEqual(
      [0, 5_000, 10_000, 15_000],
    );
  });

  test('replaces all ticks that were missed during a probe by one', async () => {
    const { sim, worker, asked } = rigged({}, { takesMs: (nth) => (nth === 1 ? 12_000 : 0) });
    void worker.run();
    await sim.run({ forMs: 21_000 });
    expect(
      asked,
      'when probes ran, in ms: the ticks at 5000 and 10000 were missed and give one probe, right after the slow one',
    ).toEqual([0, 12_000, 15_000, 20_000]);
  });

  test('does not count a probe that ended in an error', async () => {
    const { sim, worker, updates } = rigged(
      { failureThreshold: 2 },
      {
        answer: (nth) => (nth === 2 ? undefined : 'Failure'),
        type: 'liveness',
      },
    );
    void worker.run();
    await sim.run({ forMs: 11_000 });
    expect(
      updates,
      'the calls of onUpdate, with ms: a probe without a result neither counts as a failure nor interrupts the run of failures',
    ).toEqual(['0 Success', '10000 Failure']);
  });

  test('removes the result of the old container when it meets a new one', async () => {
    const status = (atMs: number) =>
      statusOf(containerStatus({ id: atMs < 7_000 ? 'c1' : 'c2', started: true }));
    const { sim, worker, results, updates } = rigged({}, { status });
    void worker.run();
    await sim.run({ forMs: 8_000 });
    expect(results.get('containerd://c1'), 'the result of the running container').toBe('Success');
    await sim.run({ forMs: 4_000 });
    expect(
      [results.get('containerd://c1'), results.get('containerd://c2')],
      'the results of the old and of the new container: the old one must be removed',
    ).toEqual([undefined, 'Success']);
    expect(updates.slice(2), 'the calls of onUpdate for the new container').toEqual([
      '10000 Failure',
      '10000 Success',
    ]);
  });

  test('ends by itself, and removes its result', async () => {
    const status = (atMs: number) => ({
      ...statusOf(containerStatus({ started: true })),
      ...(atMs >= 7_000 && { phase: 'Succeeded' }),
    });
    const { sim, worker, results, ends, asked } = rigged({}, { status });
    void worker.run();
    await sim.run({ forMs: 60_000 });
    expect(
      { asked, ends: ends(), known: results.get('containerd://c1'), timers: sim.pending },
      'when look (Level 5) returns end, the worker must run no probe, call onEnd once, remove its result and leave no timer',
    ).toEqual({
      asked: [0, 5_000],
      ends: 1,
      known: undefined,
      timers: 0,
    });
  });

  test('probes at once when triggered, and counts its period from there', async () => {
    const { sim, worker, asked } = rigged({});
    void worker.run();
    await sim.run({ forMs: 2_000 });
    worker.trigger();
    await sim.run({ forMs: 11_000 });
    expect(
      asked,
      'when probes ran, in ms: trigger at 2000 runs one at once, and the period counts from there',
    ).toEqual([0, 2_000, 7_000, 12_000]);
  });

  test('probes right after a running probe if triggered during it', async () => {
    const { sim, worker, asked } = rigged({}, { takesMs: () => 1_000 });
    void worker.run();
    await sim.run({ forMs: 500 });
    worker.trigger();
    worker.trigger();
    await sim.run({ forMs: 6_000 });
    expect(
      asked,
      'when probes ran, in ms: two triggers during a probe give one further probe, right after it',
    ).toEqual([0, 1_000, 6_000]);
  });

  test('stops at once, removes its result and leaves no timer', async () => {
    const { sim, worker, asked, results } = rigged({});
    void worker.run();
    await sim.run({ forMs: 6_000 });
    worker.stop();
    expect(results.get('containerd://c1'), 'stop must remove the result at once').toBeUndefined();
    await sim.run({ forMs: 0 });
    expect({ asked, timers: sim.pending }, 'stop must run no further probe and leave no timer').toEqual({
      asked: [0, 5_000],
      timers: 0,
    });
  });

  test('ignores the result of a probe that is running when it stops', async () => {
    const { sim, worker, updates, results, ends } = rigged({}, { takesMs: () => 1_000 });
    void worker.run();
    await sim.run({ forMs: 500 });
    worker.stop();
    await sim.run({ forMs: 60_000 });
    expect(
      { updates, known: results.get('containerd://c1'), ends: ends(), timers: sim.pending },
      'the answer of a probe that was running at stop must not be stored, onEnd must be called once, and no timer is left',
    ).toEqual({
      updates: ['0 Failure'],
      known: undefined,
      ends: 1,
      timers: 0,
    });
  });

  test('stores no second result and runs no probe if onUpdate stops it', async () => {
    const one = rigged({}, { type: 'liveness', stopsAt: 'Success' });
    void one.worker.run();
    await one.sim.run({ forMs: 20_000 });
    expect(
      { asked: one.asked, updates: one.updates, known: one.results.get('containerd://c1') },
      'onUpdate was called with the initial result, Success, and stopped the worker: no probe follows in that tick',
    ).toEqual({ asked: [], updates: ['0 Success'], known: undefined });
    const waiting = statusOf(containerStatus({ state: 'waiting' }));
    const other = rigged({}, { type: 'liveness', stopsAt: 'Success', status: () => waiting });
    void other.worker.run();
    await other.sim.run({ forMs: 20_000 });
    expect(
      { updates: other.updates, known: other.results.get('containerd://c1') },
      'the container waits, so the results of the tick are Success and Failure; onUpdate stopped the worker at Success: Failure must not be stored',
    ).toEqual({ updates: ['0 Success'], known: undefined });
  });

  test('waits for a random part of a period while its kubelet is young', async () => {
    const { sim, worker, asked } = rigged({}, { kubeletAgeMs: 4_999 });
    void worker.run();
    worker.trigger();
    await sim.run({ forMs: 0 });
    expect(
      asked,
      'the kubelet is younger than a period: the first probe must wait a random part of it, and a trigger must not change that',
    ).toEqual([]);
    await sim.run({ forMs: 5_000 });
    const [first = 0] = asked;
    expect(first, 'ms until the first probe: more than 0').toBeGreaterThan(0);
    await sim.run({ forMs: 10_000 });
    expect(asked.filter((ms) => ms > first).slice(0, 2), 'the period counts from the first probe').toEqual([
      first + 5_000,
      first + 10_000,
    ]);
  });

  test('stops while it waits for its first tick', async () => {
    const { sim, worker, asked } = rigged({}, { kubeletAgeMs: 0 });
    void worker.run();
    await sim.run({ forMs: 0 });
    worker.stop();
    await sim.run({ forMs: 0 });
    expect({ asked, timers: sim.pending }, 'stop must also cancel the timer of the first tick').toEqual({
      asked: [],
      timers: 0,
    });
  });
});
