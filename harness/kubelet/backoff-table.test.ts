import { describe, expect, test } from 'vitest';
import type { Pod } from '../api/objects.ts';
import { BackoffTable, backOffError, backOffKey, crashLoopBackOff } from './backoff-table.ts';

/** Expires a key ten seconds after it was set, and lets a test set a key. */
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

describe('A back-off table', () => {
  test('remembers the delay of each key separately', () => {
    const { table } = newTable();
    for (const key of ['constructor', '__proto__']) table.put(key, 4);
    expect(['constructor', '__proto__', 'web'].map((key) => table.get(key))).toEqual([4, 4, 0]);
  });

  test('forgets only the expired keys', () => {
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

describe('The crash loop back-off', () => {
  const { clock } = newTable();

  test('starts at ten seconds, is limited to five minutes, and resets after ten minutes', () => {
    expect(crashLoopBackOff(clock)).toEqual({ clock, initialMs: 10_000, maxMs: 300_000, expiryMs: 600_000 });
  });

  test('starts lower if the kubelet is configured with a lower maximum', () => {
    expect(crashLoopBackOff(clock, 5_000)).toMatchObject({ initialMs: 5_000, maxMs: 5_000 });
  });
});

describe('The back-off key of a container', () => {
  const pod = { metadata: { namespace: 'default', name: 'web', uid: 'u1' } } as unknown as Pod;
  const main = { name: 'main', image: 'nginx:1' };

  test('differs for another container, pod, image or resources', () => {
    const keys = [
      backOffKey(pod, main),
      backOffKey(pod, { ...main, name: 'log' }),
      backOffKey({ ...pod, metadata: { ...pod.metadata, uid: 'u2' } }, main),
      backOffKey(pod, { ...main, image: 'nginx:2' }),
      backOffKey(pod, { ...main, resources: { limits: { memory: '1Gi' } } }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('ignores the command', () => {
    expect(backOffKey(pod, { ...main, command: ['nginx'] })).toBe(backOffKey(pod, main));
  });
});

describe('The back-off error', () => {
  test('has the delay in its message, and the end of the delay counted from the exit of the container', () => {
    const pod = { metadata: { namespace: 'default', name: 'web', uid: 'u1' } } as unknown as Pod;
    expect(backOffError(pod, { name: 'main' }, { finishedAtMs: 500, backoffMs: 80_000 })).toEqual({
      message: 'back-off 1m20s restarting failed container=main pod=web_default(u1)',
      untilMs: 80_500,
    });
  });
});
