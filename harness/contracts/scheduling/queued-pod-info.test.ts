import { describe, expect, test } from 'vitest';
import { aSchedulingPod } from '../../laws/scheduling/index.ts';
import { named, vectors } from '../../testing/vectors.ts';
import { less } from './queued-pod-info.ts';

describe('The order of pods', () => {
  const pod = (priority?: number) => aSchedulingPod({ spec: priority === undefined ? {} : { priority } });

  interface LessPod {
    readonly priority: number;
    readonly queuedAtSeconds: number;
  }
  const queued = ({ priority, queuedAtSeconds }: LessPod) => ({
    pod: pod(priority),
    timestampMs: queuedAtSeconds * 1_000,
  });
  const rows = vectors<{ first: LessPod; second: LessPod }, { less: boolean }>('scheduler-queue', 'less', 3);
  test.each(named(rows))('is the same as in Kubernetes: %s', (_, { input, expect: wanted }) =>
    expect(less(queued(input.first), queued(input.second))).toBe(wanted.less),
  );

  test('treats a missing priority as 0, and does not order equal pods', () => {
    const [plain, zero, minus] = [undefined, 0, -1].map((priority) => ({
      pod: pod(priority),
      timestampMs: 5,
    })) as [
      { pod: ReturnType<typeof pod>; timestampMs: number },
      { pod: ReturnType<typeof pod>; timestampMs: number },
      { pod: ReturnType<typeof pod>; timestampMs: number },
    ];
    expect([less(plain, zero), less(zero, plain)]).toEqual([false, false]);
    expect([less(plain, minus), less(minus, plain)]).toEqual([true, false]);
  });
});
