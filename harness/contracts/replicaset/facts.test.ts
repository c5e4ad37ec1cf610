import { describe, expect, test } from 'vitest';
import type { Pod } from '../../api/objects.ts';
import { formatTime } from '../../sim/index.ts';
import { isPodAvailable, nextAvailabilityMs } from './availability.ts';
import { BURST_REPLICAS, replicasDiff } from './burst.ts';
import { getDeletionCost, getPodsRankedByRelatedPodsOnSameNode } from './ranks.ts';

const NOW_MS = Date.UTC(2024, 3, 17);

interface Parts {
  readonly name?: string;
  readonly node?: string;
  readonly phase?: string;
  readonly deletionTimestamp?: string;
  readonly cost?: string | number;
  readonly ready?: boolean;
  /** `null`: the condition has no time. */
  readonly readySeconds?: number | null;
}

function aPod({
  name = 'pod',
  node,
  phase = 'Running',
  deletionTimestamp,
  cost,
  ready,
  readySeconds = 60,
}: Parts = {}): Pod {
  const lastTransitionTime = formatTime(NOW_MS - (readySeconds ?? 0) * 1_000);
  return {
    metadata: {
      name,
      uid: name,
      ...(deletionTimestamp ? { deletionTimestamp } : {}),
      ...(cost === undefined
        ? {}
        : { annotations: { 'controller.kubernetes.io/pod-deletion-cost': String(cost) } }),
    },
    spec: node === undefined ? {} : { nodeName: node },
    status: {
      phase,
      ...(ready === undefined
        ? {}
        : {
            conditions: [
              {
                type: 'Ready',
                status: ready ? 'True' : 'False',
                ...(readySeconds === null ? {} : { lastTransitionTime }),
              },
            ],
          }),
    },
  } as unknown as Pod;
}

describe('replicasDiff', () => {
  test('returns the surplus, a negative number if pods are missing, limited to a burst', () => {
    expect(replicasDiff(1, 4)).toBe(3);
    expect(replicasDiff(4, 1)).toBe(-3);
    expect(replicasDiff(2_000, 0)).toBe(-BURST_REPLICAS);
    expect(replicasDiff(0, 2_000)).toBe(BURST_REPLICAS);
    expect(replicasDiff(0, 501)).toBe(500);
  });
});

describe('getDeletionCost', () => {
  test.each([100, -10, 2_147_483_647, -2_147_483_648])('reads %d', (cost) =>
    expect(getDeletionCost(aPod({ cost }))).toBe(cost),
  );

  test.each(['+5', '05', '1.5', ' 5', '5 ', '', '-', 'cheap', '1e3', '2147483648', '-2147483649'])(
    'treats "%s", which is invalid, as 0',
    (cost) => expect(getDeletionCost(aPod({ cost }))).toBe(0),
  );

  test('parses -05 like Kubernetes, and returns 0 without the annotation', () => {
    expect(getDeletionCost(aPod({ cost: '-05' }))).toBe(-5);
    expect(getDeletionCost(aPod())).toBe(0);
  });
});

describe('getPodsRankedByRelatedPodsOnSameNode', () => {
  test('counts for each pod the active related pods on its node', () => {
    const [a, b, c] = [
      aPod({ name: 'a', node: 'node-1' }),
      aPod({ name: 'b', node: 'node-2' }),
      aPod({ name: 'c' }),
    ];
    const kin = [
      aPod({ name: 'd', node: 'node-1' }),
      aPod({ name: 'e', node: 'node-1', phase: 'Succeeded' }),
      aPod({ name: 'f', node: 'node-1', deletionTimestamp: '2024-04-17T00:00:00Z' }),
      aPod({ name: 'g', node: '' }),
      aPod({ name: 'h', node: 'node-3' }),
    ];
    const ranked = getPodsRankedByRelatedPodsOnSameNode([b, a, c], [a, b, c, ...kin]);
    expect(ranked.map(({ pod, rank }) => [pod.metadata.name, rank])).toEqual([
      ['b', 1],
      ['a', 2],
      ['c', 2],
    ]);
  });
});

describe('isPodAvailable', () => {
  test('is true from minReadySeconds after the pod became ready, not before', () => {
    const pod = aPod({ ready: true, readySeconds: 10 });
    expect(isPodAvailable(pod, 10, NOW_MS)).toBe(true);
    expect(isPodAvailable(pod, 10, NOW_MS - 1)).toBe(false);
    expect(isPodAvailable(aPod({ ready: false, readySeconds: 100 }), 0, NOW_MS)).toBe(false);
  });

  test('requires only readiness if minReadySeconds is 0, even without a time in the condition', () => {
    expect(isPodAvailable(aPod({ ready: true, readySeconds: null }), 0, NOW_MS)).toBe(true);
    expect(isPodAvailable(aPod({ ready: true, readySeconds: null }), 1, NOW_MS)).toBe(false);
  });
});

describe('nextAvailabilityMs', () => {
  test('returns the time until the next pod becomes available by waiting', () => {
    const all = [30, 4, 7, 2].map((readySeconds) => aPod({ ready: true, readySeconds }));
    expect(nextAvailabilityMs(all, 10, NOW_MS)).toBe(3_000);
  });

  test('ignores pods that are available, not ready, or without a time in the condition', () => {
    const waiting = (parts: Parts) => nextAvailabilityMs([aPod(parts)], 10, NOW_MS);
    expect(waiting({ ready: true, readySeconds: 10 })).toBeUndefined();
    expect(waiting({ ready: false, readySeconds: 1 })).toBeUndefined();
    expect(waiting({ ready: true, readySeconds: null })).toBeUndefined();
  });

  test('returns nothing without minReadySeconds, even for a pod that is ready in the future', () => {
    expect(nextAvailabilityMs([aPod({ ready: true, readySeconds: -5 })], 0, NOW_MS)).toBeUndefined();
  });
});
