import { describe, expect, test } from 'vitest';
import { Simulation } from '../../sim/index.ts';
import { DeletedFinalStateUnknown, type ResourceEventHandler } from '../informer.ts';
import type { Notification } from './delta.ts';
import { ProcessorListener } from './processor-listener.ts';

/** Creates a listener of strings, and records the notifications of its handler with their times. */
function listening({
  handle = () => {},
  resyncPeriodMs = 0,
}: {
  handle?: Handle;
  resyncPeriodMs?: number;
} = {}) {
  const sim = new Simulation();
  const diary: string[] = [];
  const errors: unknown[] = [];
  const upstream = { synced: true };
  const note = (what: string): void | Promise<void> => {
    diary.push(`${sim.elapsedMs} ms: ${what}`);
    return handle(what, sim);
  };
  const handler: ResourceEventHandler<string> = {
    onAdd: (object, isInInitialList) => note(`add ${object}${isInInitialList ? ' initially' : ''}`),
    onUpdate: (previous, current) => note(`update ${previous} to ${current}`),
    onDelete: (object) =>
      note(`delete ${object instanceof DeletedFinalStateUnknown ? `${object.object} (last known)` : object}`),
  };
  const listener = new ProcessorListener<string>({
    handler,
    resyncPeriodMs,
    clock: sim.clock,
    upstreamHasSynced: () => upstream.synced,
    onError: (error) => void errors.push(error),
  });
  const controller = new AbortController();
  return {
    sim,
    diary,
    errors,
    upstream,
    listener,
    run: () => listener.run(controller.signal),
    abort: () => controller.abort(),
  };
}
type Handle = (what: string, sim: Simulation) => void | Promise<void>;

const add = (object: string, isInInitialList = false): Notification<string> => ({
  type: 'add',
  object,
  isInInitialList,
});
const aSecond: Handle = (_, sim) => sim.clock.sleep(1_000);

describe('A listener', () => {
  test('delivers every notification in order, also those from before it ran', async () => {
    const { sim, listener, diary, run } = listening();
    listener.add(add('a', true));
    listener.add({ type: 'update', previous: 'a', current: 'b' });
    await sim.run({ forMs: 100 });
    expect(diary, 'before it runs').toEqual([]);
    void run();
    await sim.run({ forMs: 100 });
    listener.add(add('c'));
    listener.add({ type: 'delete', object: 'b' });
    listener.add({ type: 'delete', object: new DeletedFinalStateUnknown('c', 'c') });
    await sim.run({ forMs: 100 });
    expect(diary).toEqual([
      '100 ms: add a initially',
      '100 ms: update a to b',
      '200 ms: add c',
      '200 ms: delete b',
      '200 ms: delete c (last known)',
    ]);
  });

  test('delivers the next notification after the handler has finished', async () => {
    const { sim, listener, diary, run } = listening({ handle: aSecond });
    void run();
    for (const each of ['a', 'b']) listener.add(add(each));
    await sim.run({ forMs: 500 });
    listener.add(add('c'));
    await sim.run({ forMs: 5_000 });
    expect(diary).toEqual(['0 ms: add a', '1000 ms: add b', '2000 ms: add c']);
  });

  test('accepts a handler with some of the methods, or none', async () => {
    const sim = new Simulation();
    const deleted: unknown[] = [];
    const options = { resyncPeriodMs: 0, clock: sim.clock, upstreamHasSynced: () => true };
    const some = new ProcessorListener<string>({
      ...options,
      handler: { onDelete: (each) => void deleted.push(each) },
    });
    const none = new ProcessorListener<string>({ ...options, handler: {} });
    for (const listener of [some, none]) {
      void listener.run(new AbortController().signal);
      listener.add(add('a', true));
      listener.add({ type: 'update', previous: 'a', current: 'b' });
      listener.add({ type: 'delete', object: 'b' });
    }
    await sim.run({ forMs: 100 });
    expect(deleted).toEqual(['b']);
    expect(none.hasSynced()).toBe(true);
  });

  test.each(['throws', 'rejects'])(
    'reports the error when a handler %s, and delivers the next notification a second later',
    async (how) => {
      const { sim, listener, diary, errors, run } = listening({
        handle: (what) => {
          if (what !== 'add a') return undefined;
          if (how === 'throws') throw new Error('broken handler');
          return Promise.reject(new Error('broken handler'));
        },
      });
      void run();
      for (const each of ['a', 'b', 'c']) listener.add(add(each));
      await sim.run({ forMs: 5_000 });
      expect(diary).toEqual(['0 ms: add a', '1000 ms: add b', '1000 ms: add c']);
      expect(errors).toEqual([new Error('broken handler')]);
    },
  );

  describe.each(['stop', 'abort'] as const)('after %s', (how) => {
    const end = ({ listener, abort }: ReturnType<typeof listening>): void => {
      if (how === 'stop') listener.stop();
      else abort();
    };

    test('delivers no more notifications, not even queued ones', async () => {
      const all = listening({ handle: aSecond });
      const running = all.run();
      for (const each of ['a', 'b', 'c', 'd']) all.listener.add(add(each));
      await all.sim.run({ forMs: 1_500 });
      end(all);
      all.listener.add(add('e'));
      await all.sim.settle(running);
      await all.sim.run({ forMs: 10_000 });
      expect(all.diary).toEqual(['0 ms: add a', '1000 ms: add b']);
    });

    test('ends when its handler has finished its current notification', async () => {
      const all = listening({ handle: aSecond });
      const running = all.run();
      all.listener.add(add('a'));
      await all.sim.run({ forMs: 500 });
      end(all);
      await all.sim.settle(running);
      expect(all.sim.elapsedMs).toBe(1_000);
    });

    test('ends while the queue is empty', async () => {
      const all = listening();
      const running = all.run();
      await all.sim.run({ forMs: 100 });
      end(all);
      await all.sim.settle(running);
    });

    test('ends at once if it is started after that', async () => {
      const all = listening();
      all.listener.add(add('a'));
      end(all);
      await all.sim.settle(all.run());
      expect(all.diary).toEqual([]);
    });

    test('delivers nothing when the pause after a failure ends', async () => {
      const all = listening({
        handle: () => {
          throw new Error('broken handler');
        },
      });
      const running = all.run();
      for (const each of ['a', 'b']) all.listener.add(add(each));
      await all.sim.run({ forMs: 500 });
      end(all);
      await all.sim.settle(running);
      expect(all.diary).toEqual(['0 ms: add a']);
    });
  });
});

