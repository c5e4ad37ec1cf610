import { describe, expect, test } from 'vitest';
import { configMaps, errors } from '#harness';
import { named, Simulation, seededRandom, vectors } from '#harness/testing';
import { Backoff } from '#kata/21-informer/informer';
import { configMap, listOf, type ScriptedWatch } from '#laws/21-informer';
import {
  BACKOFF_MS,
  begun,
  ending,
  event,
  failure,
  initialEventsEnd,
  noStreamingLists,
  nothing,
  open,
  reflect,
} from './reflect.fixture.ts';

describe('Level 7 · When it breaks', () => {
  describe('listAndWatch', () => {
    const running = async (script: Parameters<typeof reflect>[0], forMs = 100) => {
      const reflected = reflect(script);
      const ended = begun(reflected.reflector.listAndWatch(reflected.signal));
      await reflected.sim.run({ forMs });
      reflected.stop();
      await reflected.sim.settle(ended.catch(() => {}));
      return { requests: reflected.requests(), pushed: reflected.pushed() };
    };

    test('uses one stream if the server has streaming lists', async () => {
      const stream = open(event('ADDED', 'a', '3'), initialEventsEnd('7'), event('ADDED', 'b', '8'));
      const { requests, pushed } = await running({ watches: [stream] });
      expect(requests, 'the streaming list goes on as the watch: no further request').toEqual(['stream ""']);
      expect(pushed, 'the deltas in the queue').toEqual(['ReplacedAll a@3 at 7', 'Added b@8']);
    });

    test('opens another watch where that stream ended', async () => {
      const stream = ending(event('ADDED', 'a', '3'), initialEventsEnd('7'), event('ADDED', 'b', '8'));
      const { requests } = await running({ watches: [stream] });
      expect(requests, 'the stream ended after version 8').toEqual(['stream ""', 'watch 8']);
    });

    test('uses a list and a watch if the server has no streaming lists', async () => {
      const { requests, pushed } = await running({ watches: [noStreamingLists], list: () => nothing('10') });
      expect(requests, 'the server refuses the streaming list').toEqual(['stream ""', 'list 0', 'watch 10']);
      expect(pushed, 'the deltas in the queue').toEqual(['ReplacedAll at 10']);
    });
  });

  test('throws when the list fails', async () => {
    const { sim, reflector, signal } = reflect({
      watches: [noStreamingLists],
      list: () => {
        throw errors.internal('no leader');
      },
    });
    await expect(
      sim.settle(reflector.listAndWatch(signal)),
      'listAndWatch() must reject with the error of the list',
    ).rejects.toThrow(/no leader/);
  });

  test('sends no request after an abort in a streaming list', async () => {
    const { sim, reflector, requests, signal, stop } = reflect();
    const ended = begun(reflector.listAndWatch(signal));
    await sim.run({ forMs: 100 });
    stop();
    await sim.settle(ended);
    expect(requests(), 'after the abort neither list nor watch').toEqual(['stream ""']);
  });

  test('starts over after each failure and a wait, and reports the failure', async () => {
    let refusals = 2;
    const { sim, reflector, requests, failures, signal, stop } = reflect({
      watches: [noStreamingLists, noStreamingLists, noStreamingLists],
      list: () => {
        if (refusals-- > 0) throw errors.internal('no leader');
        return nothing('10');
      },
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: BACKOFF_MS - 10 });
    expect(requests(), 'before the first wait is over').toEqual(['stream ""', 'list 0']);
    await sim.run({ forMs: BACKOFF_MS });
    expect(requests(), 'before the second wait is over').toEqual([
      'stream ""',
      'list 0',
      'stream ""',
      'list 0',
    ]);
    await sim.run({ forMs: 10_000 });
    expect(requests().slice(4), 'the requests after the second wait: the list succeeds').toEqual([
      'stream ""',
      'list 0',
      'watch 10',
    ]);
    expect(failures, 'onError must be called once for each of the two failed lists').toHaveLength(2);
    stop();
    await sim.settle(running);
  });

  test('tries a streaming list each time, even if the server refused it before', async () => {
    const stream = open(initialEventsEnd('12'));
    const { sim, reflector, requests, signal, stop } = reflect({
      watches: [noStreamingLists, ending(failure(errors.internal('no leader'))), stream],
      list: () => nothing('10'),
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 10_000 });
    expect(requests(), 'after the watch failed: again a streaming list first').toEqual([
      'stream ""',
      'list 0',
      'watch 10',
      'stream 10',
    ]);
    stop();
    await sim.settle(running);
  });

  test('lists again from its last version after a 410, without a report', async () => {
    const first = ending(
      initialEventsEnd('10'),
      event('ADDED', 'a', '11'),
      failure(errors.tooOldResourceVersion(11, 15)),
    );
    const { sim, reflector, requests, failures, signal, stop } = reflect({
      watches: [first, open(initialEventsEnd('20'))],
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: BACKOFF_MS - 10 });
    expect(requests(), 'the watch failed: the wait is 800 ms, and 790 ms have passed').toEqual(['stream ""']);
    await sim.run({ forMs: 1_000 });
    expect(requests(), 'list again from version 11, the last that it has seen').toEqual([
      'stream ""',
      'stream 11',
    ]);
    expect(failures, 'a watch that ends in 410 is usual: do not call onError').toEqual([]);
    stop();
    await sim.settle(running);
  });

  test('waits as long as the server asks for', async () => {
    const { sim, reflector, requests, signal, stop } = reflect({
      watches: [noStreamingLists, noStreamingLists],
      list: () => {
        throw errors.tooManyRequests('slow down', 7);
      },
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 6_900 });
    expect(requests(), 'Retry-After is 7 s, and 6.9 s have passed').toEqual(['stream ""', 'list 0']);
    await sim.run({ forMs: 200 });
    expect(requests(), 'Retry-After is 7 s, and 7.1 s have passed').toHaveLength(4);
    stop();
    await sim.settle(running);
  });

  test('ends at once on an abort during a wait', async () => {
    const { sim, reflector, requests, signal, stop } = reflect({
      watches: [noStreamingLists],
      list: () => {
        throw errors.internal('no leader');
      },
    });
    const running = begun(reflector.run(signal));
    await sim.run({ forMs: 100 });
    stop();
    const abortedMs = sim.elapsedMs;
    await sim.settle(running);
    expect(sim.elapsedMs, 'the abort must end the wait at once').toBe(abortedMs);
    expect(requests(), 'the requests to the server').toEqual(['stream ""', 'list 0']);
  });

  const delays = (seed: number, count: number): number[] => {
    const backoff = new Backoff(new Simulation().clock, seededRandom(seed));
    return Array.from({ length: count }, () => backoff.nextMs());
  };

  test('waits 0.8 s, then twice as long each time, up to 30 s, plus up to 100 % jitter', () => {
    const bases = [800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000];
    for (const seed of [1, 2, 3, 4]) {
      const waits = delays(seed, bases.length);
      bases.forEach((baseMs, i) => {
        const rule = `wait ${i + 1} is ${waits[i]} ms; it must be ${baseMs} ms and at most as much jitter`;
        expect(waits[i], rule).toBeGreaterThanOrEqual(baseMs);
        expect(waits[i], rule).toBeLessThanOrEqual(2 * baseMs);
      });
    }
  });

  test('waits differently from other clients, so that they do not all return at once', () => {
    expect(delays(1, 4), 'two informers with different random numbers must wait differently').not.toEqual(
      delays(2, 4),
    );
  });

  test('restarts at 0.8 s after more than two minutes without a call', async () => {
    const sim = new Simulation();
    const backoff = new Backoff(sim.clock, seededRandom(1));
    for (let i = 0; i < 6; i++) backoff.nextMs();
    await sim.run({ forMs: 60_000 });
    expect(backoff.nextMs(), 'one minute later').toBeGreaterThanOrEqual(30_000);
    await sim.run({ forMs: 120_001 });
    expect(backoff.nextMs(), 'two minutes later').toBeLessThanOrEqual(1_600);
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
  // The rows are for a server without streaming lists.
  test.each(named(tables))('agrees with client-go: %s', async (_, { input, expect: expected }) => {
    const lists = input.runs.map((run) => run.list);
    const { sim, reflector, pushed, signal } = reflect({
      list: () => {
        const list = lists.shift();
        if (!list) throw errors.internal('no list');
        const items = Object.entries(list.items).map(([name, version]) => configMap(name, version));
        return listOf(configMaps, list.resourceVersion, items);
      },
      watches: input.runs.flatMap((run): ScriptedWatch<ReturnType<typeof configMap>>[] => {
        if (!run.list) return [noStreamingLists];
        if (run.watchError) return [noStreamingLists, errors.internal('no watch')];
        const events = (run.events ?? []).map((each) => event(...each));
        // Upstream's test ends each run with its stream; an error is what ends ours.
        return [noStreamingLists, ending(...events, failure(errors.expired('end of the run')))];
      }),
    });
    for (const [i, run] of input.runs.entries()) {
      const outcome = await sim.settle(
        reflector.listAndWatch(signal).then(
          () => 'ended',
          (error: Error) => error.message,
        ),
      );
      expect(stored(pushed()), `after run ${i + 1}`).toEqual(expected.storeAfter[i]);
      if (run.listError) expect(outcome).toMatch(/no list/);
      if (run.watchError) expect(outcome).toMatch(/no watch/);
    }
  });
});

/** Returns the content of a cache after these deltas, by name. */
function stored(deltas: readonly string[]): Record<string, string> {
  const objects = new Map<string, string>();
  for (const delta of deltas) {
    const [type, ...rest] = delta.split(' ');
    if (type === 'ReplacedAll') objects.clear();
    for (const [name = '', version] of rest.map((each) => each.split('@'))) {
      if (version === undefined) continue;
      if (type === 'Deleted') objects.delete(name);
      else objects.set(name, version);
    }
  }
  return Object.fromEntries(objects);
}
