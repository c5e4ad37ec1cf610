import { describe, expect, test } from 'vitest';
import { type ConfigMap, ConnectionError, configMaps, errors, type WatchEvent } from '#harness';
import { named, Simulation, seededRandom, vectors } from '#harness/testing';
import { Backoff } from '#kata/21-informer/informer';
import { configMap, listOf, type ScriptedWatch } from '#laws/21-informer';
import { begun, event, nothing, reflect } from './reflect.fixture.ts';

const failure = (error: ReturnType<typeof errors.expired>): WatchEvent<ConfigMap> => ({
  type: 'ERROR',
  object: error.status,
});

describe('Level 5 · When it breaks', () => {
  const delays = (seed: number, count: number): number[] => {
    const backoff = new Backoff(new Simulation().clock, seededRandom(seed));
    return Array.from({ length: count }, () => backoff.nextMs());
  };

  test('waits 0.8 s, then twice as long each time, up to 30 s, and up to as much again', () => {
    const bases = [800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000];
    const waits = delays(1, bases.length);
    bases.forEach((baseMs, i) => {
      expect(waits[i], `wait ${i + 1}`).toBeGreaterThanOrEqual(baseMs);
      expect(waits[i], `wait ${i + 1}`).toBeLessThan(2 * baseMs);
    });
  });

  test('waits differently from everybody else, so that not all come back at once', () => {
    expect(delays(1, 4)).not.toEqual(delays(2, 4));
  });

  test('begins again at 0.8 s after two minutes without a failure', async () => {
    const sim = new Simulation();
    const backoff = new Backoff(sim.clock, seededRandom(1));
    for (let i = 0; i < 6; i++) backoff.nextMs();
    await sim.run({ forMs: 60_000 });
    expect(backoff.nextMs(), 'one minute later').toBeGreaterThanOrEqual(30_000);
    await sim.run({ forMs: 120_001 });
    expect(backoff.nextMs(), 'two minutes later').toBeLessThan(1_600);
  });

  test('tries a failed list again, after a pause', async () => {
    let failures = 2;
    const {
      sim,
      reflector,
      server,
      signal,
      stop,
      failures: reported,
    } = reflect({
      list: () => {
        if (failures-- > 0) throw errors.internal('no leader');
        return nothing('10');
      },
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 790 });
    expect(server.requests).toEqual(['list 0']);
    await sim.run({ forMs: 10_000 });
    expect(server.requests).toEqual(['list 0', 'list 0', 'list 0', 'watch 10']);
    expect(reported).toHaveLength(2);
    stop();
    await sim.settle(running);
  });

  test('lists again when the watch says 410, from what it has seen', async () => {
    const {
      sim,
      reflector,
      server,
      signal,
      stop,
      failures: reported,
    } = reflect({
      list: ({ resourceVersion }) => nothing(resourceVersion === '0' ? '10' : '20'),
      watches: [
        { events: [event('ADDED', 'a', '11'), failure(errors.tooOldResourceVersion(11, 15))], ends: true },
      ],
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 10_000 });
    expect(server.requests).toEqual(['list 0', 'watch 10', 'list 11', 'watch 20']);
    expect(reported, '410 is nothing to complain of').toEqual([]);
    stop();
    await sim.settle(running);
  });

  test('lists again when the server reports any other error in the stream', async () => {
    const { sim, reflector, server, signal, stop } = reflect({
      list: () => nothing('10'),
      watches: [{ events: [failure(errors.internal('no leader'))], ends: true }],
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 10_000 });
    expect(server.requests).toEqual(['list 0', 'watch 10', 'list 10', 'watch 10']);
    stop();
    await sim.settle(running);
  });

  test.each([
    ['is too busy (429)', errors.tooManyRequests('slow down', 1)],
    ['is not there', new ConnectionError('ECONNREFUSED', 'connection refused')],
  ])('keeps its place when the server %s: it watches again, and lists nothing', async (_, refusal) => {
    const { sim, reflector, server, signal, stop } = reflect({
      list: () => nothing('10'),
      watches: [refusal, refusal],
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 790 });
    expect(server.requests, 'before the pause is over').toEqual(['list 0', 'watch 10']);
    await sim.run({ forMs: 10_000 });
    expect(server.requests).toEqual(['list 0', 'watch 10', 'watch 10', 'watch 10']);
    stop();
    await sim.settle(running);
  });

  test('keeps its place when the stream ends with 429', async () => {
    const { sim, reflector, server, signal, stop } = reflect({
      list: () => nothing('10'),
      watches: [
        { events: [event('ADDED', 'a', '11'), failure(errors.tooManyRequests('slow down', 1))], ends: true },
      ],
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 10_000 });
    expect(server.requests).toEqual(['list 0', 'watch 10', 'watch 11']);
    stop();
    await sim.settle(running);
  });

  test('pauses when a watch ends at once and empty', async () => {
    const { sim, reflector, server, signal, stop } = reflect({
      list: () => nothing('10'),
      watches: [{ events: [], ends: true }],
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 790 });
    expect(server.requests).toEqual(['list 0', 'watch 10']);
    await sim.run({ forMs: 10_000 });
    expect(server.requests.length).toBeGreaterThan(2);
    stop();
    await sim.settle(running);
  });

  test('resyncs the store once a period while it watches, however often it had to start over', async () => {
    const broken = { events: [failure(errors.internal('no leader'))], ends: true };
    const { sim, reflector, resynced, signal, stop } = reflect({
      checkPeriodMs: 10_000,
      list: () => nothing('10'),
      watches: [broken, broken, broken],
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 60_000 });
    const before = resynced.length;
    await sim.run({ forMs: 30_000 });
    expect(resynced.length - before).toBe(3);
    stop();
    await sim.settle(running);
  });

  test('ends at once when it is aborted in a pause', async () => {
    const { sim, reflector, server, signal, stop } = reflect({
      list: () => {
        throw errors.internal('no leader');
      },
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 100 });
    stop();
    const abortedMs = sim.elapsedMs;
    await sim.settle(running);
    expect(sim.elapsedMs).toBe(abortedMs);
    expect(server.requests).toHaveLength(1);
  });

  interface RunsInput {
    readonly runs: {
      readonly list?: { resourceVersion: string; items: Record<string, string> };
      readonly events?: ['ADDED' | 'MODIFIED' | 'DELETED', string, string][];
      readonly listError?: boolean;
      readonly watchError?: boolean;
    }[];
  }
  interface RunsExpect {
    readonly storeAfter: Record<string, string>[];
    readonly errors: boolean[];
  }
  const tables = vectors<RunsInput, RunsExpect>('informer', 'reflector', 1, ({ input }) =>
    Array.isArray(input.runs),
  );
  test.each(named(tables))('agrees with client-go: %s', async (_, { input, expect: expected }) => {
    const lists = input.runs.map((run) => run.list);
    const { sim, reflector, stored, signal } = reflect({
      list: () => {
        const list = lists.shift();
        if (!list) throw errors.internal('no list');
        return listOf(
          configMaps,
          list.resourceVersion,
          Object.entries(list.items).map(([name, version]) => configMap(name, version)),
        );
      },
      watches: input.runs
        .filter((run) => run.list)
        .map((run): ScriptedWatch<ConfigMap> => {
          if (run.watchError) return errors.internal('no watch');
          const events = (run.events ?? []).map((each) => event(...each));
          // Upstream's test ends each run with its stream; an error is what ends ours.
          return { events: [...events, failure(errors.expired('end of the run'))], ends: true };
        }),
    });
    for (const [i, run] of input.runs.entries()) {
      const outcome = await sim.settle(
        reflector.listAndWatch(signal).then(
          () => 'ended',
          (error: Error) => error.message,
        ),
      );
      expect(stored(), `after run ${i + 1}`).toEqual(expected.storeAfter[i]);
      if (run.listError) expect(outcome).toMatch(/no list/);
      if (run.watchError) expect(outcome).toMatch(/no watch/);
    }
  });
});
