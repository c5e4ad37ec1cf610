import { describe, expect, test } from 'vitest';
import { nothingOf, PodCache } from './pod-cache.ts';

const pod = { uid: 'u1', name: 'web', namespace: 'default' };
const seen = { ...nothingOf(pod), ips: ['10.244.1.2'] };

describe('A pod cache', () => {
  test('waits for a status newer than the stamp', async () => {
    const cache = new PodCache();
    cache.set('u1', nothingOf(pod), cache.stamp());
    const after = cache.stamp();
    const waits = cache.getNewerThan(pod, after);
    cache.set('u1', seen, cache.stamp());
    expect(await waits).toBe(seen);
  });

  test('ignores a status observed before the stamp, even if it arrives later', async () => {
    const cache = new PodCache();
    const before = cache.stamp();
    const after = cache.stamp();
    let resolved = false;
    void cache.getNewerThan(pod, after).then(() => {
      resolved = true;
    });
    cache.set('u1', seen, before);
    await Promise.resolve();
    expect(resolved).toBe(false);
  });

  test('reports an empty status for an unknown pod after a full relist', async () => {
    const cache = new PodCache();
    const waits = cache.getNewerThan(pod, 0);
    cache.seenAll(cache.stamp());
    expect(await waits).toEqual(nothingOf(pod));
  });

  test('keeps the newer of two statuses, whichever arrives first', () => {
    const cache = new PodCache();
    const [early, late] = [cache.stamp(), cache.stamp()];
    cache.set('u1', seen, late);
    cache.set('u1', nothingOf(pod), early);
    expect(cache.get('u1')).toBe(seen);
  });

  test('throws the error of the last read, and keeps the status before it', async () => {
    const cache = new PodCache();
    cache.set('u1', seen, cache.stamp(), new Error('lost'));
    await expect(cache.getNewerThan(pod, 0)).rejects.toThrow('lost');
    expect(() => cache.get('u1')).toThrow('lost');
    expect(cache.last('u1')).toBe(seen);
  });

  test('stops waiting when the signal is aborted', async () => {
    const cache = new PodCache();
    const controller = new AbortController();
    const waits = cache.getNewerThan(pod, 0, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waits).rejects.toThrow('enough');
  });
});
