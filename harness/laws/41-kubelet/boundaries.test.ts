import { describe, expect, test } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { crashAtBoundaries } from './boundaries.ts';

const { components } = (await import('#components')) as { readonly components: Components };

describe('A kubelet that dies at each of its calls, and comes back', () => {
  test.each(['containerd', 'cri-o', 'cri-dockerd'] as const)(
    'keeps all its laws at each boundary of a life of a pod, on %s',
    async (profile) => {
      const { breaches, boundaries } = await crashAtBoundaries(components.kubelet, components, { profile });
      expect(breaches).toEqual([]);
      // Both halves of each call that a kubelet makes while a pod comes and goes.
      expect(boundaries).toBeGreaterThan(200);
    },
    240_000,
  );
});
