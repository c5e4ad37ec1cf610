import { describe, expect, test } from 'vitest';
import type { scheduling } from '#given/33-bind';
import type { framework, Pod } from '#harness';
import { isPodWorthRequeuing } from '#kata/33-bind/bind';
import { ADD_NODE, FORCED, NODE_LABEL, POD_GONE } from './events.fixture.ts';
import { aNode, aPod, namesOf } from './objects.fixture.ts';
import { diskOf } from './profile.fixture.ts';
import { QueueFixture } from './queue.fixture.ts';
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

  test('wakes a pod for an event that a rejecting plugin has registered for', () => {
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

  test('does not ask a plugin that did not reject the pod', () => {
    expect(
      worth(['Disk'], ADD_NODE, plugin('Room', [ADD_NODE]), plugin('Disk', [NODE_LABEL])),
      'Room is registered for this event, but Disk rejected the pod',
    ).toBe(false);
    expect(
      worth(['Disk'], ADD_NODE, plugin('Room', [ADD_NODE, throwing]), plugin('Disk')),
      'Disk rejected the pod and is registered for nothing; the hint of Room must not be called',
    ).toBe(false);
  });

  test('wakes a pod if any hint returns Queue or throws, or is missing', () => {
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

  test('passes the pod, the old object and the new object to the hint', () => {
    const asked: unknown[] = [];
    const info = { pod: aPod('web'), unschedulablePlugins: new Set(['Room']) };
    const [before, after] = [aNode('node-1'), aNode('node-1', { pods: 5 })];
    const note: framework.QueueingHintFn = (...args) => {
      asked.push(...args);
      return 'QueueSkip';
    };
    isPodWorthRequeuing(info, NODE_LABEL, before, after, [plugin('Room', [NODE_LABEL, note])]);
    expect(asked, 'the arguments of the hint').toEqual([info.pod, before, after]);
  });

  test('wakes a pod that no plugin has rejected, and every pod on a wildcard event', () => {
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
    return new QueueFixture([plugin('Room', [ADD_NODE], [POD_GONE]), plugin('Disk', [NODE_LABEL, hint])]);
  };

  test('wakes the pods that an event could help, and no others', async () => {
    const fixture = hotel();
    for (const [name, by] of [
      ['a', 'Room'],
      ['b', 'Disk'],
      ['c', 'Room'],
    ] as const) {
      fixture.queue.add(aPod(name));
      await fixture.fail(by);
    }
    fixture.pass(1_001);
    fixture.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    fixture.expectPlaces('a node was added: only Room has registered for that').toEqual({
      active: ['a', 'c'],
      unschedulable: ['b'],
    });
  });

  test('moves a pod that is woken during its backoff to the backoff queue', async () => {
    const fixture = hotel();
    fixture.queue.add(aPod('web'));
    await fixture.fail('Room');
    fixture.pass(1_000);
    fixture.queue.moveAllToActiveOrBackoffQueue(POD_GONE, aPod('other'), undefined);
    fixture.expectPlaces('after exactly a second').toEqual({ backoff: ['web'] });
    fixture.pass(1);
    fixture.expectPlaces('after a second and 1 ms').toEqual({ active: ['web'] });
    await fixture.fail('Room');
    fixture.pass(1_001);
    fixture.queue.moveAllToActiveOrBackoffQueue(POD_GONE, aPod('other'), undefined);
    fixture.expectPlaces('a second after the second rejection').toEqual({ backoff: ['web'] });
  });

  test('passes the queued version of the pod to the hint', async () => {
    const fixture = hotel();
    for (const [name, disk] of [
      ['a', 'ssd'],
      ['b', 'nvme'],
    ] as const) {
      fixture.queue.add(aPod(name, { labels: { disk } }));
      await fixture.fail('Disk');
    }
    fixture.pass(2_000);
    fixture.queue.moveAllToActiveOrBackoffQueue(
      NODE_LABEL,
      aNode('n'),
      aNode('n', { labels: { disk: 'ssd' } }),
    );
    fixture.expectPlaces().toEqual({ active: ['a'], unschedulable: ['b'] });
  });

  test('considers only the pods that pass preCheck', async () => {
    const fixture = hotel();
    for (const name of ['a', 'b']) {
      fixture.queue.add(aPod(name));
      await fixture.fail('Room');
    }
    fixture.pass(2_000);
    const check = ({ metadata }: Pod) => metadata.name !== 'a';
    fixture.queue.moveAllToActiveOrBackoffQueue(POD_GONE, aPod('other'), undefined, check);
    fixture.expectPlaces().toEqual({ active: ['b'], unschedulable: ['a'] });
  });

  test('wakes no gated pod, not even on a wildcard event, and no pod without a registered event', async () => {
    const fixture = hotel();
    fixture.queue.add(aPod('gated', { gates: ['a'] }));
    fixture.queue.add(aPod('web'));
    await fixture.fail('Room');
    fixture.pass(2_000);
    const nothing: framework.ClusterEvent = { resource: 'Node', actionType: 'UpdateNodeAnnotation' };
    fixture.queue.moveAllToActiveOrBackoffQueue(nothing, aNode('n'), aNode('n'));
    fixture.expectPlaces().toEqual({ unschedulable: ['gated', 'web'] });
    fixture.queue.moveAllToActiveOrBackoffQueue(FORCED, undefined, undefined);
    fixture.expectPlaces().toEqual({ active: ['web'], unschedulable: ['gated'] });
  });

  test('loses no event that happens while a pod is in flight', async () => {
    const fixture = hotel();
    fixture.queue.add(aPod('web'));
    const info = await fixture.take();
    fixture.queue.moveAllToActiveOrBackoffQueue(NODE_LABEL, aNode('n'), aNode('n'));
    fixture.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    fixture.queue.moveAllToActiveOrBackoffQueue(NODE_LABEL, aNode('n'), aNode('n'));
    fixture.bringBack(info, 'Room');
    fixture.expectPlaces('a node was added while the pod was in flight, and Room rejected the pod').toEqual({
      backoff: ['web'],
    });
  });

  test('records an event for a pod in flight even if it wakes another pod', async () => {
    const fixture = hotel();
    fixture.queue.add(aPod('sleeper'));
    await fixture.fail('Room');
    fixture.queue.add(aPod('web'));
    const info = await fixture.take();
    fixture.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    fixture.bringBack(info, 'Room');
    fixture.expectPlaces().toEqual({ backoff: ['sleeper', 'web'] });
  });

  test('leaves a returning pod unschedulable when no event could help it', async () => {
    const fixture = hotel();
    fixture.queue.add(aPod('web'));
    fixture.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    const info = await fixture.take();
    const other = aNode('n', { labels: { disk: 'ssd' } });
    fixture.queue.moveAllToActiveOrBackoffQueue(NODE_LABEL, aNode('n'), other);
    fixture.bringBack(info, 'Room');
    fixture.expectPlaces('a node was added before the pop').toEqual({ unschedulable: ['web'] });
  });

  test('records for each pod in flight only the events since its pop', async () => {
    const fixture = hotel();
    for (const name of ['a', 'b', 'c']) {
      fixture.queue.add(aPod(name));
      fixture.pass(1);
    }
    const [a, b] = [await fixture.take(), await fixture.take()];
    fixture.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    const c = await fixture.take();
    fixture.queue.done(a.pod.metadata.uid);
    fixture.bringBack(c, 'Room');
    fixture.bringBack(b, 'Room');
    fixture.expectPlaces('a node was added while a and b were in flight, before the pop of c').toEqual({
      backoff: ['b'],
      unschedulable: ['c'],
    });
  });

  test('drops the events of an earlier attempt', async () => {
    const fixture = hotel();
    fixture.queue.add(aPod('web'));
    fixture.queue.add(aPod('long'));
    const infos = [await fixture.take(), await fixture.take()];
    const web = infos.find(({ pod }) => pod.metadata.name === 'web') as scheduling.QueuedPodInfo;
    fixture.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    fixture.bringBack(web, 'Room');
    fixture.pass(1_001);
    await fixture.fail('Room');
    fixture
      .expectPlaces('a node was added during the first attempt, and nothing happened during the second')
      .toEqual({ unschedulable: ['web'], inFlight: ['long'] });
  });

  test('puts a rejected pod that was not in flight into the backoff queue', async () => {
    const fixture = hotel();
    fixture.queue.add(aPod('web'));
    const info = await fixture.take();
    fixture.queue.done('uid-of-web');
    fixture.bringBack(info, 'Room');
    fixture.expectPlaces('the returning pod was not in flight').toEqual({ backoff: ['web'] });
  });

  test('records a wildcard event too, and does not call preCheck for a pod in flight', async () => {
    const fixture = hotel();
    fixture.queue.add(aPod('web'));
    const info = await fixture.take();
    fixture.queue.moveAllToActiveOrBackoffQueue(FORCED, undefined, undefined, () => false);
    fixture.bringBack(info, 'Room');
    fixture.expectPlaces().toEqual({ backoff: ['web'] });
  });

  const labelled = (): QueueFixture => {
    const label: framework.ClusterEvent = { resource: 'Pod', actionType: 'UpdatePodLabel' };
    return new QueueFixture([plugin('Disk', [label]), plugin('Room', [ADD_NODE])]);
  };

  test('wakes a pod whose own change could make it fit', async () => {
    const fixture = labelled();
    const old = aPod('web');
    fixture.queue.add(old);
    await fixture.fail('Disk');
    const same = aPod('web');
    fixture.queue.update(old, same);
    fixture.expectPlaces('the pod has not changed').toEqual({ unschedulable: ['web'] });
    const next = aPod('web', { labels: { disk: 'ssd' } });
    fixture.queue.update(same, next);
    fixture.expectPlaces('the labels of the pod have changed').toEqual({ backoff: ['web'] });
    expect(fixture.queue.podsInBackoffQ(), 'the new version must back off').toEqual([next]);
    fixture.pass(1_001);
    await fixture.fail('Room');
    fixture.queue.update(next, aPod('web'));
    fixture
      .expectPlaces('Room has not registered for label changes of the pod')
      .toEqual({ unschedulable: ['web'] });
  });

  test('wakes a pod that changed while it was in flight', async () => {
    const fixture = labelled();
    const old = aPod('web');
    fixture.queue.add(old);
    const info = await fixture.take();
    const next = aPod('web', { labels: { disk: 'ssd' } });
    fixture.queue.update(old, next);
    fixture.bringBack({ ...info, pod: next }, 'Disk');
    fixture.expectPlaces('Disk rejected the pod, and its labels changed while it was in flight').toEqual({
      backoff: ['web'],
    });
  });

  interface CompletedRow {
    readonly pods: readonly { name: string; timestampMs: number; queue: 'normal' | 'error' }[];
  }
  test.each(table<CompletedRow, { popped: string[]; left: number }>('popCompleted', 4))(
    'agrees with Kubernetes on which pods have waited enough: %s',
    async (_, { input, expect: wanted }) => {
      const fixture = hotel();
      const start = fixture.nowMs;
      for (const { name, timestampMs, queue } of input.pods) {
        fixture.nowMs = start + timestampMs;
        fixture.queue.add(aPod(name));
        const info = await fixture.take();
        if (queue === 'normal')
          fixture.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
        fixture.bringBack(info, ...(queue === 'normal' ? ['Room'] : []));
      }
      fixture.nowMs = start;
      fixture.queue.flushBackoffQCompleted();
      expect(namesOf(fixture.queue.podsInActiveQ()), 'the pods whose backoff is over').toEqual(wanted.popped);
      expect(fixture.queue.podsInBackoffQ(), 'the pods that still back off').toHaveLength(wanted.left);
    },
  );
});
