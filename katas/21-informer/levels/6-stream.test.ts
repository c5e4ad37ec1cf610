import { describe, expect, test } from 'vitest';
import { type ConfigMap, ConnectionError, errors, type WatchEvent } from '#harness';
import { configMap, type ScriptedWatch } from '#laws/21-informer';
import {
  BACKOFF_MS,
  begun,
  bookmark,
  ending,
  event,
  failure,
  initialEventsEnd,
  noStreamingLists,
  open,
  reflect,
} from './reflect.fixture.ts';

describe('Level 6 · The streaming list', () => {
  describe('initialEvents', () => {
    const taken = async (...events: WatchEvent<ConfigMap>[]) => {
      const { sim, reflector } = reflect();
      const stream = (async function* () {
        yield* events;
      })();
      const list = await sim.settle(reflector.initialEvents(stream));
      const left = await sim.settle(stream.next());
      const objects = list?.objects.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
      return { list: list && [...(objects ?? []).sort(), `at ${list.resourceVersion}`], left };
    };

    test('returns the objects up to the final bookmark, at the version of that bookmark', async () => {
      const { list } = await taken(event('ADDED', 'a', '3'), event('ADDED', 'b', '6'), initialEventsEnd('7'));
      expect(list, 'the version of the list is that of the bookmark, 7').toEqual(['a@3', 'b@6', 'at 7']);
    });

    test('leaves the following events in the stream', async () => {
      const next = event('ADDED', 'b', '8');
      const { list, left } = await taken(event('ADDED', 'a', '3'), initialEventsEnd('7'), next);
      expect(list, 'the list up to the final bookmark').toEqual(['a@3', 'at 7']);
      expect(left, 'the event after the bookmark must stay in the stream, for watch').toEqual({
        done: false,
        value: next,
      });
    });

    test('returns an empty list if the server has no objects', async () => {
      expect(
        (await taken(initialEventsEnd('7'))).list,
        'the list of a stream with only the bookmark at 7',
      ).toEqual(['at 7']);
    });

    test('applies changes that come before the final bookmark', async () => {
      const { list } = await taken(
        event('ADDED', 'a', '3'),
        event('ADDED', 'b', '4'),
        event('MODIFIED', 'b', '8'),
        event('DELETED', 'a', '9'),
        initialEventsEnd('9'),
      );
      expect(list, 'b was modified, and a deleted, before the bookmark').toEqual(['b@8', 'at 9']);
    });

    test('ignores bookmarks without the annotation', async () => {
      const { list } = await taken(
        event('ADDED', 'a', '3'),
        bookmark('5'),
        event('ADDED', 'b', '4'),
        initialEventsEnd('7'),
      );
      expect(list, 'only the bookmark with the annotation k8s.io/initial-events-end ends the list').toEqual([
        'a@3',
        'b@4',
        'at 7',
      ]);
    });

    test('skips objects of another kind', async () => {
      const { list } = await taken(
        { type: 'ADDED', object: configMap('s', '3', 'Service') },
        initialEventsEnd('7'),
      );
      expect(list, 'the list up to the final bookmark').toEqual(['at 7']);
    });

    test('returns undefined if the stream ends before the final bookmark', async () => {
      expect(
        (await taken(event('ADDED', 'a', '3'), bookmark('5'))).list,
        'the list is not whole without the bookmark with k8s.io/initial-events-end',
      ).toBeUndefined();
    });

    test('throws if the stream ends within a second without an event', async () => {
      expect((await taken(initialEventsEnd('7'))).list, 'a stream with an event').toBeDefined();
      await expect(taken(), 'an empty stream that ends at once is a failure').rejects.toThrow();
    });

    test('throws the error that the server reports', async () => {
      await expect(
        taken(event('ADDED', 'a', '3'), failure(errors.internal('no leader'))),
        'an ERROR event ends the list: throw its error, for the caller to retry',
      ).rejects.toThrow(/no leader/);
    });
  });

  const streaming = async (from: string, ...watches: ScriptedWatch<ConfigMap>[]) => {
    const reflected = reflect({ watches });
    const { sim, reflector, signal, stop } = reflected;
    reflector.lastSyncResourceVersion = from;
    const listed = begun(reflector.watchList(signal));
    await sim.run({ forMs: 100 });
    return {
      ...reflected,
      listed,
      async stopped() {
        stop();
        await sim.settle(listed.catch(() => {}));
      },
    };
  };
  const whole = open(event('ADDED', 'a', '3'), initialEventsEnd('7'), event('ADDED', 'b', '8'));

  test('streams the newest version at first, pushes one list, and stores its version', async () => {
    const { reflector, requests, pushed, stopped } = await streaming('', whole);
    expect(requests(), 'the requests to the server').toEqual(['stream ""']);
    expect(pushed(), 'the deltas in the queue').toEqual(['ReplacedAll a@3 at 7']);
    expect(reflector.lastSyncResourceVersion, 'lastSyncResourceVersion').toBe('7');
    await stopped();
  });

  test('returns the open stream, whose next event is the first after the list', async () => {
    const { sim, reflector, pushed, requests, listed, signal, stop } = await streaming('', whole);
    const events = await sim.settle(listed);
    if (!events) throw new Error('watchList gave no events, though it was not aborted');
    const taken = reflector.handleEvents(events, signal);
    await sim.run({ forMs: 100 });
    expect(pushed(), 'the deltas in the queue').toEqual(['ReplacedAll a@3 at 7', 'Added b@8']);
    expect(requests(), 'the requests to the server').toEqual(['stream ""']);
    stop();
    await sim.settle(taken);
  });

  test('streams at least the last version later', async () => {
    const { requests, stopped } = await streaming('5', whole);
    expect(requests(), 'it has seen version 5').toEqual(['stream 5']);
    await stopped();
  });

  test.each([
    ['any more', errors.expired('compacted')],
    ['yet', errors.tooLargeResourceVersion(5, 3)],
    ['any more, and says so in the stream', ending(failure(errors.expired('compacted')))],
  ])('streams the newest version at once when the server does not have its version %s', async (_, answer) => {
    const { reflector, requests, pushed, stopped } = await streaming('5', answer, whole);
    expect(requests(), 'the server does not have version 5: stream again at once, without a version').toEqual(
      ['stream 5', 'stream ""'],
    );
    expect(pushed(), 'the deltas in the queue').toEqual(['ReplacedAll a@3 at 7']);
    expect(reflector.isLastSyncResourceVersionUnavailable, 'after a list that succeeded').toBe(false);
    await stopped();
  });

  test('throws when the server refuses the newest, too', async () => {
    const refusal = errors.expired('compacted');
    const { sim, listed, requests, pushed, reflector } = await streaming('5', refusal, refusal);
    await expect(
      sim.settle(listed),
      'the server refused version 5 and the newest: watchList() must reject',
    ).rejects.toThrow(/compacted/);
    expect(requests(), 'the requests to the server').toEqual(['stream 5', 'stream ""']);
    expect(reflector.relistResourceVersion(), 'for the list that comes next').toBe('');
    expect(pushed(), 'the deltas in the queue').toEqual([]);
  });

  test.each([
    ['is busy (429)', errors.tooManyRequests('slow down', 0)],
    ['is not there', new ConnectionError('ECONNREFUSED', 'connection refused')],
    [
      'reports in the stream that it is busy',
      ending(event('ADDED', 'a', '3'), failure(errors.tooManyRequests('slow down', 0))),
    ],
  ])('waits when the server %s, and asks again', async (_, answer) => {
    const { sim, requests, pushed, stopped } = await streaming('', answer, whole);
    await sim.run({ forMs: BACKOFF_MS - 110 });
    expect(requests(), 'the server was busy or absent: the wait is 800 ms, and 790 ms have passed').toEqual([
      'stream ""',
    ]);
    await sim.run({ forMs: 1_000 });
    expect(
      requests(),
      'a busy or absent server is no reason for a plain list: stream again after the wait',
    ).toEqual(['stream ""', 'stream ""']);
    expect(pushed(), 'the deltas in the queue').toEqual(['ReplacedAll a@3 at 7']);
    await stopped();
  });

  test('discards a list whose stream ended before it was complete', async () => {
    const { requests, pushed, stopped } = await streaming('', ending(event('ADDED', 'gone', '2')), whole);
    expect(requests(), 'the first stream ended without its bookmark').toEqual(['stream ""', 'stream ""']);
    expect(pushed(), 'the object of the first stream must not be in the list of the second').toEqual([
      'ReplacedAll a@3 at 7',
    ]);
    await stopped();
  });

  test.each([
    ['has no streaming lists', noStreamingLists],
    [
      'reports another error in the stream',
      ending(event('ADDED', 'a', '3'), failure(errors.internal('no leader'))),
    ],
    ['ends the stream at once', ending()],
  ])('throws when the server %s, and pushes nothing', async (_, answer) => {
    const { sim, listed, requests, pushed } = await streaming('', answer);
    await expect(sim.settle(listed), 'watchList() must reject, so that the caller lists').rejects.toThrow();
    expect(requests(), 'watchList() does not try again by itself').toEqual(['stream ""']);
    expect(pushed(), 'the list was not whole').toEqual([]);
  });

  test('returns undefined on an abort, even in the middle of a list', async () => {
    const { sim, listed, pushed, stop } = await streaming('', open(event('ADDED', 'a', '3')));
    stop();
    expect(
      await sim.settle(listed.catch((error: unknown) => error)),
      'an abort is no failure: return undefined',
    ).toBeUndefined();
    expect(pushed(), 'the deltas in the queue').toEqual([]);
  });
});
