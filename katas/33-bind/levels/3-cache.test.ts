import { describe, expect, test } from 'vitest';
import type { Pod } from '#harness';
import { SchedulerCache } from '#kata/33-bind/bind';
import { aNode, aPod, type PodParts } from './objects.fixture.ts';
import { shownBy } from './snapshot.fixture.ts';

describe('Level 3 · The cache', () => {
  /** One with these nodes. */
  const cacheOf = (...names: readonly string[]): SchedulerCache => {
    const cache = new SchedulerCache();
    for (const name of names) cache.addNode(aNode(name));
    return cache;
  };
  const placed = (name: string, nodeName: string, parts: PodParts = {}): Pod =>
    aPod(name, { nodeName, ...parts });

  test('shows each node with the pods on it', () => {
    const cache = cacheOf('node-1', 'node-2');
    cache.addPod(placed('a', 'node-1'));
    cache.addPod(placed('b', 'node-1'));
    expect(shownBy(cache.snapshot()), 'the pods on each node in a new snapshot').toEqual({
      'node-1': ['a', 'b'],
      'node-2': [],
    });
    cache.removePod(placed('a', 'node-1'));
    expect(shownBy(cache.snapshot()), 'the pods on each node in a new snapshot').toEqual({
      'node-1': ['b'],
      'node-2': [],
    });
  });

  test('has the newest version of nodes and pods', () => {
    const cache = cacheOf('node-1');
    const old = placed('a', 'node-1');
    cache.addPod(old);
    cache.updateNode(aNode('node-1'), aNode('node-1', { pods: 7 }));
    const next = placed('a', 'node-1', { labels: { version: '2' } });
    cache.updatePod(old, next);
    const [info] = cache.snapshot().nodeInfos;
    expect(info?.allocatable.allowedPodNumber, 'allowedPodNumber of the updated node').toBe(7);
    expect(
      info?.pods.map(({ pod }) => pod),
      'the updated pod must replace the old version',
    ).toEqual([next]);
    expect(cache.getPod(old), 'getPod returns the updated pod').toBe(next);
  });

  test('keeps a snapshot unchanged after later changes', () => {
    const cache = cacheOf('node-1');
    const snapshot = cache.snapshot();
    cache.addPod(placed('a', 'node-1'));
    cache.addNode(aNode('node-2'));
    expect(shownBy(snapshot), 'the snapshot was taken before the change').toEqual({ 'node-1': [] });
  });

  test('returns unchanged nodes as the same objects, in the same order', () => {
    const cache = cacheOf('node-2', 'node-1', 'node-3');
    const before = cache.snapshot().nodeInfos;
    cache.addPod(placed('a', 'node-1'));
    const after = cache.snapshot().nodeInfos;
    expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
    expect(after.map((info, i) => info === before[i])).toEqual(before.map(({ name }) => name !== 'node-1'));
  });

  test('keeps pods whose node is not known yet', () => {
    const cache = cacheOf();
    cache.addPod(placed('a', 'node-1'));
    expect(shownBy(cache.snapshot()), 'the pods on each node in a new snapshot').toEqual({});
    cache.addNode(aNode('node-1'));
    expect(shownBy(cache.snapshot()), 'the pods on each node in a new snapshot').toEqual({ 'node-1': ['a'] });
  });

  test('keeps pods of a removed node until they are removed too', () => {
    const cache = cacheOf('node-1');
    cache.addPod(placed('a', 'node-1'));
    cache.addPod(placed('b', 'node-1'));
    cache.removeNode(aNode('node-1'));
    cache.removeNode(aNode('unknown'));
    expect(shownBy(cache.snapshot()), 'the pods on each node in a new snapshot').toEqual({});
    cache.removePod(placed('a', 'node-1'));
    cache.addNode(aNode('node-1'));
    expect(shownBy(cache.snapshot()), 'the pods on each node in a new snapshot').toEqual({ 'node-1': ['b'] });
  });

  test('counts an assumed pod on its node', () => {
    const cache = cacheOf('node-1');
    const pod = Object.freeze(aPod('web'));
    Object.freeze(pod.spec);
    const assumed = cache.assumePod(pod, 'node-1');
    expect(assumed, 'assumePod returns a copy of the pod with nodeName').toEqual({
      ...pod,
      spec: { ...pod.spec, nodeName: 'node-1' },
    });
    expect(shownBy(cache.snapshot()), 'the snapshot must count an assumed pod').toEqual({
      'node-1': ['web'],
    });
    expect(cache.isAssumedPod(pod), 'isAssumedPod after assumePod').toBe(true);
    expect(cache.getPod(pod), 'getPod returns the assumed pod').toEqual(assumed);
  });

  test('throws on assumePod for a pod that it already has', () => {
    const cache = cacheOf('node-1', 'node-2');
    cache.assumePod(aPod('assumed'), 'node-1');
    cache.addPod(placed('added', 'node-1'));
    expect(() => cache.assumePod(aPod('assumed'), 'node-2')).toThrow(/assumed/);
    expect(() => cache.assumePod(aPod('added'), 'node-2')).toThrow(/added/);
    expect(shownBy(cache.snapshot()), 'a rejected assumePod must change nothing').toEqual({
      'node-1': ['added', 'assumed'],
      'node-2': [],
    });
    expect(cache.isAssumedPod(aPod('added')), 'a pod that an informer has added is not assumed').toBe(false);
  });

  test('confirms an assumed pod when an informer shows it on that node', () => {
    const cache = cacheOf('node-1');
    const assumed = cache.assumePod(aPod('web'), 'node-1');
    const shown = placed('web', 'node-1');
    cache.addPod(shown);
    expect(cache.isAssumedPod(assumed), 'addPod confirms the assumed pod: it is no longer assumed').toBe(
      false,
    );
    expect(cache.getPod(assumed), 'getPod returns the version of the informer').toBe(shown);
    expect(shownBy(cache.snapshot()), 'the pod must be counted once').toEqual({ 'node-1': ['web'] });
  });

  test('moves an assumed pod to the node on which an informer shows it', () => {
    const cache = cacheOf('node-1', 'node-2');
    const assumed = cache.assumePod(aPod('web'), 'node-1');
    cache.addPod(placed('web', 'node-2'));
    expect(shownBy(cache.snapshot()), 'the pod must move to the node that the informer shows').toEqual({
      'node-1': [],
      'node-2': ['web'],
    });
    expect(cache.isAssumedPod(assumed), 'addPod confirms the pod: it is no longer assumed').toBe(false);
    expect(cache.forgetPod(assumed), 'forgetPod must return false for a pod that an informer has shown').toBe(
      false,
    );
    expect(shownBy(cache.snapshot()), 'forgetPod must not remove a pod that an informer has shown').toEqual({
      'node-1': [],
      'node-2': ['web'],
    });
  });

  test('forgets an assumed pod, but no pod that an informer has shown', () => {
    const cache = cacheOf('node-1');
    const assumed = cache.assumePod(aPod('web'), 'node-1');
    expect(cache.forgetPod(assumed), 'forgetPod of an assumed pod returns true').toBe(true);
    expect(cache.forgetPod(assumed), 'the second forgetPod has nothing to forget').toBe(false);
    expect(shownBy(cache.snapshot()), 'a forgotten pod must leave the snapshot').toEqual({ 'node-1': [] });
    expect(cache.isAssumedPod(assumed), 'a forgotten pod is not assumed').toBe(false);
    expect(cache.getPod(assumed), 'the cache no longer knows a forgotten pod').toBeUndefined();
    const again = cache.assumePod(aPod('web'), 'node-1');
    cache.addPod(placed('web', 'node-1'));
    expect(cache.forgetPod(again), 'forgetPod must not remove a pod that an informer has shown').toBe(false);
    expect(shownBy(cache.snapshot()), 'the pod that an informer has shown must stay').toEqual({
      'node-1': ['web'],
    });
  });

  test('removes a pod from its node, whatever node the given version names', () => {
    const cache = cacheOf('node-1');
    cache.addPod(placed('a', 'node-1'));
    cache.assumePod(aPod('b'), 'node-1');
    cache.removePod(aPod('a'));
    cache.removePod(aPod('b'));
    cache.removePod(aPod('unknown'));
    expect(
      shownBy(cache.snapshot()),
      'removePod must find a pod by its uid, not by the nodeName of the version that it got',
    ).toEqual({ 'node-1': [] });
    expect(cache.isAssumedPod(aPod('b')), 'a removed pod is not assumed').toBe(false);
  });

  test('keeps two pods of the same name apart', () => {
    const cache = cacheOf('node-1');
    cache.addPod(placed('web', 'node-1', { uid: 'old' }));
    const assumed = cache.assumePod(aPod('web', { uid: 'new' }), 'node-1');
    expect(shownBy(cache.snapshot()), 'two pods of one name have two uids, and both count').toEqual({
      'node-1': ['web', 'web'],
    });
    cache.removePod(placed('web', 'node-1', { uid: 'old' }));
    expect(
      cache.isAssumedPod(assumed),
      'removePod of the old uid must leave the assumed pod of the new uid',
    ).toBe(true);
    expect(shownBy(cache.snapshot()), 'only the pod with the removed uid must go').toEqual({
      'node-1': ['web'],
    });
  });

  test('assumes a pod on a removed node, and counts it when the node is back', () => {
    const cache = cacheOf('node-1');
    cache.removeNode(aNode('node-1'));
    cache.assumePod(aPod('web'), 'node-1');
    expect(shownBy(cache.snapshot()), 'a node that was removed is not in the snapshot').toEqual({});
    cache.addNode(aNode('node-1'));
    expect(
      shownBy(cache.snapshot()),
      'a pod that was assumed on a node must be counted when the node comes back',
    ).toEqual({ 'node-1': ['web'] });
  });
});
