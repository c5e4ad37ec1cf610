import { describe, expect, test } from 'vitest';
import type { scheduling } from '#given/33-bind';
import type { framework, Pod } from '#harness';
import { soFar } from '#harness/testing';
import { podChanged, SchedulerCache } from '#kata/33-bind/bind';
import { ADD_NODE, NODE_LABEL, POD_GONE } from './events.fixture.ts';
import { aNode, aPod, type PodParts } from './objects.fixture.ts';
import { byName, filteringOf } from './profile.fixture.ts';
import { placesOf, QueueFixture } from './queue.fixture.ts';
import { shownBy } from './snapshot.fixture.ts';

describe('Level 6 · The loop', () => {
  /** A queue and a cache, and functions that change and show them. */
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
      /** Adds unschedulable pods; the plugin with the name of the pod has rejected it. */
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

  test('adds a waiting pod to the queue, updates it there, and deletes it', () => {
    const { pod, queue, places } = fixture();
    const [first, second] = [aPod('web'), aPod('web', { labels: { version: '2' } })];
    pod(undefined, first);
    expect(queue.podsInActiveQ(), 'the pods in activeQ').toEqual([first]);
    pod(first, second);
    expect(queue.podsInActiveQ(), 'the pods in activeQ').toEqual([second]);
    pod(second, undefined);
    expect(places(), 'the pods in each place of the queue').toEqual({});
  });

  test('ignores a pod of another scheduler, and a pod that has ended', () => {
    const { pod, places } = fixture();
    pod(undefined, aPod('theirs', { schedulerName: 'another' }));
    pod(undefined, aPod('done', { phase: 'Succeeded' }));
    pod(undefined, placed('failed', { phase: 'Failed' }));
    const ours = aPod('ours');
    pod(undefined, ours);
    pod(ours, aPod('ours', { phase: 'Failed' }));
    expect(places(), 'the pods in each place of the queue').toEqual({});
  });

  test('adds a placed pod to the cache, and wakes the pods that each event could help', async () => {
    const { pod, cache, places, shown, sleepers } = fixture();
    cache.addNode(aNode('node-1'));
    await sleepers();
    const theirs = placed('theirs', { schedulerName: 'another' });
    pod(undefined, theirs);
    expect(shown(), 'the pods on each node in the cache').toEqual({ 'node-1': ['theirs'] });
    expect(
      awake(places()),
      'the pods that are awake; each is named after the event that could help it',
    ).toEqual(['Friend']);
    const next = placed('theirs', { schedulerName: 'another', labels: { a: 'b' } });
    pod(theirs, next);
    expect(
      awake(places()),
      'the pods that are awake; each is named after the event that could help it',
    ).toEqual(['Friend', 'Label']);
    pod(next, undefined);
    expect(shown(), 'the pods on each node in the cache').toEqual({ 'node-1': [] });
    expect(
      awake(places()),
      'the pods that are awake; each is named after the event that could help it',
    ).toEqual(['Friend', 'Label', 'Room']);
  });

  test('deletes a pod from the queue when it has a node, and from the cache when it has ended', async () => {
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
      'the pods that are awake; each is named after the event that could help it',
    ).toEqual(['Room']);
  });

  test('leaves an assumed pod to its binding cycle, unless it is deleted', async () => {
    const { pod, places, shown, cache, sleepers } = fixture();
    cache.addNode(aNode('node-1'));
    await sleepers();
    const [first, second] = [aPod('web'), aPod('web', { labels: { version: '2' } })];
    cache.assumePod(first, 'node-1');
    pod(first, second);
    pod(undefined, second);
    expect(places().active, 'an assumed pod must not become active').toBeUndefined();
    expect(shown(), 'the pods on each node in the cache').toEqual({ 'node-1': ['web'] });
    pod(second, undefined);
    expect(shown(), 'the pods on each node in the cache').toEqual({ 'node-1': [] });
    expect(
      awake(places()),
      'the pods that are awake; each is named after the event that could help it',
    ).toEqual(['Room']);
  });

  test('keeps the room of an assumed pod of another scheduler until the informer shows its node', async () => {
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
      'the pods that are awake; each is named after the event that could help it',
    ).toEqual([]);
    pod(second, undefined);
    expect(shown(), 'the pods on each node in the cache').toEqual({ 'node-1': [] });
    expect(
      awake(places()),
      'the pods that are awake; each is named after the event that could help it',
    ).toEqual(['Room']);
  });

  test('wakes a pod that waits for room when an informer shows an assumed pod on another node', async () => {
    const { pod, places, cache, sleepers } = fixture();
    await sleepers();
    const waiting = aPod('web');
    cache.assumePod(waiting, 'node-1');
    pod(waiting, placed('web', { nodeName: 'node-1' }));
    expect(
      awake(places()),
      'the pods that are awake; each is named after the event that could help it',
    ).toEqual(['Friend']);
    const other = aPod('other');
    cache.assumePod(other, 'node-1');
    pod(other, placed('other', { nodeName: 'node-2' }));
    expect(
      awake(places()),
      'the pods that are awake; each is named after the event that could help it',
    ).toEqual(['Friend', 'Room']);
  });

  test('keeps two pods of the same name apart, and ignores a resync', async () => {
    const { pod, queue, shown, cache, places } = fixture();
    cache.addNode(aNode('node-1'));
    const [old, next] = [placed('web', { uid: 'old' }), aPod('web', { uid: 'new' })];
    pod(undefined, old);
    pod(old, next);
    expect(shown(), 'the pods on each node in the cache').toEqual({ 'node-1': [] });
    expect(queue.podsInActiveQ(), 'the pods in activeQ').toEqual([next]);
    await soFar(queue.pop());
    queue.done('new');
    pod(next, next);
    expect(places(), 'the pods in each place of the queue').toEqual({});
  });
});
