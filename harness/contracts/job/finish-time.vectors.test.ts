import { expect, test } from 'vitest';
import type { Pod } from '../../api/objects.ts';
import { formatTime } from '../../sim/index.ts';
import { named, vectors } from '../../testing/vectors.ts';
import { finishTimeMs } from './finish-time.ts';

interface Row {
  /** Seconds; `null` while it runs, `unset` without a time. */
  readonly containerEnds: readonly (number | null | 'unset')[];
  readonly sidecarEnds?: readonly number[];
  readonly deletionTimestamp?: number;
  readonly deletionGracePeriodSeconds?: number;
  readonly creationTimestamp?: number;
}

const NOW_MS = Date.UTC(2026, 0, 1);
const time = (seconds: number): string => formatTime(NOW_MS + seconds * 1_000);

function stateOf(end: number | null | 'unset') {
  if (end === null) return { running: {} };
  return { terminated: { exitCode: 0, ...(end === 'unset' ? {} : { finishedAt: time(end) }) } };
}

const rows = named(vectors<Row, { finishedAt: number }>('job', 'finishTime', 5));

test.each(rows)('finds the end of a pod as Kubernetes does: %s', (_, { input, expect: expected }) => {
  const { containerEnds, sidecarEnds = [], deletionTimestamp, creationTimestamp = -100 } = input;
  const { deletionGracePeriodSeconds } = input;
  const statusOf = (name: string) => (end: number | null | 'unset', i: number) => ({
    name: `${name}-${i}`,
    state: stateOf(end),
  });
  const pod = {
    metadata: {
      creationTimestamp: time(creationTimestamp),
      ...(deletionTimestamp !== undefined && { deletionTimestamp: time(deletionTimestamp) }),
      ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
    },
    spec: { initContainers: sidecarEnds.map((_, i) => ({ name: `sidecar-${i}`, restartPolicy: 'Always' })) },
    status: {
      containerStatuses: containerEnds.map(statusOf('main')),
      initContainerStatuses: sidecarEnds.map(statusOf('sidecar')),
    },
  } as unknown as Pod;
  expect(finishTimeMs(pod)).toBe(NOW_MS + expected.finishedAt * 1_000);
});

test('falls back to the time when the pod stopped being ready', () => {
  const pod = {
    metadata: { creationTimestamp: time(-100) },
    spec: {},
    status: { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: time(-7) }] },
  } as unknown as Pod;
  expect(finishTimeMs(pod)).toBe(NOW_MS - 7_000);
});
