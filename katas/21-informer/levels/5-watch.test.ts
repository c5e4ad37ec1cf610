import { describe, expect, test } from 'vitest';
import { ConnectionError, configMaps, errors, type WatchEvent } from '#harness';
import { named, ruleFor, vectors } from '#harness/testing';
import { configMap } from '#laws/21-informer';
import { BACKOFF_MS, bookmark, ending, event, failure, open, reflect, watching } from './reflect.fixture.ts';

describe('Level 5 · Watch', () => {
  test('returns the number of events that it took from a stream', async () => {
    const { sim, reflector, signal } = reflect();
    const events = (async function* () {
      yield event('ADDED', 'a', '11');
      yield bookmark('12');
    })();
    expect(await sim.settle(reflector.handleEvents(events, signal)), 'an ADDED event and a bookmark').toBe(2);
  });

  test('takes no event after an abort', async () => {
    const { sim, reflector, pushed, signal, stop } = reflect();
    const events = (async function* () {
      yield event('ADDED', 'a', '11');
      stop();
      yield event('ADDED', 'b', '12');
    })();
    await sim.settle(reflector.handleEvents(events, signal));
    expect(pushed(), 'b came after the abort').toEqual(['Added a@11']);
    expect(reflector.lastSyncResourceVersion, 'lastSyncResourceVersion').toBe('11');
  });

  test('watches from the last version', async () => {
    const { requests, stopped } = await watching();
    expect(requests(), 'the requests to the server').toEqual(['watch 10']);
    await stopped();
  });

  test('pushes a delta for every event, in order, and remembers the version of the last', async () => {
    const { reflector, pushed, stopped } = await watching(
      open(
        event('ADDED', 'c', '11'),
        event('MODIFIED', 'a', '12'),
        event('DELETED', 'b', '13'),
        bookmark('20'),
      ),
    );
    expect(pushed(), 'the deltas in the queue').toEqual([
      'Added c@11',
      'Updated a@12',
      'Deleted b@13',
      'Bookmark at 20',
    ]);
    expect(reflector.lastSyncResourceVersion, 'the version of the bookmark, which came last').toBe('20');
    await stopped();
  });

  test('resumes where the stream ended, at once, and lists nothing', async () => {
    const { sim, requests, stopped } = await watching(
      ending(event('ADDED', 'a', '11'), event('DELETED', 'a', '14')),
    );
    await sim.run({ forMs: BACKOFF_MS / 2 });
    expect(
      requests(),
      'the stream brought events, so its end is no failure, however soon: watch from its last event, 14, at once',
    ).toEqual(['watch 10', 'watch 14']);
    await stopped();
  });

  test('resumes at a bookmark', async () => {
    const { requests, stopped } = await watching(ending(event('ADDED', 'a', '11'), bookmark('30')));
    expect(requests(), 'the bookmark moves the version to 30').toEqual(['watch 10', 'watch 30']);
    await stopped();
  });

  test('skips an object of another kind, and its version', async () => {
    const { requests, pushed, stopped } = await watching(
      ending(event('ADDED', 'a', '11'), { type: 'ADDED', object: configMap('s', '99', 'Service') }),
    );
    expect(pushed(), 'a Service is no ConfigMap').toEqual(['Added a@11']);
    expect(requests(), 'version 99 belongs to a Service, so it does not count').toEqual([
      'watch 10',
      'watch 11',
    ]);
    await stopped();
  });

  test('takes in a stream that is already open, then opens its own', async () => {
    const { sim, reflector, requests, pushed, signal, stop } = reflect();
    const begun = (async function* () {
      yield event('ADDED', 'a', '11');
    })();
    const watched = reflector.watch(signal, begun);
    await sim.run({ forMs: 100 });
    expect(pushed(), 'the event of the stream that was open already').toEqual(['Added a@11']);
    expect(requests(), 'the first watch is the one after that stream').toEqual(['watch 11']);
    stop();
    await sim.settle(watched);
  });

  test.each([
    ['is busy (429)', errors.tooManyRequests('slow down', 0)],
    ['is not there', new ConnectionError('ECONNREFUSED', 'connection refused')],
  ])('waits when the server %s, and watches from the same version', async (_, refusal) => {
    const { sim, requests, stopped } = await watching(refusal, refusal);
    await sim.run({ forMs: BACKOFF_MS - 110 });
    expect(requests(), 'the server was busy or absent: the wait is 800 ms, and 790 ms have passed').toEqual([
      'watch 10',
    ]);
    await sim.run({ forMs: 10_000 });
    expect(requests(), 'the server still has version 10: watch again from it after each wait').toEqual([
      'watch 10',
      'watch 10',
      'watch 10',
    ]);
    await stopped();
  });

  test('waits after an ERROR event from a busy server, and resumes at the last event', async () => {
    const { sim, requests, stopped } = await watching(
      ending(event('ADDED', 'a', '11'), failure(errors.tooManyRequests('slow down', 0))),
    );
    await sim.run({ forMs: BACKOFF_MS - 110 });
    expect(
      requests(),
      'the ERROR event (429) ends the stream as a failure: the wait is 800 ms, and 790 ms have passed',
    ).toEqual(['watch 10']);
    await sim.run({ forMs: 10_000 });
    expect(requests(), 'after the wait: watch from the last event, 11').toEqual(['watch 10', 'watch 11']);
    await stopped();
  });

  test('waits as long as the server asks for', async () => {
    const { sim, requests, stopped } = await watching(errors.tooManyRequests('slow down', 7));
    await sim.run({ forMs: 6_800 });
    expect(requests(), 'Retry-After is 7 s, and 6.9 s have passed').toEqual(['watch 10']);
    await sim.run({ forMs: 1_000 });
    expect(requests(), 'Retry-After is 7 s, and 7.9 s have passed').toEqual(['watch 10', 'watch 10']);
    await stopped();
  });

  test('throws when a stream ends within a second without an event', async () => {
    const { sim, ended, requests } = await watching(ending());
    await expect(
      sim.settle(ended),
      'an empty stream that ends at once is a failure: watch() must reject',
    ).rejects.toThrow();
    expect(requests(), 'the requests to the server').toEqual(['watch 10']);
  });

  test('continues when a stream ends later without an event', async () => {
    const { sim, reflector, requests, signal, stop } = reflect();
    reflector.lastSyncResourceVersion = '10';
    const begun = {
      [Symbol.asyncIterator]: () => ({
        next: () => sim.clock.sleep(1_001).then(() => ({ done: true as const, value: undefined })),
      }),
    };
    const watched = reflector.watch(signal, begun);
    await sim.run({ forMs: 1_500 });
    expect(requests(), 'the requests to the server').toEqual(['watch 10']);
    stop();
    await sim.settle(watched);
  });

  test.each([
    ['refuses a watch', errors.internal('no leader')],
    ['reports in the stream that the version is gone', ending(failure(errors.tooOldResourceVersion(10, 15)))],
    [
      'reports another error in the stream',
      ending(event('ADDED', 'a', '11'), failure(errors.internal('no leader'))),
    ],
  ])('throws when the server %s', async (_, answer) => {
    const { sim, ended, requests } = await watching(answer);
    await expect(sim.settle(ended), 'watch() must reject with the error of the server').rejects.toThrow(
      /no leader|too old resource version/,
    );
    expect(requests(), 'the requests to the server').toEqual(['watch 10']);
  });

  test('returns on an abort, even during a wait', async () => {
    const { sim, ended, stop, requests } = await watching(errors.tooManyRequests('slow down', 60));
    stop();
    const abortedMs = sim.elapsedMs;
    await sim.settle(ended);
    expect(sim.elapsedMs, 'the abort must end the wait of 60 s at once').toBe(abortedMs);
    expect(requests(), 'the requests to the server').toEqual(['watch 10']);
  });

  interface EventsInput {
    readonly events: { type: WatchEvent['type']; kind?: string; name?: string; resourceVersion?: string }[];
  }
  interface EventsExpect {
    readonly lastSyncResourceVersion?: string;
    readonly resourceVersions?: string[];
  }
  const tables = vectors<EventsInput, EventsExpect>(
    'informer',
    'reflector',
    2,
    ({ input }) => input.events !== undefined,
  );
  test.each(named(tables))('agrees with client-go: %s', async (_, { input, expect: expected }) => {
    const events = input.events.map(({ type, kind, name = 'x', resourceVersion = '1' }) => {
      if (type === 'BOOKMARK') return bookmark(resourceVersion);
      const object = configMap(name, resourceVersion, kind === 'Service' ? 'Service' : configMaps.kind);
      return { type, object } as WatchEvent<typeof object>;
    });
    const { reflector, stopped } = await watching(open(...events));
    const last = expected.lastSyncResourceVersion ?? expected.resourceVersions?.at(-1);
    expect(
      reflector.lastSyncResourceVersion,
      ruleFor('the version of the last event of this kind, bookmarks included', input),
    ).toBe(last);
    await stopped();
  });
});
