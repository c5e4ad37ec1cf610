import { describe, expect, test } from 'vitest';
import type { Delta } from '#given/21-informer';
import type { ConfigMap } from '#harness';
import { named, soFar, vectors } from '#harness/testing';
import { RealFIFO } from '#kata/21-informer/informer';
import { delta, said, type WrittenDelta } from './deltas.fixture.ts';

describe('Level 2 · The queue', () => {
  type Process = (delta: Delta<ConfigMap>, isInInitialList: boolean) => void;

  /** Returns a queue after these pushes. */
  function queueOf(...deltas: readonly WrittenDelta[]): RealFIFO<ConfigMap> {
    const queue = new RealFIFO<ConfigMap>();
    for (const each of deltas) queue.push(delta(each));
    return queue;
  }

  /** Pops a delta and describes it: `'waits'` if the queue is empty, `'closed'` if it is also closed. */
  async function pop(queue: RealFIFO<ConfigMap>, process: Process = () => {}): Promise<string> {
    const popped = await soFar(queue.pop(process));
    if (popped === 'waits') return popped;
    return popped ? said(popped) : 'closed';
  }

  /** Closes the queue, and pops all deltas that are left. */
  async function rest(queue: RealFIFO<ConfigMap>): Promise<string[]> {
    queue.close();
    const all: string[] = [];
    for (let next = await pop(queue); next !== 'closed'; next = await pop(queue)) {
      all.push(next);
      if (next === 'waits') return all;
    }
    return all;
  }

  const list = { replace: ['a@1', 'b@2'], at: '10' };

  describe('push and pop', () => {
    test('returns the deltas in the order of the pushes', async () => {
      const queue = queueOf({ add: 'b@1' }, { add: 'a@2' }, { add: 'c@3' });
      expect(await rest(queue), 'all deltas that were pushed, oldest first').toEqual([
        'Added b@1',
        'Added a@2',
        'Added c@3',
      ]);
    });

    test('merges nothing: several changes of one object are several deltas', async () => {
      const queue = queueOf(
        { add: 'a@1' },
        { update: 'a@2' },
        { update: 'a@3' },
        { delete: 'a@4' },
        { add: 'a@5' },
      );
      const all = ['Added a@1', 'Updated a@2', 'Updated a@3', 'Deleted a@4', 'Added a@5'];
      expect(await rest(queue), 'every delta that was pushed, none of them merged').toEqual(all);
    });

    test('keeps every delta in its place, even a repeated one and a Bookmark', async () => {
      const queue = queueOf({ add: 'a@1' }, list, { resync: 1 }, { resync: 1 }, { bookmark: '11' });
      const twice = delta({ update: 'a@2' });
      queue.push(twice);
      queue.push(twice);
      queue.push(delta(list));
      expect(
        await rest(queue),
        'the deltas in the order of the pushes; none may be dropped or moved',
      ).toEqual([
        'Added a@1',
        'ReplacedAll a@1 b@2 at 10',
        'SyncAll',
        'SyncAll',
        'Bookmark at 11',
        'Updated a@2',
        'Updated a@2',
        'ReplacedAll a@1 b@2 at 10',
      ]);
    });

    test('calls process once with the delta that it returns', async () => {
      const queue = queueOf({ add: 'a@1' }, { add: 'b@2' });
      const processed: string[] = [];
      const popped = await pop(queue, (each) => void processed.push(said(each)));
      expect({ processed, popped }, 'the calls of process, and the result of pop').toEqual({
        processed: ['Added a@1'],
        popped: 'Added a@1',
      });
    });

    test('waits while the queue is empty, and calls process when a delta is pushed', async () => {
      const queue = queueOf();
      const processed: string[] = [];
      const popped = queue.pop((each) => void processed.push(said(each)));
      expect(await soFar(popped), 'a pop of an empty queue must wait').toBe('waits');
      expect(processed, 'while it waits').toEqual([]);
      queue.push(delta({ add: 'a@1' }));
      expect(await soFar(popped), 'the push must wake the waiting pop').toMatchObject({ type: 'Added' });
      expect(processed, 'the deltas passed to process').toEqual(['Added a@1']);
    });

    test('returns the first of several deltas from a waiting pop, and keeps the others', async () => {
      const queue = queueOf();
      const popped = queue.pop(() => {});
      for (const each of ['a@1', 'b@2', 'c@3']) queue.push(delta({ add: each }));
      expect(await soFar(popped), 'the push must wake the waiting pop').toMatchObject({
        object: { metadata: { name: 'a' } },
      });
      expect(await rest(queue), 'the deltas left in the queue').toEqual(['Added b@2', 'Added c@3']);
    });

    test('waits again after the last delta was popped', async () => {
      const queue = queueOf({ add: 'a@1' });
      await pop(queue);
      for (const each of ['b@2', 'c@3']) {
        const popped = queue.pop(() => {});
        expect(await soFar(popped), `before ${each}`).toBe('waits');
        queue.push(delta({ add: each }));
        expect(await soFar(popped), `after ${each}`).toMatchObject({ type: 'Added' });
      }
    });

    test('takes the delta off the queue before it calls process, which may push', async () => {
      const queue = queueOf({ add: 'a@1' }, { add: 'b@2' });
      await pop(queue, () => queue.push(delta({ update: 'a@3' })));
      expect(await rest(queue), 'the deltas left in the queue').toEqual(['Added b@2', 'Updated a@3']);
    });

    test('takes the last delta off the queue before it calls process, which may push', async () => {
      const queue = queueOf({ add: 'a@1' });
      await pop(queue, () => queue.push(delta({ update: 'a@3' })));
      expect(await rest(queue), 'the deltas left in the queue').toEqual(['Updated a@3']);
    });

    test('throws the error of process; the delta is off the queue', async () => {
      const queue = queueOf({ add: 'a@1' }, { add: 'b@2' });
      const broken = pop(queue, () => {
        throw new Error('broken process');
      });
      await expect(broken, 'pop must reject with the error of process').rejects.toThrow('broken process');
      expect(await rest(queue), 'the deltas left in the queue').toEqual(['Added b@2']);
    });

    test('throws the error of process after it waited for the delta', async () => {
      const queue = queueOf();
      const popped = queue.pop(() => {
        throw new Error('broken process');
      });
      expect(await soFar(popped), 'a pop of an empty queue must wait').toBe('waits');
      queue.push(delta({ add: 'a@1' }));
      await expect(soFar(popped), 'pop must reject with the error of process').rejects.toThrow(
        'broken process',
      );
      queue.push(delta({ add: 'b@2' }));
      expect(await rest(queue), 'the deltas left in the queue').toEqual(['Added b@2']);
    });

    test('keeps its order over thousands of deltas', async () => {
      const names = Array.from({ length: 3_000 }, (_, i) => `a@${i + 1}`);
      const queue = queueOf();
      const popped: string[] = [];
      const popTwo = async (): Promise<void> => {
        for (let i = 0; i < 2; i++) await queue.pop((each) => void popped.push(said(each)));
      };
      for (const [i, name] of names.entries()) {
        queue.push(delta({ update: name }));
        if (i % 3 === 2) await popTwo();
      }
      const all = [...popped, ...(await rest(queue))];
      const wrong = names.findIndex((name, i) => all[i] !== `Updated ${name}`);
      expect(all[wrong], `pop ${wrong + 1} of ${names.length}, in the order of the pushes`).toBe(
        wrong < 0 ? undefined : `Updated ${names[wrong]}`,
      );
      expect(all.length, 'the number of pops').toBe(names.length);
    });
  });

  describe('hasSynced', () => {
    test('is false at first', () => {
      expect(queueOf().hasSynced(), 'hasSynced of a new queue').toBe(false);
    });

    test('turns true when the first list has been popped and processed', async () => {
      const queue = queueOf(list, { add: 'c@11' });
      expect(queue.hasSynced(), 'before the pop').toBe(false);
      let within: boolean | undefined;
      await pop(queue, () => {
        within = queue.hasSynced();
      });
      expect(within, 'while it calls process').toBe(false);
      expect(queue.hasSynced(), 'after the pop').toBe(true);
    });

    test('turns true for a list without objects in the same way', async () => {
      const queue = queueOf({ replace: [], at: '10' });
      expect(queue.hasSynced(), 'before the pop').toBe(false);
      await pop(queue);
      expect(queue.hasSynced(), 'after the pop').toBe(true);
    });

    test.each<WrittenDelta>([{ add: 'a@1' }, { update: 'a@1' }, { delete: 'a@1' }])(
      'is true at once if %j comes first, and stays true when a list follows',
      async (first) => {
        const queue = queueOf(first);
        expect(queue.hasSynced(), 'at once').toBe(true);
        queue.push(delta(list));
        expect(queue.hasSynced(), 'with a list in the queue').toBe(true);
        await pop(queue);
        expect(queue.hasSynced(), 'before the list is popped').toBe(true);
      },
    );

    test.each<WrittenDelta>([{ resync: 1 }, { bookmark: '10' }])('is not changed by %j', async (first) => {
      const queue = queueOf(first);
      expect(queue.hasSynced(), 'in the queue').toBe(false);
      await pop(queue);
      expect(queue.hasSynced(), 'popped').toBe(false);
      queue.push(delta({ add: 'a@11' }));
      expect(queue.hasSynced(), 'and then an Added came').toBe(true);
    });

    test.each<WrittenDelta>([{ resync: 1 }, { bookmark: '10' }])(
      'waits for the first list, which %j may precede in the queue',
      async (first) => {
        const queue = queueOf(first, first, list, { add: 'c@11' });
        const synced: boolean[] = [];
        for (let i = 0; i < 3; i++) {
          synced.push(queue.hasSynced());
          await pop(queue);
        }
        expect(synced, 'before each of three pops').toEqual([false, false, false]);
        expect(queue.hasSynced(), 'after the list').toBe(true);
      },
    );

    test('counts only the first of several lists', async () => {
      const queue = queueOf(list, list);
      await pop(queue);
      expect(queue.hasSynced(), 'after the first').toBe(true);
      queue.push(delta(list));
      expect(queue.hasSynced(), 'with a third in the queue').toBe(true);
    });

    test('stays false until the list is processed when process pushes', async () => {
      const queue = queueOf(list);
      let within: boolean | undefined;
      await pop(queue, () => {
        queue.push(delta({ add: 'c@11' }));
        queue.push(delta(list));
        within = queue.hasSynced();
      });
      expect(within, 'while it calls process').toBe(false);
      expect(queue.hasSynced(), 'after the pop').toBe(true);
    });

    test('turns true when process throws, too: the list counts as processed', async () => {
      const queue = queueOf(list);
      const broken = pop(queue, () => {
        throw new Error('broken process');
      });
      await expect(broken, 'pop must reject with the error of process').rejects.toThrow('broken process');
      expect(queue.hasSynced(), 'hasSynced').toBe(true);
    });
  });

  describe('isInInitialList', () => {
    const cases: readonly (readonly [deltas: readonly WrittenDelta[], initial: readonly boolean[]])[] = [
      [
        [list, { add: 'c@11' }],
        [true, false],
      ],
      [
        [list, list],
        [true, false],
      ],
      [
        [{ resync: 1 }, { bookmark: '9' }, list, { resync: 1 }],
        [true, true, true, false],
      ],
      [
        [{ add: 'a@1' }, list],
        [false, false],
      ],
      [[{ replace: [], at: '1' }], [true]],
      [[{ resync: 1 }], [true]],
    ];
    test.each(cases)('of %j is %j', async (deltas, initial) => {
      const queue = queueOf(...deltas);
      const actual: boolean[] = [];
      for (const _ of deltas) {
        await pop(queue, (_delta, isInInitialList) => void actual.push(isInInitialList));
      }
      expect(actual, 'isInInitialList of each delta').toEqual(initial);
    });
  });

  describe('close', () => {
    test('ends a waiting pop without a delta', async () => {
      const queue = queueOf();
      const processed: unknown[] = [];
      const popped = queue.pop((each) => void processed.push(each));
      expect(await soFar(popped), 'a pop of an empty queue must wait').toBe('waits');
      queue.close();
      expect(await soFar(popped), 'close must end the waiting pop').toBeUndefined();
      expect(processed, 'the deltas passed to process').toEqual([]);
    });

    test('lets queued deltas be popped; then a pop returns undefined at once', async () => {
      const queue = queueOf({ add: 'a@1' }, { add: 'b@2' });
      queue.close();
      const popped = [await pop(queue), await pop(queue), await pop(queue), await pop(queue)];
      expect(popped, 'the results of four pops').toEqual(['Added a@1', 'Added b@2', 'closed', 'closed']);
    });

    test('can be called while process runs', async () => {
      const queue = queueOf(list, { add: 'c@11' });
      expect(await pop(queue, () => queue.close()), 'the result of the pop whose process calls close').toBe(
        'ReplacedAll a@1 b@2 at 10',
      );
      expect(queue.hasSynced(), 'hasSynced').toBe(true);
      expect([await pop(queue), await pop(queue)], 'the next two pops').toEqual(['Added c@11', 'closed']);
    });

    test('does not change hasSynced', async () => {
      const queue = queueOf();
      queue.close();
      await pop(queue);
      expect(queue.hasSynced(), 'hasSynced').toBe(false);
    });
  });

  interface Input {
    readonly steps: readonly (WrittenDelta | { readonly pop: 1 })[];
  }
  /** Performs the pushes and pops of the steps. */
  async function play({ steps }: Input): Promise<{ queue: RealFIFO<ConfigMap>; popped: string[] }> {
    const queue = queueOf();
    const popped: string[] = [];
    for (const step of steps) {
      if ('pop' in step) popped.push(await pop(queue));
      else queue.push(delta(step));
    }
    return { queue, popped };
  }

  test.each(named(vectors<Input, { pops: readonly string[] }>('informer', 'realFifo', 12)))(
    'agrees with client-go: %s',
    async (_, { input, expect: expected }) => {
      const { queue, popped } = await play(input);
      expect(
        [...popped, ...(await rest(queue))],
        `the results of all pops, after the steps ${JSON.stringify(input.steps)}`,
      ).toEqual(expected.pops);
    },
  );

  test.each(named(vectors<Input, { synced: boolean }>('informer', 'hasSynced', 8)))(
    'agrees with client-go on hasSynced: %s',
    async (_, { input, expect: expected }) => {
      const { queue, popped } = await play(input);
      expect(popped).not.toContain('waits');
      expect(queue.hasSynced(), 'hasSynced').toBe(expected.synced);
    },
  );
});
