import { describe, expect, test } from 'vitest';
import type { Components } from '../../../contracts/component.ts';
import { crashAtBoundaries } from './boundaries.ts';

const { components } = (await import('#components')) as { readonly components: Components };

// The kata's own test crashes the kubelet at one call in nine, and at one in 27 with few runs.
describe('A kubelet that crashes at each of its calls, and restarts', () => {
  test.each(['containerd', 'cri-o', 'cri-dockerd'] as const)(
    'keeps all its laws while a pod is created, runs and is deleted, on %s',
    async (profile) => {
      const { violations, boundaries } = await crashAtBoundaries(components.kubelet, components, { profile });
      expect(violations).toEqual([]);
      // A kubelet makes more than a hundred calls for a pod. It crashes before each, and after each.
      expect(boundaries).toBeGreaterThan(200);
    },
  );
});