describe('A listener has synced', () => {
  test('when the informer has synced and its handler has finished the initial list', async () => {
    const { sim, listener, upstream, run } = listening({ handle: aSecond });
    upstream.synced = false;
    for (const each of ['a', 'b']) listener.add(add(each, true));
    void run();
    expect(listener.hasSynced(), 'at first').toBe(false);
    await sim.run({ forMs: 500 });
    upstream.synced = true;
    expect(listener.hasSynced(), 'while the handler handles the first').toBe(false);
    await sim.run({ forMs: 1_000 });
    expect(listener.hasSynced(), 'while it handles the second').toBe(false);
    await sim.run({ forMs: 1_000 });
    expect(listener.hasSynced(), 'when it is done').toBe(true);
    upstream.synced = false;
    expect(listener.hasSynced(), 'if the informer has not').toBe(false);
  });

  test('regardless of other queued notifications', () => {
    const { listener } = listening();
    listener.add(add('a'));
    listener.add({ type: 'update', previous: 'a', current: 'b' });
    listener.add({ type: 'delete', object: 'b' });
    expect(listener.hasSynced()).toBe(true);
  });

  test('when its handler threw: the notification counts as finished after the pause', async () => {
    const { sim, listener, run } = listening({
      handle: () => {
        throw new Error('broken handler');
      },
    });
    listener.add(add('a', true));
    void run();
    await sim.run({ forMs: 5_000 });
    expect(listener.hasSynced()).toBe(true);
  });
});

describe('A listener is due for a resync', () => {
  test('every period, counted from the last resync', () => {
    const { sim, listener } = listening({ resyncPeriodMs: 10_000 });
    const startMs = sim.clock.now();
    const due = [0, 9_999, 10_000, 10_001, 25_000, 34_999, 35_000].map((ms) => [
      ms,
      listener.shouldResync(startMs + ms),
    ]);
    expect(due.filter(([, isDue]) => isDue).map(([ms]) => ms)).toEqual([10_000, 25_000, 35_000]);
  });

  test('never, with a period of 0', () => {
    const { sim, listener } = listening({ resyncPeriodMs: 0 });
    expect(listener.shouldResync(sim.clock.now() + 1e9)).toBe(false);
    expect(listener.isSyncing).toBe(false);
  });

  test('and is syncing from then until the next check', () => {
    const { sim, listener } = listening({ resyncPeriodMs: 10_000 });
    const startMs = sim.clock.now();
    expect(listener.isSyncing, 'at first').toBe(false);
    listener.shouldResync(startMs + 10_000);
    expect(listener.isSyncing, 'when it is due').toBe(true);
    listener.shouldResync(startMs + 15_000);
    expect(listener.isSyncing, 'after a check when it is not due').toBe(false);
  });
});
