import { describe, expect, test } from 'vitest';
import type { Pod } from '../api/objects.ts';
import { BackoffTable, backOffError, backOffKey, crashLoopBackOff } from './backoff-table.ts';

/** Forgets a key ten seconds after it was set, and lets a test set one. */
class TenSeconds extends BackoffTable {
  hasExpired(key: string, eventTimeMs: number): boolean {
    const entry = this.entry(key);
    return entry === undefined || eventTimeMs - entry.lastUpdateMs > 10_000;
  }

  put(key: string, backoffMs: number): void {
    this.set(key, backoffMs);
  }
}

function newTable() {
  const clock = { ms: 0, now: () => clock.ms };
  return { clock, table: new TenSeconds({ clock, initialMs: 1, maxMs: 8 }) };
}

describe('What a back-off remembers', () => {
  test('is how long each key waits, and nothing of another key', () => {
    const { table } = newTable();
    for (const key of ['constructor', '__proto__']) table.put(key, 4);
    expect(['constructor', '__proto__', 'web'].map((key) => table.get(key))).toEqual([4, 4, 0]);
  });

  test('is forgotten when it has expired, and nothing else is', () => {
    const { clock, table } = newTable();
    table.put('web', 4);
    clock.ms = 1;
    table.put('log', 4);
    clock.ms = 10_000;
    table.gc();
    expect(['web', 'log'].map((key) => table.get(key))).toEqual([4, 4]);
    clock.ms = 10_001;
    table.gc();
    expect(['web', 'log'].map((key) => table.get(key))).toEqual([0, 4]);
  });
});

describe('The back-off of a node', () => {
  const { clock } = newTable();

  test('begins with ten seconds, ends at five minutes, and forgets after ten', () => {
    expect(crashLoopBackOff(clock)).toEqual({ clock, initialMs: 10_000, maxMs: 300_000, expiryMs: 600_000 });
  });

  test('begins with less if the kubelet waits for less at most', () => {
    expect(crashLoopBackOff(clock, 5_000)).toMatchObject({ initialMs: 5_000, maxMs: 5_000 });
  });
});

describe('By which a container is counted', () => {
  const pod = { metadata: { namespace: 'default', name: 'web', uid: 'u1' } } as unknown as Pod;
  const main = { name: 'main', image: 'nginx:1' };

  test('is another one for another container, another pod, another image and other resources', () => {
    const keys = [
      backOffKey(pod, main),
      backOffKey(pod, { ...main, name: 'log' }),
      backOffKey({ ...pod, metadata: { ...pod.metadata, uid: 'u2' } }, main),
      backOffKey(pod, { ...main, image: 'nginx:2' }),
      backOffKey(pod, { ...main, resources: { limits: { memory: '1Gi' } } }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('is the same for another command', () => {
    expect(backOffKey(pod, { ...main, command: ['nginx'] })).toBe(backOffKey(pod, main));
  });
});

describe('Why a container is not started yet', () => {
  test('says how long it waits, and until when, from its end on', () => {
    const pod = { metadata: { namespace: 'default', name: 'web', uid: 'u1' } } as unknown as Pod;
    expect(backOffError(pod, { name: 'main' }, { finishedAtMs: 500, backoffMs: 80_000 })).toEqual({
      message: 'back-off 1m20s restarting failed container=main pod=web_default(u1)',
      untilMs: 80_500,
    });
  });
});
