import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { terminationGracePeriod } from './grace-period.ts';

const podOf = (spec: Partial<core.PodSpec>, metadata: Partial<Pod['metadata']> = {}): Pod =>
  ({ metadata, spec, status: {} }) as unknown as Pod;

describe('The grace period of a container', () => {
  const probe = { terminationGracePeriodSeconds: 3 };
  const rows: [
    string,
    Partial<core.Container>,
    Partial<Pod['metadata']>,
    'LivenessProbe' | 'StartupProbe' | undefined,
    number,
  ][] = [
    ['is terminationGracePeriodSeconds of the pod', {}, {}, undefined, 20],
    ['is the grace period of the deletion', {}, { deletionGracePeriodSeconds: 7 }, undefined, 7],
    ['is the grace period of the failed liveness probe', { livenessProbe: probe }, {}, 'LivenessProbe', 3],
    ['is the grace period of the failed startup probe', { startupProbe: probe }, {}, 'StartupProbe', 3],
    ['ignores a probe other than the failed one', { startupProbe: probe }, {}, 'LivenessProbe', 20],
    ['ignores a probe that has not failed', { livenessProbe: probe }, {}, undefined, 20],
    [
      'is the grace period of the deletion even if a probe has failed',
      { livenessProbe: probe },
      { deletionGracePeriodSeconds: 0 },
      'LivenessProbe',
      0,
    ],
  ];
  test.each(rows)('%s', (_, more, metadata, reason, seconds) => {
    const pod = podOf({ terminationGracePeriodSeconds: 20 }, metadata);
    expect(terminationGracePeriod(pod, { name: 'a', ...more }, reason)).toBe(seconds);
  });

  test('is two seconds by default', () => {
    expect(terminationGracePeriod(podOf({}), { name: 'a' }, undefined)).toBe(2);
  });
});
