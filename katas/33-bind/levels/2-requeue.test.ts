import { describe, expect, test } from 'vitest';
import type { framework, Pod, scheduling } from '#harness';
import { isPodWorthRequeuing } from '#kata/33-bind/bind';
import { Desk } from './desk.fixture.ts';
import { ADD_NODE, FORCED, NODE_LABEL, POD_GONE } from './events.fixture.ts';
import { aNode, aPod, namesOf } from './objects.fixture.ts';
import { diskOf } from './profile.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 2 · Which events wake which pods', () => {
  const never: framework.QueueingHintFn = () => 'QueueSkip';
  const always: framework.QueueingHintFn = () => 'Queue';
  const throwing: framework.QueueingHintFn = () => {
    throw new Error('out of order');
  };
  const plugin = (
    name: string,
    ...registered: readonly (readonly [framework.ClusterEvent, framework.QueueingHintFn?])[]
  ): scheduling.QueueingPlugin => ({
    name,
    eventsToRegister: () =>
      registered.map(([event, hint]) => ({ event, ...(hint ? { queueingHintFn: hint } : {}) })),
  });
  const worth = (
    by: readonly string[],
    event: framework.ClusterEvent,
    ...plugins: readonly scheduling.QueueingPlugin[]
  ) =>
    isPodWorthRequeuing(
      { pod: aPod('web'), unschedulablePlugins: new Set(by) },
      event,
      undefined,
      aNode('node-1'),
      plugins,
    );

  test('wakes a pod for an event that a plugin has registered for that turned it away', () => {
    expect(
      worth(['Room'], ADD_NODE, plugin('Room', [ADD_NODE])),
      'Room rejected the pod and is registered for this event',
    ).toBe(true);
    expect(
      worth(['Room'], NODE_LABEL, plugin('Room', [ADD_NODE])),
      'Room is registered for another event only',
    ).toBe(false);
    expect(worth(['Room'], ADD_NODE, plugin('Room')), 'Room is registered for no event').toBe(false);
    expect(worth(['Room'], ADD_NODE), 'Room is not among the plugins of the profile').toBe(false);
    const anyNode: framework.ClusterEvent = { resource: 'Node', actionType: 'All' };
    expect(
      worth(['Room'], NODE_LABEL, plugin('Room', [anyNode])),
      'Room is registered for all node events',
    ).toBe(true);
    expect(
      worth(['Room'], POD_GONE, plugin('Room', [anyNode])),
      'Room is registered for node events, and this is a pod event',
    ).toBe(false);
  });

  test('asks no plugin that did not turn the pod away', () => {
    expect(
      worth(['Disk'], ADD_NODE, plugin('Room', [ADD_NODE]), plugin('Disk', [NODE_LABEL])),
      'Room is registered for this event, but Disk rejected the pod',
    ).toBe(false);
    expect(
      worth(['Disk'], ADD_NODE, plugin('Room', [ADD_NODE, throwing]), plugin('Disk')),
      'Disk rejected the pod and is registered for nothing; the hint of Room must not be called',
    ).toBe(false);
  });

  test('asks the hint, if there is one: one that says Queue is enough, and one that throws says so', () => {
    expect(worth(['Room'], ADD_NODE, plugin('Room', [ADD_NODE, never])), 'the hint returned QueueSkip').toBe(
      false,
    );
    expect(worth(['Room'], ADD_NODE, plugin('Room', [ADD_NODE, always])), 'the hint returned Queue').toBe(
      true,
    );
    expect(
      worth(['Room'], ADD_NODE, plugin('Room', [ADD_NODE, throwing])),
      'the hint threw, which counts as Queue',
    ).toBe(true);
    expect(
      worth(['Room'], ADD_NODE, plugin('Room', [ADD_NODE, never], [ADD_NODE, always])),
      'the second registration for this event has a hint that returned Queue',
    ).toBe(true);
    expect(
      worth(['Room', 'Disk'], ADD_NODE, plugin('Room', [ADD_NODE, never]), plugin('Disk', [ADD_NODE])),
      'one hint returned QueueSkip, but Disk also rejected the pod and has no hint, which counts as Queue',
    ).toBe(true);
  });

  test('shows the hint which pod it is about, what was and what is', () => {
    const asked: unknown[] = [];
    const info = { pod: aPod('web'), unschedulablePlugins: new Set(['Room']) };
    const [before, after] = [aNode('node-1'), aNode('node-1', { pods: 5 })];
    const note: framework.QueueingHintFn = (...args) => {
      asked.push(...args);
      return 'QueueSkip';
    };
    isPodWorthRequeuing(info, NODE_LABEL, before, after, [plugin('Room', [NODE_LABEL, note])]);
    expect(asked).toEqual([info.pod, before, after]);
  });

  test('wakes a pod that no plugin has turned away, and every pod when it is forced', () => {
    expect(
      worth([], ADD_NODE, plugin('Room')),
      'no plugin rejected the pod (an error did): any event is worth a retry',
    ).toBe(true);
    expect(worth(['Room'], FORCED, plugin('Room')), 'a forced event wakes every pod').toBe(true);
  });

  /** A queue with a plugin for room, which hears of nodes and of pods that go, and one for disks. */
  const hotel = () => {
    const hint: framework.QueueingHintFn = (pod, _, node) =>
      diskOf(node) === diskOf(pod) ? 'Queue' : 'QueueSkip';
    return new Desk([plugin('Room', [ADD_NODE], [POD_GONE]), plugin('Disk', [NODE_LABEL, hint])]);
  };

  test('wakes the pods that wait for what has happened, and lets the others sleep', async () => {
    const desk = hotel();
    for (const [name, by] of [
      ['a', 'Room'],
      ['b', 'Disk'],
      ['c', 'Room'],
    ] as const) {
      desk.queue.add(aPod(name));
      await desk.fail(by);
    }
    desk.pass(1_001);
    desk.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    desk.expectPlaces('a node was added: Room wants to know, Disk does not').toEqual({
      active: ['a', 'c'],
      unschedulable: ['b'],
    });
  });

  test('lets pods that are woken too soon wait for the end of their backoff', async () => {
    const desk = hotel();
    desk.queue.add(aPod('web'));
    await desk.fail('Room');
    desk.pass(1_000);
    desk.queue.moveAllToActiveOrBackoffQueue(POD_GONE, aPod('other'), undefined);
    desk.expectPlaces('after exactly a second').toEqual({ backoff: ['web'] });
    desk.pass(1);
    desk.expectPlaces('after a second and 1 ms').toEqual({ active: ['web'] });
    await desk.fail('Room');
    desk.pass(1_001);
    desk.queue.moveAllToActiveOrBackoffQueue(POD_GONE, aPod('other'), undefined);
    desk.expectPlaces('a second after it was turned away twice').toEqual({ backoff: ['web'] });
  });

  test('asks each hint about the version of the pod that it has', async () => {
    const desk = hotel();
    for (const [name, disk] of [
      ['a', 'ssd'],
      ['b', 'nvme'],
    ] as const) {
      desk.queue.add(aPod(name, { labels: { disk } }));
      await desk.fail('Disk');
    }
    desk.pass(2_000);
    desk.queue.moveAllToActiveOrBackoffQueue(NODE_LABEL, aNode('n'), aNode('n', { labels: { disk: 'ssd' } }));
    desk.expectPlaces().toEqual({ active: ['a'], unschedulable: ['b'] });
  });

  test('looks only at pods that pass the check, if there is one', async () => {
    const desk = hotel();
    for (const name of ['a', 'b']) {
      desk.queue.add(aPod(name));
      await desk.fail('Room');
    }
    desk.pass(2_000);
    const check = ({ metadata }: Pod) => metadata.name !== 'a';
    desk.queue.moveAllToActiveOrBackoffQueue(POD_GONE, aPod('other'), undefined, check);
    desk.expectPlaces().toEqual({ active: ['b'], unschedulable: ['a'] });
  });

  test('wakes no pod that is gated, though it is forced, nor for what no plugin has registered for', async () => {
    const desk = hotel();
    desk.queue.add(aPod('gated', { gates: ['a'] }));
    desk.queue.add(aPod('web'));
    await desk.fail('Room');
    desk.pass(2_000);
    const nothing: framework.ClusterEvent = { resource: 'Node', actionType: 'UpdateNodeAnnotation' };
    desk.queue.moveAllToActiveOrBackoffQueue(nothing, aNode('n'), aNode('n'));
    desk.expectPlaces().toEqual({ unschedulable: ['gated', 'web'] });
    desk.queue.moveAllToActiveOrBackoffQueue(FORCED, undefined, undefined);
    desk.expectPlaces().toEqual({ active: ['web'], unschedulable: ['gated'] });
  });

  test('loses nothing that happens while a pod is in flight', async () => {
    const desk = hotel();
    desk.queue.add(aPod('web'));
    const info = await desk.take();
    desk.queue.moveAllToActiveOrBackoffQueue(NODE_LABEL, aNode('n'), aNode('n'));
    desk.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    desk.queue.moveAllToActiveOrBackoffQueue(NODE_LABEL, aNode('n'), aNode('n'));
    desk.bringBack(info, 'Room');
    desk.expectPlaces('Room turned it away, and a node was added meanwhile').toEqual({
      backoff: ['web'],
    });
  });

  test('remembers for a pod in flight also what wakes another pod', async () => {
    const desk = hotel();
    desk.queue.add(aPod('sleeper'));
    await desk.fail('Room');
    desk.queue.add(aPod('web'));
    const info = await desk.take();
    desk.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    desk.bringBack(info, 'Room');
    desk.expectPlaces().toEqual({ backoff: ['sleeper', 'web'] });
  });

  test('lets a pod sleep that comes back, when nothing has happened that could help', async () => {
    const desk = hotel();
    desk.queue.add(aPod('web'));
    desk.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    const info = await desk.take();
    const other = aNode('n', { labels: { disk: 'ssd' } });
    desk.queue.moveAllToActiveOrBackoffQueue(NODE_LABEL, aNode('n'), other);
    desk.bringBack(info, 'Room');
    desk.expectPlaces('a node was added, but before it was popped').toEqual({ unschedulable: ['web'] });
  });

  test('knows of each pod in flight what has happened since it was popped, and no more', async () => {
    const desk = hotel();
    for (const name of ['a', 'b', 'c']) {
      desk.queue.add(aPod(name));
      desk.pass(1);
    }
    const [a, b] = [await desk.take(), await desk.take()];
    desk.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    const c = await desk.take();
    desk.queue.done(a.pod.metadata.uid);
    desk.bringBack(c, 'Room');
    desk.bringBack(b, 'Room');
    desk.expectPlaces('a node was added while a and b were in flight, and c was not yet').toEqual({
      backoff: ['b'],
      unschedulable: ['c'],
    });
  });

  test('does not hold against a pod what happened during an earlier try', async () => {
    const desk = hotel();
    desk.queue.add(aPod('web'));
    desk.queue.add(aPod('long'));
    const infos = [await desk.take(), await desk.take()];
    const web = infos.find(({ pod }) => pod.metadata.name === 'web') as scheduling.QueuedPodInfo;
    desk.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    desk.bringBack(web, 'Room');
    desk.pass(1_001);
    await desk.fail('Room');
    desk
      .expectPlaces('a node was added during its first try, and nothing happened during its second')
      .toEqual({ unschedulable: ['web'], inFlight: ['long'] });
  });

  test('tries a pod again of which it does not know since when it was in flight', async () => {
    const desk = hotel();
    desk.queue.add(aPod('web'));
    const info = await desk.take();
    desk.queue.done('uid-of-web');
    desk.bringBack(info, 'Room');
    desk.expectPlaces('it comes back and was not in flight').toEqual({ backoff: ['web'] });
  });

  test('remembers what is forced, too, and asks no check about a pod in flight', async () => {
    const desk = hotel();
    desk.queue.add(aPod('web'));
    const info = await desk.take();
    desk.queue.moveAllToActiveOrBackoffQueue(FORCED, undefined, undefined, () => false);
    desk.bringBack(info, 'Room');
    desk.expectPlaces().toEqual({ backoff: ['web'] });
  });

  const labelled = (): Desk => {
    const label: framework.ClusterEvent = { resource: 'Pod', actionType: 'UpdatePodLabel' };
    return new Desk([plugin('Disk', [label]), plugin('Room', [ADD_NODE])]);
  };

  test('wakes a pod that is changed so that it could fit', async () => {
    const desk = labelled();
    const old = aPod('web');
    desk.queue.add(old);
    await desk.fail('Disk');
    const same = aPod('web');
    desk.queue.update(old, same);
    desk.expectPlaces('nothing of it has changed').toEqual({ unschedulable: ['web'] });
    const next = aPod('web', { labels: { disk: 'ssd' } });
    desk.queue.update(same, next);
    desk.expectPlaces('its labels have changed').toEqual({ backoff: ['web'] });
    expect(desk.queue.podsInBackoffQ()).toEqual([next]);
    desk.pass(1_001);
    await desk.fail('Room');
    desk.queue.update(next, aPod('web'));
    desk.expectPlaces('its labels do not matter to Room').toEqual({ unschedulable: ['web'] });
  });

  test('wakes a pod that was changed while it was in flight', async () => {
    const desk = labelled();
    const old = aPod('web');
    desk.queue.add(old);
    const info = await desk.take();
    const next = aPod('web', { labels: { disk: 'ssd' } });
    desk.queue.update(old, next);
    desk.bringBack({ ...info, pod: next }, 'Disk');
    desk.expectPlaces('Disk turned it away, and its labels were changed meanwhile').toEqual({
      backoff: ['web'],
    });
  });

  interface CompletedRow {
    readonly pods: readonly { name: string; timestampMs: number; queue: 'normal' | 'error' }[];
  }
  test.each(table<CompletedRow, { popped: string[]; left: number }>('popCompleted', 4))(
    'agrees with Kubernetes on which pods have waited enough: %s',
    async (_, { input, expect: wanted }) => {
      const desk = hotel();
      const start = desk.nowMs;
      for (const { name, timestampMs, queue } of input.pods) {
        desk.nowMs = start + timestampMs;
        desk.queue.add(aPod(name));
        const info = await desk.take();
        if (queue === 'normal')
          desk.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
        desk.bringBack(info, ...(queue === 'normal' ? ['Room'] : []));
      }
      desk.nowMs = start;
      desk.queue.flushBackoffQCompleted();
      expect(namesOf(desk.queue.podsInActiveQ())).toEqual(wanted.popped);
      expect(desk.queue.podsInBackoffQ()).toHaveLength(wanted.left);
    },
  );
});
