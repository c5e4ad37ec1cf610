import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { terminationGracePeriod } from './grace-period.ts';

const podOf = (spec: Partial<core.PodSpec>, metadata: Partial<Pod['metadata']> = {}): Pod =>
  ({ metadata, spec, status: {} }) as unknown as Pod;

describe('The time that a container has to end', () => {
  const probe = { terminationGracePeriodSeconds: 3 };
  const rows: [
    string,
    Partial<core.Container>,
    Partial<Pod['metadata']>,
    'LivenessProbe' | 'StartupProbe' | undefined,
    number,
  ][] = [
    ['is its pod’s', {}, {}, undefined, 20],
    ['is what its deletion says', {}, { deletionGracePeriodSeconds: 7 }, undefined, 7],
    ['is what the probe says that has failed', { livenessProbe: probe }, {}, 'LivenessProbe', 3],
    ['is what the startup probe says if that has failed', { startupProbe: probe }, {}, 'StartupProbe', 3],
    ['is not what another probe says', { startupProbe: probe }, {}, 'LivenessProbe', 20],
    ['is not what a probe says that has not failed', { livenessProbe: probe }, {}, undefined, 20],
    [
      'is what its deletion says, whatever a probe says',
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

  test('is two seconds if nothing says it', () => {
    expect(terminationGracePeriod(podOf({}), { name: 'a' }, undefined)).toBe(2);
  });
});
