import { describe, expect, test } from 'vitest';
import type { Pod } from '../../api/objects.ts';
import { aSchedulingNode, aSchedulingPod } from '../../laws/scheduling/index.ts';
import { CachedNodes } from './cached-nodes.ts';

/** A cache that never assumes pods. */
class Cache extends CachedNodes {
  addPod(pod: Pod): void {
    this.states.set(pod.metadata.uid, { pod, assumed: false });
    this.occupy(pod);
  }

  removePod(pod: Pod): void {
    this.states.delete(pod.metadata.uid);
    this.vacate(pod);
  }
}

describe('Cached nodes', () => {
  const cacheOf = (...names: readonly string[]): Cache => {
    const cache = new Cache();
    for (const name of names) cache.addNode(aSchedulingNode(name));
    return cache;
  };
  const pod = aSchedulingPod({ name: 'a', nodeName: 'node-1' });
  const shown = (cache: Cache) =>
    Object.fromEntries(
      cache.snapshot().nodeInfos.map(({ name, pods }) => [name, pods.map((each) => each.pod.metadata.name)]),
    );

  test('are in a snapshot with the given namespaces, even if no node has changed', () => {
    const cache = cacheOf('node-1');
    const [one, other] = ['a', 'b'].map((team) => new Map([['default', { team }]])) as [
      Map<string, { team: string }>,
      Map<string, { team: string }>,
    ];
    expect(cache.snapshot(one).namespaces).toBe(one);
    expect(cache.snapshot(other).namespaces).toBe(other);
  });

  test('are the same objects in the next snapshot, unless they have changed', () => {
    const cache = cacheOf('node-2', 'node-1', 'node-3');
    const before = cache.snapshot().nodeInfos;
    cache.addPod(pod);
    const after = cache.snapshot().nodeInfos;
    expect(after.map((info, i) => info === before[i])).toEqual([true, false, true]);
    cache.removePod(pod);
    expect(shown(cache)).toEqual({ 'node-2': [], 'node-1': [], 'node-3': [] });
  });

  test('get the pods that were added before them, and keep their pods while they are removed', () => {
    const cache = cacheOf('node-2');
    cache.addPod(pod);
    expect(shown(cache)).toEqual({ 'node-2': [] });
    cache.addNode(aSchedulingNode('node-1'));
    expect(shown(cache)).toEqual({ 'node-2': [], 'node-1': ['a'] });
    cache.removeNode(aSchedulingNode('node-1'));
    expect(shown(cache)).toEqual({ 'node-2': [] });
    cache.addNode(aSchedulingNode('node-1'));
    expect(shown(cache)).toEqual({ 'node-2': [], 'node-1': ['a'] });
  });
});
