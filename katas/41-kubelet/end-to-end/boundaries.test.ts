import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { kubelet } from '#kata/41-kubelet/kubelet';
import { crashAtBoundaries } from '#laws/41-kubelet';

describe('In a cluster', () => {
  test.each([
    ['containerd', 0],
    ['cri-o', 1],
    ['cri-dockerd', 2],
  ] as const)('a kubelet that dies at any of its calls keeps all laws, on %s', async (profile, runtime) => {
    const { numRuns = 100 } = fc.readConfigureGlobal();
    // One call in nine, different ones for each runtime: all calls would take many runs. With few runs, the three runtimes share the calls.
    const every = numRuns < 50 ? 27 : 9;
    const from = (runtime * every) / 3;
    const { violations, boundaries } = await crashAtBoundaries(kubelet, components, { profile, every, from });
    expect(
      violations,
      'violations of the laws, each with the call at which the kubelet crashed, and whether that call was carried out',
    ).toEqual([]);
    expect(
      boundaries,
      'crashes that the run tried: a kubelet makes more than a hundred calls for a pod',
    ).toBeGreaterThan(90 / every);
  });
});
