import { describe, expect, test } from 'vitest';
import type { framework, Pod, scheduling } from '#harness';
import { soFar } from '#harness/testing';
import { podChanged, SchedulerCache } from '#kata/33-bind/bind';
import { ADD_NODE, NODE_LABEL, POD_GONE } from './events.fixture.ts';
import { aNode, aPod, type PodParts } from './objects.fixture.ts';
import { byName, filteringOf } from './profile.fixture.ts';
import { placesOf, QueueFixture } from './queue.fixture.ts';
import { shownBy } from './snapshot.fixture.ts';

describe('Level 6 · The loop', () => {
  /** A queue and a cache, and what happens to them. */
  const fixture = () => {
    const { queue } = new QueueFixture([
      { name: 'Room', eventsToRegister: () => [{ event: POD_GONE }] },
      { name: 'Friend', eventsToRegister: () => [{ event: { resource: 'AssignedPod', actionType: 'Add' } }] },
      {
        name: 'Label',
        eventsToRegister: () => [{ event: { resource: 'AssignedPod', actionType: 'UpdatePodLabel' } }],
      },
      { name: 'Node', eventsToRegister: () => [{ event: ADD_NODE }] },
      { name: 'Disk', eventsToRegister: () => [{ event: NODE_LABEL }] },
      { name: 'Gone', eventsToRegister: () => [{ event: { resource: 'Node', actionType: 'Delete' } }] },
    ]);
    const cache = new SchedulerCache();
    const profile: framework.Profile = {
      schedulerName: 'default-scheduler',
      filtering: filteringOf([]),
      scoring: byName,
      reserve: [],
      bind: [],
    };
    const pieces = { queue, cache, profile };
    return {
      ...pieces,
      pod: (previous: Pod | undefined, current: Pod | undefined) => podChanged(pieces, previous, current),
      places: () => placesOf(queue),
      shown: () => shownBy(cache.snapshot()),
      /** Pods that sleep, each because of the plugin that it is called after. */
      sleepers: async () => {
        for (const name of ['Room', 'Friend', 'Label', 'Node', 'Disk', 'Gone']) {
          queue.add(aPod(name));
          const info = (await soFar(queue.pop())) as scheduling.QueuedPodInfo;
          queue.addUnschedulableIfNotPresent({ ...info, unschedulablePlugins: new Set([name]) });
        }
      },
    };
  };
  const placed = (name: string, parts: PodParts = {}): Pod => aPod(name, { nodeName: 'node-1', ...parts });
  const awake = (places: Record<string, string[]>) => [...(places.backoff ?? []), ...(places.active ?? [])];

  test('puts a pod that waits into the queue, keeps it up to date there, and takes it out when it is gone', () => {
    const { pod, queue, places } = fixture();
    const [first, second] = [aPod('web'), aPod('web', { labels: { version: '2' } })];
    pod(undefined, first);
    expect(queue.podsInActiveQ(), 'activeQ').toEqual([first]);
    pod(first, second);
    expect(queue.podsInActiveQ(), 'activeQ').toEqual([second]);
    pod(second, undefined);
    expect(places(), 'the pods in each place of the queue').toEqual({});
  });

  test('leaves alone a pod of another scheduler, and one that has ended', () => {
    const { pod, places } = fixture();
    pod(undefined, aPod('theirs', { schedulerName: 'another' }));
    pod(undefined, aPod('done', { phase: 'Succeeded' }));
    pod(undefined, placed('failed', { phase: 'Failed' }));
    const ours = aPod('ours');
    pod(undefined, ours);
    pod(ours, aPod('ours', { phase: 'Failed' }));
    expect(places(), 'the pods in each place of the queue').toEqual({});
  });

  test('puts a pod that has a node into the cache, and wakes the pods that waited for one', async () => {
    const { pod, cache, places, shown, sleepers } = fixture();
    cache.addNode(aNode('node-1'));
    await sleepers();
    const theirs = placed('theirs', { schedulerName: 'another' });
    pod(undefined, theirs);
    expect(shown(), 'the pods on each node in the cache').toEqual({ 'node-1': ['theirs'] });
    expect(
      awake(places()),
      'the pods that have been woken so far, named after the event that could help them',
    ).toEqual(['Friend']);
    const next = placed('theirs', { schedulerName: 'another', labels: { a: 'b' } });
    pod(theirs, next);
    expect(
      awake(places()),
      'the pods that have been woken so far, named after the event that could help them',
    ).toEqual(['Friend', 'Label']);
    pod(next, undefined);
    expect(shown(), 'the pods on each node in the cache').toEqual({ 'node-1': [] });
    expect(
      awake(places()),
      'the pods that have been woken so far, named after the event that could help them',
    ).toEqual(['Friend', 'Label', 'Room']);
  });

  test('takes a pod out of the queue that has got a node, and one out of the cache that has ended', async () => {
    const { pod, cache, places, shown, sleepers } = fixture();
    cache.addNode(aNode('node-1'));
    const waiting = aPod('web');
    pod(undefined, waiting);
    pod(waiting, placed('web'));
    expect(places(), 'the pods in each place of the queue').toEqual({});
    expect(shown(), 'the pods on each node in the cache').toEqual({ 'node-1': ['web'] });
    await sleepers();
    pod(placed('web'), placed('web', { phase: 'Succeeded' }));
    expect(shown(), 'the pods on each node in the cache').toEqual({ 'node-1': [] });
    expect(
      awake(places()),
      'the pods that have been woken so far, named after the event that could help them',
    ).toEqual(['Room']);
  });

  test('leaves a pod that is assumed to its binding cycle, unless it goes', async () => {
    const { pod, places, shown, cache, sleepers } = fixture();
    cache.addNode(aNode('node-1'));
    await sleepers();
    const [first, second] = [aPod('web'), aPod('web', { labels: { version: '2' } })];
    cache.assumePod(first, 'node-1');
    pod(first, second);
    pod(undefined, second);
    expect(places().active).toBeUndefined();
    expect(shown(), 'the pods on each node in the cache').toEqual({ 'node-1': ['web'] });
    pod(second, undefined);
    expect(shown(), 'the pods on each node in the cache').toEqual({ 'node-1': [] });
    expect(
      awake(places()),
      'the pods that have been woken so far, named after the event that could help them',
    ).toEqual(['Room']);
  });

  test('keeps the room of a pod of another scheduler that was assumed, while the informer does not know that it is bound', async () => {
    const { pod, places, shown, cache, sleepers } = fixture();
    cache.addNode(aNode('node-1'));
    await sleepers();
    const [first, second] = ['1', '2'].map((version) =>
      aPod('theirs', { labels: { version }, schedulerName: 'another' }),
    );
    if (!first || !second) throw new Error('There are two versions.');
    cache.assumePod(first, 'node-1');
    pod(first, second);
    expect(shown(), 'the pods on each node in the cache').toEqual({ 'node-1': ['theirs'] });
    expect(
      awake(places()),
      'the pods that have been woken so far, named after the event that could help them',
    ).toEqual([]);
    pod(second, undefined);
    expect(shown(), 'the pods on each node in the cache').toEqual({ 'node-1': [] });
    expect(
      awake(places()),
      'the pods that have been woken so far, named after the event that could help them',
    ).toEqual(['Room']);
  });

  test('wakes a pod that waits for room, when a pod turns out to be on another node than it was assumed on', async () => {
    const { pod, places, cache, sleepers } = fixture();
    await sleepers();
    const waiting = aPod('web');
    cache.assumePod(waiting, 'node-1');
    pod(waiting, placed('web', { nodeName: 'node-1' }));
    expect(
      awake(places()),
      'the pods that have been woken so far, named after the event that could help them',
    ).toEqual(['Friend']);
    const other = aPod('other');
    cache.assumePod(other, 'node-1');
    pod(other, placed('other', { nodeName: 'node-2' }));
    expect(
      awake(places()),
      'the pods that have been woken so far, named after the event that could help them',
    ).toEqual(['Friend', 'Room']);
  });

  test('keeps two pods of one name apart, and does nothing on a resync', async () => {
    const { pod, queue, shown, cache, places } = fixture();
    cache.addNode(aNode('node-1'));
    const [old, next] = [placed('web', { uid: 'old' }), aPod('web', { uid: 'new' })];
    pod(undefined, old);
    pod(old, next);
    expect(shown(), 'the pods on each node in the cache').toEqual({ 'node-1': [] });
    expect(queue.podsInActiveQ(), 'activeQ').toEqual([next]);
    await soFar(queue.pop());
    queue.done('new');
    pod(next, next);
    expect(places(), 'the pods in each place of the queue').toEqual({});
  });
});
