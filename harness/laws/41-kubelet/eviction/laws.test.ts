import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../api/objects.ts';
import type { Action, EvictionHistory } from './history.ts';
import { evictsUnderPressure } from './laws.ts';

/** An eviction of a pod while a tenth of the disk must be free, a twentieth is, and `reclaim` would free the rest. */
function evictionAfter(...actions: readonly Action[]): string | undefined {
  const pod = { metadata: { name: 'pod-0', uid: '0' }, spec: { containers: [] } } as unknown as Pod;
  const disk = (available: number) => ({ 'nodefs.available': { available, capacity: 100 } });
  const history = {
    scenario: { thresholds: [{ signal: 'nodefs.available', value: { percentage: 0.1 } }] },
    passes: [
      {
        atMs: 10,
        pods: [pod],
        usages: new Map(),
        before: disk(5),
        reclaimed: disk(10),
        actions: [...actions, { do: 'evict', pod }],
        returned: [pod],
        pressure: ['DiskPressure'],
      },
    ],
  } as unknown as EvictionHistory;
  return evictsUnderPressure(history)[0]?.message;
}

describe('An eviction that was not needed', () => {
  const start =
    'synchronize evicted pod-0; expected no eviction: the threshold of nodefs.available is due; available: nodefs.available 5 of 100; ';
  const end =
    ', which leaves enough: nodefs.available 10, where 10 is enough; pods that are not critical: pod-0';

  test('is shown with the space after reclaim', () => {
    expect(evictionAfter({ do: 'reclaim' })).toBe(`${start}it called reclaim${end}`);
  });

  test('is shown with the missing call of reclaim', () => {
    expect(evictionAfter()).toBe(
      `${start}it did not call reclaim, which would leave enough: nodefs.available 10, where 10 is enough; pods that are not critical: pod-0`,
    );
  });
});
